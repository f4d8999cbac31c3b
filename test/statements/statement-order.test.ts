import { expect } from 'chai';
import * as fc from 'fast-check';
import { openStatement } from '../../src/statements/opened-statement.ts';
import type { StatementFormat } from '../../src/statements/statement-format.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';
import { runs } from '../support/runs.ts';

/** A statement of a test: its day of November, what the account had before, what each booking changed, and whether it is a page. */
type Written = {
  readonly day: number;
  readonly opening: number;
  readonly changes: readonly number[];
  readonly isFollowing?: boolean;
  readonly isFollowed?: boolean;
};

const closingOf = ({ opening, changes }: Written): number => changes.reduce((sum, change) => sum + change, opening);

const dated = (day: number): string => String(day).padStart(2, '0');

const mt940 = (written: Written): string => {
  const { day, opening, changes, isFollowing = false, isFollowed = false } = written;
  const balance = (amount: number): string => `${amount < 0 ? 'D' : 'C'}2611${dated(day)}INR${Math.abs(amount)},`;
  return [
    ':20:X',
    ':25:ACC',
    `:60${isFollowing ? 'M' : 'F'}:${balance(opening)}`,
    ...changes.map((by) => `:61:2611${dated(day)}11${dated(day)}${by < 0 ? 'D' : 'C'}${Math.abs(by)},NTRFNONREF`),
    `:62${isFollowed ? 'M' : 'F'}:${balance(closingOf(written))}`,
    '-\n',
  ].join('\n');
};

const camt = (written: Written): string => {
  const { day, opening, changes, isFollowing = false, isFollowed = false } = written;
  const date = `<Dt>2026-11-${dated(day)}</Dt>`;
  const figure = (by: number): string =>
    `<Amt Ccy="INR">${Math.abs(by)}</Amt><CdtDbtInd>${by < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
  const balance = (code: string, amount: number): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${figure(amount)}<Dt>${date}</Dt></Bal>`;
  const entries = changes.map((by) => `<Ntry>${figure(by)}<Sts>BOOK</Sts><BookgDt>${date}</BookgDt></Ntry>`);
  const days = `<FrToDt><FrDtTm>2026-11-${dated(day)}T00:00:00</FrDtTm><ToDtTm>2026-11-${dated(day)}T23:59:59</ToDtTm></FrToDt>`;
  const [first, last] = [isFollowing ? 'ITBD' : 'OPBD', isFollowed ? 'ITBD' : 'CLBD'];
  return (
    `<Stmt>${days}<Acct><Id><IBAN>DE1</IBAN></Id><Ccy>INR</Ccy></Acct>` +
    `${balance(first, opening)}${balance(last, closingOf(written))}${entries.join('')}</Stmt>`
  );
};

const FORMATS: readonly (readonly [StatementFormat, (all: readonly Written[]) => string])[] = [
  ['mt940', (all) => all.map(mt940).join('')],
  ['camt.053', (all) => `<Document><BkToCstmrStmt>${all.map(camt).join('')}</BkToCstmrStmt></Document>`],
];

/** What the file says as a whole, or the field for which it is refused. */
const said = async (format: StatementFormat, text: string) => {
  const read = await openStatement(Buffer.from(text), { format, profile: null, account: null, currency: null });
  if (isUnreadable(read)) return read.field;
  const { opening, closing, from, to, lines, accounts } = read.facts;
  const only = accounts[0] ?? expect.fail();
  expect(accounts).to.have.length(1);
  expect(only).to.include({ opening, closing, from, to, lines });
  return { opening, closing, from, to, coveredFrom: only.coveredFrom, coveredTo: only.coveredTo, lines };
};

const november = (day: number): string => `2026-11-${dated(day)}`;

/** What a file of statements says, which are given here in their order in time. */
const truth = (all: readonly Written[]) => {
  const [first, last] = [all[0] ?? expect.fail(), all.at(-1) ?? expect.fail()];
  const [from, to] = [november(first.day), november(last.day)];
  const balances = { opening: String(first.opening), closing: String(closingOf(last)) };
  const lines = all.reduce((sum, { changes }) => sum + changes.length, 0);
  return { ...balances, from, to, coveredFrom: from, coveredTo: to, lines };
};

