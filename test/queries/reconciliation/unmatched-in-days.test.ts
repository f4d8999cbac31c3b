import * as TE from 'fp-ts/lib/TaskEither.js';
import { expect } from 'chai';
import { parseMonth } from '../../../src/domain/month.ts';
import { positionAt } from '../../../src/domain/position.ts';
import type { MatchSum } from '../../../src/read-models/match-questions.ts';
import { readiness } from '../../../src/queries/periods/readiness.ts';
import { right } from '../../support/right.ts';
import { decimal } from '../../projections/match/match-scene.ts';
import { routeDependencies, routeDoubles } from '../../support/route-dependencies.ts';

const NO_AGES = { '0-1': 0, '2-3': 0, '4-7': 0, '8-30': 0, '30+': 0 };

/** What an ambiguous item counts as in one of its two currencies. */
const shareIn = (currency: string, itemsOnce: number): MatchSum => ({
  flow: 'offramp',
  currency,
  state: 'ambiguous',
  items: 1,
  itemsOnce,
  fiat: decimal('100'),
  ageing: NO_AGES,
});

describe('the check of a month that looks at the match', () => {
  it('says apart what is unmatched, and what of large files and items is still being matched', async () => {
    const doubles = routeDoubles();
    const month = parseMonth('2026-03') ?? expect.fail('no month');
    for (const [lines, said] of [
      [null, { ok: true, count: 0, detail: 'no bank lines or payouts are unmatched' }],
      // All lines are in, but not yet the days that their file speaks of.
      [
        0,
        {
          ok: false,
          count: 1,
          detail: 'no bank lines or payouts are unmatched; 1 more is still being matched: look again in a moment',
        },
      ],
      [
        1,
        {
          ok: false,
          count: 1,
          detail: 'no bank lines or payouts are unmatched; 1 more is still being matched: look again in a moment',
        },
      ],
      [
        7,
        {
          ok: false,
          count: 7,
          detail: 'no bank lines or payouts are unmatched; 7 more are still being matched: look again in a moment',
        },
      ],
    ] as const) {
      const due = lines === null ? null : { position: positionAt(1), lines };
      const readModels: typeof doubles.readModels = {
        ...doubles.readModels,
        matchSummary: () => TE.right({ rows: [], hasStatements: true, due, asOf: null }),
      };
      const { checks } = right(await readiness(routeDependencies({}, { ...doubles, readModels }), month)());
      expect(checks.find(({ name }) => name === 'match')).to.include(said);
    }
  });

  it('counts an item of two currencies once', async () => {
    const doubles = routeDoubles();
    const month = parseMonth('2026-03') ?? expect.fail('no month');
    const rows = [shareIn('EUR', 0), shareIn('INR', 1)];
    const readModels: typeof doubles.readModels = {
      ...doubles.readModels,
      matchSummary: () => TE.right({ rows, hasStatements: true, due: null, asOf: null }),
    };
    const { checks } = right(await readiness(routeDependencies({}, { ...doubles, readModels }), month)());
    expect(checks.find(({ name }) => name === 'match')?.detail).to.equal('1 bank line or payout is unmatched');
  });
});
