import { expect } from 'chai';
import fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import type { BusinessDay } from '../../src/domain/business-day.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import { exactOrd, plus, ZERO } from '../../src/domain/exact.ts';
import type { AccountName, BankLine, CurrencyCode } from '../../src/domain/statement-line.ts';
import { boundedLine } from '../../src/statements/bounded-line.ts';
import { signed } from '../../src/statements/check-balances.ts';
import { LineKeeper, MOST_OPEN_LINES } from '../../src/statements/line-keeper.ts';
import { LinesInOrder } from '../../src/statements/lines-in-order.ts';

const ENOUGH = 100_000_000;

const text = fc.string({ unit: fc.constantFrom('a', '"', '\n', 'é', '😀', '\ud800', ' '), maxLength: 12 });

const aLine: fc.Arbitrary<BankLine> = fc
  .record({
    day: fc.integer({ min: 10, max: 28 }),
    amount: fc.integer({ min: 0, max: 99_999 }),
    out: fc.boolean(),
    references: fc.array(text, { maxLength: 3 }),
    own: fc.boolean(),
    text,
    raw: text,
  })
  .map(({ day, amount, out, references, own, ...said }) => ({
    account: branded<AccountName>('A'),
    currency: branded<CurrencyCode>('EUR'),
    bookedOn: branded<BusinessDay>(`2026-02-${day}`),
    valueOn: branded<BusinessDay>('2026-02-10'),
    amount: branded<Decimal>((amount / 100).toFixed(2)),
    direction: out ? 'out' : 'in',
    reversal: false,
    references,
    ...(own ? { ownReferences: references.slice(1) } : {}),
    ...said,
  }));

/** Lines of several statements, some of which have very many. */
const statements = fc.array(
  fc
    .tuple(fc.array(aLine, { minLength: 1, maxLength: 8 }), fc.constantFrom(1, 1, 2, 90))
    .map(([lines, times]) => Array.from({ length: times }, () => lines).flat()),
  { minLength: 1, maxLength: 5 },
);

const keptOf = (keeper: LineKeeper, all: readonly (readonly BankLine[])[]) =>
  all.map((lines) => {
    const kept = keeper.begin();
    for (const line of lines) kept.add(line);
    return kept;
  });

describe('lines of a bank file that are kept packed', () => {
  it('are what they were, in parts and as a whole, and say the same of all', () => {
    fc.assert(
      fc.property(statements, (all) => {
        const kept = keptOf(new LineKeeper(ENOUGH), all);
        for (const [at, lines] of all.entries()) {
          const its = kept[at] ?? expect.fail();
          expect([...its]).to.deep.equal(lines.map(boundedLine));
          expect([...its.parts()].flat()).to.deep.equal([...its]);
          const days = lines.map(({ bookedOn }) => bookedOn).toSorted();
          expect([its.length, its.firstDay, its.lastDay]).to.deep.equal([lines.length, days[0], days.at(-1)]);
          const sum = lines.reduce((reached, line) => plus(reached, signed(line)), ZERO);
          expect(exactOrd.equals(its.sum, sum)).to.equal(true);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('are had some at a time from any of them on, also from one before those that were had last', () => {
    fc.assert(
      fc.property(
        statements,
        fc.array(fc.tuple(fc.nat(800), fc.nat(300)), { minLength: 1, maxLength: 8 }),
        (all, asked) => {
          const whole = all.flat().map(boundedLine);
          const inOrder = new LinesInOrder(keptOf(new LineKeeper(ENOUGH), all));
          for (const [from, most] of asked)
            expect(inOrder.from(from, most)).to.deep.equal(whole.slice(from, from + most));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are in memory as objects a few thousand at a time, however many accounts they are of by turns', () => {
    const [line = expect.fail()] = fc.sample(aLine, { numRuns: 1, seed: 1 });
    for (const accounts of [1, 7, 3_000]) {
      const keeper = new LineKeeper(ENOUGH);
      const kept = Array.from({ length: accounts }, () => keeper.begin());
      let most = 0;
      for (let at = 0; at < 20_000; at += 1) {
        kept[at % accounts]?.add(line);
        most = Math.max(most, keeper.openLines);
      }
      expect(most, `of ${accounts} accounts`).to.be.at.most(MOST_OPEN_LINES);
      expect(kept.reduce((sum, { length }) => sum + length, 0)).to.equal(20_000);
      // One behind the other, as in most files, they are packed as soon as some hundred are there.
      if (accounts === 1) expect(most).to.be.at.most(256);
    }
  });

  it('are kept no more where they repeat their words beyond what the file may', () => {
    const [line = expect.fail()] = fc.sample(aLine, { numRuns: 1, seed: 1 });
    const keeper = new LineKeeper(10_000);
    const kept = keeper.begin();
    for (let at = 0; at < 9; at += 1) kept.add({ ...line, references: [], text: 'x'.repeat(1_000), raw: '' });
    expect([keeper.overfull, kept.length]).to.deep.equal([null, 9]);
    for (let at = 0; at < 1_000; at += 1) kept.add({ ...line, references: [], text: 'x'.repeat(1_000), raw: '' });
    expect(keeper.overfull).to.include({ _tag: 'StatementUnreadable', field: 'size' });
    expect(kept.length).to.equal(10);
  });
});
