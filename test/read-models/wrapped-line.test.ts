import { expect } from 'chai';
import * as fc from 'fast-check';
import type { MatchItem } from '../../projections/match/match-item.ts';
import type { MatchOrder } from '../../projections/match/match-order.ts';
import { wrappedLine } from '../../src/read-models/wrapped-line.ts';
import { decimal, failedPayout, itemsOf, paidOut } from '../projections/match/match-scene.ts';
import { runs } from '../support/runs.ts';
import { debitWith, wrapped } from '../support/wrapped-debit.ts';

/** What items come to: which orders are with the line or without it, and what is said of them. */
const saidOf = (items: readonly MatchItem[]): readonly string[] =>
  items
    .map(({ members, state, rule, breaks }) => {
      const names = members.map((name) => (name.startsWith('line:') ? 'line' : name)).toSorted();
      return [...names, state, rule ?? '-', ...breaks.map(({ code }) => code)].join(' ');
    })
    .toSorted();

type Field = (pieces: readonly string[]) => readonly string[];

const freeText: Field = ([first = '', ...more]) => [`:86:${first}`, ...more];

/** Fields of a purpose: ten, and then those behind them. */
const germanCode = (i: number): string => String(i < 10 ? 20 + i : 50 + i);

/** How banks write field 86, and the width that each has. */
const FIELDS: readonly (readonly [what: string, narrowest: number, widest: number, field: Field])[] = [
  ['free text', 24, 65, freeText],
  ['words between slashes', 24, 65, ([first = '', ...more]) => [':86:/REMI/', first, ...more]],
  [
    'German fields',
    24,
    27,
    (pieces) => [`:86:166?00TEXT${pieces.map((piece, i) => `?${germanCode(i)}${piece}`).join('\r\n')}`],
  ],
];

const word = fc.constantFrom('NEFT', 'PAYOUT', 'RETURNED', 'TO', 'ACCOUNT', 'BATCH');
const between = fc.constantFrom(' ', ' / ', ', ', ' UTR:', ' (', '; ');
const states = fc.array(fc.constantFrom('paid', 'failed'), { minLength: 1, maxLength: 5 });

/** Utrs of either form; none begins or ends as another one does. */
const utrOf = (i: number): string =>
  i % 2 === 0 ? `${String(i + 1)}1234567890${String(i + 1)}` : `HDFC${String(i)}52026031012345${String(i)}`;

const scene = fc
  .record({
    states,
    words: fc.array(fc.tuple(between, word, between), { minLength: 6, maxLength: 6 }),
    isFirstNamed: fc.boolean(),
  })
  .map(({ states: all, words, isFirstNamed }) => ({
    orders: all.map((state, i): MatchOrder =>
      state === 'paid' ? paidOut(`o${String(i)}`, utrOf(i)) : failedPayout(`o${String(i)}`, utrOf(i)),
    ),
    text: `BATCH${all.map((_, i) => (words[i] ?? []).join('') + utrOf(i)).join('')} OK`,
    entry: `2603100310D${String(all.length * 100)},NTRF${isFirstNamed ? utrOf(0) : 'NONREF'}`,
  }));

describe('a wrapped line', () => {
  for (const [what, narrowest, widest, field] of FIELDS)
    it(`of MT940 makes the same item wherever the wrap falls, in ${what}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          scene,
          fc.integer({ min: 1, max: 65 }),
          fc.integer({ min: narrowest, max: widest }),
          async ({ orders, text, entry }, first, width) => {
            const items = async (pieces: readonly string[]) =>
              saidOf(itemsOf({ orders, lines: [await debitWith(entry, field(pieces))] }));
            expect(await items(wrapped(text, Math.min(first, width), width))).to.deep.equal(await items([text]));
          },
        ),
        { numRuns: runs(500) },
      );
    });

  it('of a batch has every payout that it names, also those beside a wrap', async () => {
    const utrs = [1, 2, 3, 4, 5].map((i) => `41234000000${String(i)}`);
    const orders = utrs.map((utr, i) => paidOut(`o${String(i)}`, utr));
    const text = `${'X'.repeat(5)} ${utrs.join(' / ')}`;
    const line = await debitWith('2603100310D500,NTRFNONREF', freeText(wrapped(text, 63, 65)));
    expect(line.references).to.deep.equal(['412340000004']);
    const items = itemsOf({ orders, lines: [line] });
    expect(items.map(({ members, state, rule }) => [members.length, state, rule])).to.deep.equal([
      [6, 'matched', 'utr-in-text'],
    ]);
  });

  it('keeps its references for those that look it up, and has those of field 61 as the surest', async () => {
    const details = [':86:FOR 412345678901', '512345678901 AND MORE'];
    const line = await debitWith('2603100310D100,NTRF412345678901', details);
    expect(line.references).to.deep.equal(['412345678901', '512345678901']);
    expect(line.atWraps).to.deep.equal({ words: ['512345678901'], joints: ['412345678901 512345678901'] });
  });

  it('is none by words that are no utr: a payment without one is still found by amount and day', async () => {
    const line = await debitWith('2603100310D100,NTRFNONREF', [':86:FOR INVOICE12', 'OF MARCH']);
    const items = itemsOf({ orders: [paidOut('o', null)], lines: [{ ...line, amount: decimal('100') }] });
    expect(items.map(({ state, rule }) => [state, rule])).to.deep.equal([['matched', 'amount-and-day']]);
  });

  it('is as it was where it is of another format, or of one line', async () => {
    expect(await debitWith('2603100310D100,NTRFNONREF', [':86:FOR 412345678901'])).to.not.have.property('atWraps');
    const line = await debitWith('2603100310D100,NTRFNONREF', [':86:FOR 412345678901', 'X']);
    const { atWraps: _its, ...kept } = line;
    const other = { ...kept, raw: '<Ntry/>' };
    expect(wrappedLine(other)).to.equal(other);
  });
});
