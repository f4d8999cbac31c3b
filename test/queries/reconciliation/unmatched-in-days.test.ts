import * as TE from 'fp-ts/lib/TaskEither.js';
import { expect } from 'chai';
import { parseMonth } from '../../../src/domain/month.ts';
import { positionAt } from '../../../src/domain/position.ts';
import { readiness } from '../../../src/queries/periods/readiness.ts';
import { right } from '../../support/right.ts';
import { routeDependencies } from '../../support/route-dependencies.ts';

describe('the check of a month that looks at the match', () => {
  it('says apart what is unmatched, and what of large files and items is still being matched', async () => {
    const deps = routeDependencies();
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
      const readModels: typeof deps.readModels = {
        ...deps.readModels,
        matchSummary: () => TE.right({ rows: [], hasStatements: true, due, asOf: null }),
      };
      const { checks } = right(await readiness({ ...deps, readModels }, month)());
      expect(checks.find(({ name }) => name === 'match')).to.include(said);
    }
  });
});