/** The balances at which statements may begin, found by trying every order in which the days do not go back. */
const possibleStarts = (all: readonly Written[]): ReadonlySet<number> => {
  const follows = (left: readonly Written[], day: number, balance: number): boolean =>
    left.length === 0 ||
    left.some(
      (next, at) =>
        next.opening === balance &&
        next.day >= day &&
        left.every((other) => other.day >= next.day) &&
        follows(left.toSpliced(at, 1), next.day, closingOf(next)),
    );
  return new Set(all.map(({ opening }) => opening).filter((opening) => follows(all, 0, opening)));
};

const page = (day: number, opening: number, ...changes: readonly number[]): Written => ({ day, opening, changes });

const expectBackwards = async (all: readonly Written[]): Promise<void> => {
  for (const [format, write] of FORMATS) {
    expect(await said(format, write(all)), format).to.deep.equal(truth(all));
    expect(await said(format, write(all.toReversed())), `${format}, newest first`).to.deep.equal(truth(all));
  }
};

/** Statements of some days, one behind the other: few figures, so that balances come back, and as many empty ones as banks send. */
const histories = fc
  .array(
    fc.record({
      later: fc.constantFrom(0, 0, 1),
      changes: fc.array(fc.constantFrom(-5, 5, 10, -10), { maxLength: 3 }),
    }),
    { minLength: 2, maxLength: 6 },
  )
  .map((parts) => {
    let [day, opening] = [1, 100];
    return parts.map(({ later, changes }): Written => {
      day += later;
      const written = { day, opening, changes };
      opening = closingOf(written);
      return written;
    });
  })
  // The same statement twice is refused, whatever its place.
  .filter((all) => {
    const booked = all.filter(({ changes }) => changes.length > 0).map(mt940);
    return new Set(booked).size === booked.length;
  });

