import { expect } from 'chai';
import { expectBooked, told, toldByAll, toldStatement, type ToldBooking } from '../../support/told-bookings.ts';

describe('bookings that several bank files tell', () => {
  it('are as many as its pages have, whatever numbers stand in them and in whatever order the pages come', async () => {
    const transfer: ToldBooking = [10, -5000, 'TRF TO VENDOR A/C 50100123456789'];
    const fee: ToldBooking = [10, -5, 'IMPS CHARGES'];
    const between: ToldBooking = [10, -105, 'UTR 412345678901'];
    const pages = [
      toldStatement(100_000, 10, [transfer, fee]),
      toldStatement(94_995, 10, [between]),
      toldStatement(94_890, 10, [transfer, fee]),
    ];
    const all = [transfer, fee, between, transfer, fee];
    await expectBooked(pages, all);
    expect(await toldByAll([0, 2, 1].flatMap((at) => pages[at] ?? []))).to.deep.equal(told(all));
  });

  it('are two where balances that neither of them leads to lie between', async () => {
    const fee: ToldBooking = [10, -5, 'FEE'];
    await expectBooked([toldStatement(900, 9, [fee]), toldStatement(700, 9, [fee])], [fee, fee]);
  });

  it('are two of a file of several days and of one that goes on where it ends', async () => {
    const until: readonly ToldBooking[] = [
      [11, -700, 'PAYOUT'],
      [12, -1000, 'PAYOUT'],
      [12, -5, 'FEE'],
    ];
    const rest: readonly ToldBooking[] = [
      [12, -1000, 'PAYOUT'],
      [12, -5, 'FEE'],
    ];
    await expectBooked([toldStatement(10_000, 10, until), toldStatement(8295, 12, rest)], [...until, ...rest]);
  });

  it('are one where a file may go on where another ends, or have the morning of its last day: the balance has come back', async () => {
    const swept: readonly ToldBooking[] = [
      [11, 300, 'PAYIN'],
      [11, -300, 'SWEEP'],
      [12, 500, 'PAYIN'],
      [12, -500, 'SWEEP'],
    ];
    await expectBooked([toldStatement(0, 10, swept), toldStatement(0, 12, [[12, 500, 'PAYIN']])], swept);
  });

  for (const openedOn of [11, 12]) {
    const dated = `the opening balance is of the ${openedOn}th`;

    it(`count once where one is dated back and the bank sorts by days: a noon's file and the day, ${dated}`, async () => {
      const late: ToldBooking = [11, -1000, 'PAYOUT A'];
      const lateFee: ToldBooking = [11, -5, 'FEE'];
      const fee: ToldBooking = [12, -5, 'FEE'];
      const day: readonly ToldBooking[] = [late, lateFee, fee, fee, [12, -2000, 'PAYOUT B']];
      await expectBooked(
        [toldStatement(10_000, openedOn, [late, fee, fee]), toldStatement(10_000, openedOn, day)],
        day,
      );
    });

    it(`count once where one is dated back and the bank sorts by days: two files that overlap, ${dated}`, async () => {
      const charge: ToldBooking = [12, -7, 'CHARGE'];
      const both: readonly ToldBooking[] = [
        [12, -300, 'PAYOUT C'],
        [12, -880, 'PAYOUT D'],
      ];
      const behind: readonly ToldBooking[] = [[11, -5, 'FEE'], ...both, [12, -40, 'PAYOUT E']];
      await expectBooked(
        [toldStatement(10_000, openedOn, [charge, ...both]), toldStatement(9993, openedOn, behind)],
        [charge, ...behind],
      );
    });
  }

  for (const [what, inTheEvening] of [
    ['a text', [10, -59, 'CHARGE INCL GST']],
    ['an amount', [10, -60, 'CHARGE']],
    ['a day', [11, -59, 'CHARGE']],
  ] as const) {
    it(`count once where the bank amended ${what} of one between two files that have the day from its beginning`, async () => {
      const rent: ToldBooking = [9, -4321, 'RENT'];
      const fee: ToldBooking = [10, -5, 'FEE'];
      const payouts: readonly ToldBooking[] = [1, 2, 3].map((of) => [10, -2000 - of, `PAYOUT ${of}`]);
      const charge: ToldBooking = [10, -59, 'CHARGE'];
      const behind: readonly ToldBooking[] = [fee, [10, -500, 'LATER'], [11, -600, 'NEXT']];
      const noon = [...payouts, fee, charge];
      const evening: readonly ToldBooking[] = [...payouts, fee, inTheEvening, ...behind];
      const all = [rent, charge, ...evening];
      const sorted = evening.toSorted(([a], [b]) => a - b);
      await expectBooked([toldStatement(100_000, 9, [rent, ...noon]), toldStatement(95_679, 10, sorted)], all);
      await expectBooked([toldStatement(95_679, 10, noon), toldStatement(100_000, 9, [rent, ...sorted])], all);
    });
  }

  it('count once where something was dated back between two files, to a day that neither shows so', async () => {
    const rent: ToldBooking = [9, -4321, 'RENT'];
    const payouts: readonly ToldBooking[] = [1, 2, 3].map((of) => [10, -2000 - of, `PAYOUT ${of}`]);
    const later: ToldBooking = [10, -500, 'LATER'];
    const next: ToldBooking = [11, -600, 'NEXT'];
    const until = toldStatement(100_000, 9, [rent, ...payouts]);
    await expectBooked([until, toldStatement(95_672, 10, [...payouts, later, next])], [rent, ...payouts, later, next]);
  });

  it('are as many as the pages of a day have that say the same, each of which opens with what another closed with', async () => {
    const page: readonly ToldBooking[] = [
      [10, -1000, 'PAYOUT RAVI'],
      [10, -5, 'FEE'],
      [10, -1, 'GST'],
    ];
    const pages = Array.from({ length: 4 }, (_, of) => toldStatement(100_000 - 1006 * of, 10, page));
    await expectBooked(pages, [...page, ...page, ...page, ...page]);
  });

  it('count once in a page of a long day and in the whole of it, where the page opens with what a sweep left, and so the day closed', async () => {
    const morning = Array.from({ length: 17 }, (_, of): ToldBooking => [10, -1013 - 37 * of, `PAYOUT ${of}`]);
    const left = morning.reduce((sum, [, change]) => sum + change, 100_000);
    const page: readonly ToldBooking[] = [
      [10, 50_000, 'FUNDING'],
      [10, -7001, 'PAYOUT AFTERNOON'],
      [10, -5, 'FEE'],
    ];
    const returned: readonly ToldBooking[] = [
      [10, -500, 'STANDING ORDER'],
      [10, 500, 'RETURNED'],
    ];
    const evening = Array.from({ length: 17 }, (_, of): ToldBooking => [10, -1011 - 41 * of, `LATER ${of}`]);
    for (const its of [page, [...page, ...returned]]) {
      const behind = [...its, ...evening].reduce((sum, [, change]) => sum + change, 0);
      const day: readonly ToldBooking[] = [
        ...morning,
        [10, -left, 'SWEEP'],
        ...its,
        ...evening,
        [10, -behind, 'SWEEP'],
      ];
      await expectBooked([toldStatement(0, 10, its), toldStatement(100_000, 10, day)], day);
    }
  });

  it('are two where the balance is told so, though a file sorted by days could hide that the second was there', async () => {
    const eve: ToldBooking = [9, -200, 'RENT'];
    const returned: ToldBooking = [9, 5, 'RETURNED'];
    const fee: ToldBooking = [10, -5, 'FEE'];
    const next: ToldBooking = [10, -5, 'FEE'];
    // Had the return been booked behind the fee and dated back, these very files would tell of one fee.
    const asBooked = [toldStatement(1000, 9, [eve, returned, fee]), toldStatement(800, 10, [next])];
    const [rent, later, dated]: readonly [ToldBooking, ToldBooking, ToldBooking] = [eve, fee, returned];
    const sorted = [rent, later, dated].toSorted(([a], [b]) => a - b);
    const datedBack = [toldStatement(1000, 9, sorted), toldStatement(800, 10, [later])];
    expect(datedBack).to.deep.equal(asBooked);
    await expectBooked(asBooked, [eve, returned, fee, next]);
  });

  it('are those of both pages of a day where a payment and its return could be in both, and a fee could not', async () => {
    const page = (of: number): readonly ToldBooking[] => [
      [10, -1000 - of, `PAYOUT ${of}`],
      [10, -5, 'FEE'],
      [10, -2000 - of, `PAYOUT ${of}`],
      [10, -5, 'FEE'],
      [10, -500, 'STANDING ORDER'],
      [10, 500, 'RETURNED'],
    ];
    const [one, other] = [page(1), page(2)];
    const booked = [...one, ...other].filter(([, , text], at) => at < one.length || !/STANDING|RETURNED/.test(text));
    await expectBooked([toldStatement(100_000, 10, one), toldStatement(96_988, 10, other)], booked);
  });
});
