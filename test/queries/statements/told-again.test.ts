import { expect } from 'chai';
import { imported } from '../../support/bank-imports.ts';
import { right } from '../../support/right.ts';
import { routeDoubles } from '../../support/route-dependencies.ts';

/** A booking of September: its day, what it did to the account, and what the bank says of it. */
type Booked = readonly [day: number, change: number, text: string];

const dated = (day: number): string => String(day).padStart(2, '0');

const balance = (amount: number, day: number): string =>
  `${amount < 0 ? 'D' : 'C'}2609${dated(day)}INR${Math.abs(amount)},`;

/** A statement as banks write it, between a balance of a day and what its bookings make of it. */
const statement = (opening: number, openedOn: number, bookings: readonly Booked[]): Buffer =>
  Buffer.from(
    [
      `:20:X${opening}`,
      ':25:12345678',
      `:28C:${Math.abs(opening)}/1`,
      `:60F:${balance(opening, openedOn)}`,
      ...bookings.flatMap(([day, change, text]) => [
        `:61:2609${dated(day)}09${dated(day)}${change < 0 ? 'D' : 'C'}${Math.abs(change)},NMSCNONREF`,
        `:86:${text}`,
      ]),
      `:62F:${balance(
        bookings.reduce((sum, [, change]) => sum + change, opening),
        bookings.reduce((last, [day]) => Math.max(last, day), openedOn),
      )}`,
      '-',
      '',
    ].join('\r\n'),
  );

/** What the ledger has once these are imported one after the other. */
const afterAll = async (files: readonly Buffer[]): Promise<readonly string[]> => {
  const doubles = routeDoubles();
  const { readModels } = doubles;
  for (const file of files) await imported(doubles, file);
  const lines = new Map<string, string>();
  for (const { statementId } of right(await readModels.statements({ after: null, limit: 500 })()).data) {
    for (const line of right(await readModels.statementLines({ statementId, after: null, limit: 500 })()).data)
      lines.set(
        line.lineId,
        `${Number(line.bookedOn.slice(-2))} ${line.direction === 'in' ? '' : '-'}${line.amount} ${line.text}`,
      );
  }
  return [...lines.values()].toSorted();
};

const told = (bookings: readonly Booked[]): readonly string[] =>
  bookings.map(([day, change, text]) => `${day} ${change} ${text}`).toSorted();

/** Either way round: what a file brings must not hang on which one is imported first. */
const expectBooked = async (files: readonly Buffer[], bookings: readonly Booked[]): Promise<void> => {
  expect(await afterAll(files)).to.deep.equal(told(bookings));
  expect(await afterAll(files.toReversed())).to.deep.equal(told(bookings));
};

describe('bookings that several bank files tell', () => {
  it('are as many as its pages have, whatever numbers stand in them and in whatever order the pages come', async () => {
    const transfer: Booked = [10, -5000, 'TRF TO VENDOR A/C 50100123456789'];
    const fee: Booked = [10, -5, 'IMPS CHARGES'];
    const between: Booked = [10, -105, 'UTR 412345678901'];
    const pages = [
      statement(100_000, 10, [transfer, fee]),
      statement(94_995, 10, [between]),
      statement(94_890, 10, [transfer, fee]),
    ];
    const all = [transfer, fee, between, transfer, fee];
    await expectBooked(pages, all);
    expect(await afterAll([0, 2, 1].flatMap((at) => pages[at] ?? []))).to.deep.equal(told(all));
  });

  it('are two where balances that neither of them leads to lie between', async () => {
    const fee: Booked = [10, -5, 'FEE'];
    await expectBooked([statement(900, 9, [fee]), statement(700, 9, [fee])], [fee, fee]);
  });

  it('are two of a file of several days and of one that goes on where it ends', async () => {
    const until: readonly Booked[] = [
      [11, -700, 'PAYOUT'],
      [12, -1000, 'PAYOUT'],
      [12, -5, 'FEE'],
    ];
    const rest: readonly Booked[] = [
      [12, -1000, 'PAYOUT'],
      [12, -5, 'FEE'],
    ];
    await expectBooked([statement(10_000, 10, until), statement(8295, 12, rest)], [...until, ...rest]);
  });

  it('are one where a file may go on where another ends, or have the morning of its last day: the balance has come back', async () => {
    const swept: readonly Booked[] = [
      [11, 300, 'PAYIN'],
      [11, -300, 'SWEEP'],
      [12, 500, 'PAYIN'],
      [12, -500, 'SWEEP'],
    ];
    await expectBooked([statement(0, 10, swept), statement(0, 12, [[12, 500, 'PAYIN']])], swept);
  });

  for (const openedOn of [11, 12]) {
    const dated = `the opening balance is of the ${openedOn}th`;

    it(`count once where one is dated back and the bank sorts by days: a noon's file and the day, ${dated}`, async () => {
      const late: Booked = [11, -1000, 'PAYOUT A'];
      const lateFee: Booked = [11, -5, 'FEE'];
      const fee: Booked = [12, -5, 'FEE'];
      const day: readonly Booked[] = [late, lateFee, fee, fee, [12, -2000, 'PAYOUT B']];
      await expectBooked([statement(10_000, openedOn, [late, fee, fee]), statement(10_000, openedOn, day)], day);
    });

    it(`count once where one is dated back and the bank sorts by days: two files that overlap, ${dated}`, async () => {
      const charge: Booked = [12, -7, 'CHARGE'];
      const both: readonly Booked[] = [
        [12, -300, 'PAYOUT C'],
        [12, -880, 'PAYOUT D'],
      ];
      const behind: readonly Booked[] = [[11, -5, 'FEE'], ...both, [12, -40, 'PAYOUT E']];
      await expectBooked(
        [statement(10_000, openedOn, [charge, ...both]), statement(9993, openedOn, behind)],
        [charge, ...behind],
      );
    });
  }
});