describe('the statements of a file', () => {
  it('say the same newest first: the opening of the first in time, the closing of the last, and all days', async () => {
    await expectBackwards([page(2, 100, -5), page(2, 95, -5)]);
    await expectBackwards([page(1, 100, -5), page(2, 95, -7), page(3, 88)]);
    await expectBackwards([page(1, 0, 5), page(2, 5, 7, -7), page(2, 5, -9)]);
    await expectBackwards([page(1, 100), page(1, 100, -5), page(4, 95, 1, -1), page(4, 95)]);
  });

  it('say the same in any order, and no balance where they come back to it and nothing tells which came first', async () => {
    await fc.assert(
      fc.asyncProperty(
        histories.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray([...all], { minLength: all.length, maxLength: all.length })),
        ),
        async ([all, shuffled]) => {
          const told = truth(all);
          for (const [format, write] of FORMATS) {
            const inTime = await said(format, write(all));
            expect(await said(format, write(shuffled)), format).to.deep.equal(inTime);
            expect(inTime, format).to.deep.equal(
              possibleStarts(all).size === 1 ? told : { ...told, opening: null, closing: null },
            );
          }
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it('that come back to where they were begin on their first day, or with the page that is no other one’s next', async () => {
    await expectBackwards([page(1, 100, -5), page(2, 95, 5)]);
    await expectBackwards([page(1, 100), page(2, 100, -5), page(2, 95, 5)]);
    await expectBackwards([page(1, 100, -5), page(1, 95, 5), page(2, 100, -3), page(2, 97, 3)]);
    await expectBackwards([page(1, 100, -5), page(1, 95, -5), page(2, 90, 10)]);
    await expectBackwards([
      { ...page(2, 0, 500), isFollowed: true },
      { ...page(2, 500, 20), isFollowing: true, isFollowed: true },
      { ...page(2, 520, -520), isFollowing: true },
    ]);
    for (const [format, write] of FORMATS)
      for (const all of [
        [page(1, 100, -5), page(1, 95, 5)],
        [page(1, 95, 5), page(1, 100, -5)],
      ])
        expect(await said(format, write(all)), format).to.include({ opening: null, closing: null, lines: 2 });
  });

  it('are from the day of the first to that of the last in their chain, whatever those between say', async () => {
    // Banks date field 60 of a page with the day of a balance long before.
    const odd = [page(3, 100, -5), page(1, 95, -5), page(4, 90, -5)];
    const contradictory = [page(3, 100, -5), page(2, 95, -5)];
    for (const [format, write] of FORMATS) {
      for (const all of [odd, odd.toReversed(), [odd[1], odd[2], odd[0]].flatMap((one) => one ?? [])])
        expect(await said(format, write(all)), format).to.deep.equal({ ...truth(odd), coveredFrom: november(1) });
      for (const all of [contradictory, contradictory.toReversed()])
        expect(await said(format, write(all)), format).to.include({
          opening: '100',
          from: november(2),
          to: november(3),
        });
    }
    const undated = camt(page(2, 95, -5)).replace(/<FrToDt>.*<\/FrToDt>/, '');
    for (const all of [camt(page(1, 100, -5)) + undated, undated + camt(page(1, 100, -5))])
      expect(await said('camt.053', `<Document><BkToCstmrStmt>${all}</BkToCstmrStmt></Document>`)).to.include({
        from: november(1),
        to: null,
        coveredTo: november(2),
      });
  });

  it('are refused where one leads nowhere, though it changed nothing', async () => {
    for (const [format, write] of FORMATS)
      for (const apart of [page(2, 50), page(2, 50, 5, -5)]) {
        expect(await said(format, write([page(1, 100, -5), apart])), format).to.equal('balance');
        expect(await said(format, write([apart, page(1, 100, -5), page(1, 95, 5)])), format).to.equal('balance');
      }
  });

  it('are refused where two begin at one balance and end at one, which would count a booking twice', async () => {
    const twice = [page(1, 100, 50), page(2, 100, 50)];
    for (const [format, write] of FORMATS)
      for (const all of [twice, twice.toReversed(), [...twice, page(3, 150, 5)]])
        expect(await said(format, write(all)), format).to.equal('balance');
  });

  it('say no balances that their lines do not lead from one to the other, where a page has but one', async () => {
    const [first, last] = [camt(page(1, 100, -5)), camt(page(2, 95, -5))];
    const without = (text: string, code: string): string =>
      text.replace(new RegExp(`<Bal><Tp><CdOrPrtry><Cd>${code}.*?</Bal>`), '');
    const file = (...all: readonly string[]): string =>
      `<Document><BkToCstmrStmt>${all.join('')}</BkToCstmrStmt></Document>`;
    const pages = [without(first, 'CLBD'), without(last, 'OPBD')];
    const told = truth([page(1, 100, -5), page(2, 95, -5)]);
    expect(await said('camt.053', file(...pages))).to.deep.equal(told);
    expect(await said('camt.053', file(...pages.toReversed()))).to.deep.equal(told);
    const wrong = without(camt(page(2, 90, -5)), 'OPBD');
    expect(await said('camt.053', file(pages[0] ?? '', wrong))).to.include({ opening: null, closing: null });
  });

  it('say no balances that come back on days that do not tell which came first, where a page has but one', async () => {
    const pages = (firstDay: number, lastDay: number): readonly string[] => [
      camt(page(firstDay, 100, -5)).replace(/<Bal><Tp><CdOrPrtry><Cd>CLBD.*?<\/Bal>/, ''),
      camt(page(lastDay, 95, 5)),
    ];
    const file = (all: readonly string[]): string =>
      `<Document><BkToCstmrStmt>${all.join('')}</BkToCstmrStmt></Document>`;
    // Of one day, the account may as well have had 95 before.
    expect(await said('camt.053', file(pages(1, 1)))).to.include({ opening: null, closing: null, lines: 2 });
    for (const all of [pages(1, 2), pages(1, 2).toReversed()])
      expect(await said('camt.053', file(all))).to.include({ opening: '100', closing: '100' });
    const idle = [camt(page(1, 100)).replace(/<Bal><Tp><CdOrPrtry><Cd>CLBD.*?<\/Bal>/, ''), camt(page(1, 100))];
    expect(await said('camt.053', file(idle))).to.include({ opening: '100', closing: '100' });
  });
});
