import { expect } from 'chai';
import { branded } from '../../src/domain/brand.ts';
import type { BusinessDay } from '../../src/domain/business-day.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import type { Sha256 } from '../../src/domain/ids.ts';
import type { AccountName, CurrencyCode } from '../../src/domain/statement-line.ts';
import { accountPart, type AccountPart, type PartLine } from '../../src/statements/account-part.ts';
import { timesBooked } from '../../src/statements/times-booked.ts';

/** A booking of a bank, in whole units: fees that are equal, receipts of two amounts, payouts of which no two are. */
type Booked = { readonly day: BusinessDay; readonly change: number };

const DAYS = ['2026-10-05', '2026-10-06'].map((day) => branded<BusinessDay>(day));
const OPENING = 10_000_000;
const noTurns = (): Promise<void> => Promise.resolve();
const contentOf = ({ day, change }: Booked): Sha256 => branded<Sha256>(`${day}:${change}`);

/** The same few amounts in and out, so that the account has each balance again and again. */
const payments = (pages: number): readonly Booked[] =>
  DAYS.flatMap((day, seed) => {
    const its: Booked[] = [];
    // Numbers that look drawn, and are the same ones each time.
    for (let number = 7 + seed; its.length < 2 * pages; number = (number * 75 + 74) % 65_537) {
      const amount = 500 * (1 + (Math.floor(number / 7) % 5));
      its.push({ day, change: Math.floor(number / 64) % 2 === 0 ? amount : -amount });
    }
    return its;
  });

const bookings = (pages: number): readonly Booked[] =>
  DAYS.flatMap((day) =>
    Array.from({ length: 2 * pages }, (_, at): Booked => {
      const changes = [-500, -10_000 - 37 * at, -500, at % 8 === 3 ? 50_000 : 100_010, -1_000];
      return { day, change: changes[at % changes.length] ?? 0 };
    }),
  );

/** How a file lists its bookings. */
type Listing = (its: readonly Booked[]) => readonly Booked[];

const IN_ORDER: Listing = (its) => its;
const BY_AMOUNT: Listing = (its) =>
  its.toSorted((a, b) => (a.day === b.day ? a.change - b.change : a.day < b.day ? -1 : 1));

const partOf = async (
  all: readonly Booked[],
  [from, to]: readonly [number, number],
  listing: Listing,
): Promise<readonly AccountPart[]> => {
  const its = all.slice(from, to);
  const lines = listing(its).map((booked, index): PartLine => ({
    index,
    bookedOn: booked.day,
    amount: branded<Decimal>(String(Math.abs(booked.change))),
    direction: booked.change < 0 ? 'out' : 'in',
    content: contentOf(booked),
  }));
  const balanceAt = (at: number): number => all.slice(0, at).reduce((sum, { change }) => sum + change, OPENING);
  const [first, last] = [its[0]?.day ?? null, its.at(-1)?.day ?? null];
  const part = await accountPart(
    {
      account: branded<AccountName>('1'),
      currency: branded<CurrencyCode>('INR'),
      from: first,
      to: last,
      opening: branded<Decimal>(String(balanceAt(from))),
      closing: branded<Decimal>(String(balanceAt(to))),
      lines: lines.length,
      coveredFrom: first,
      coveredTo: last,
    },
    lines,
    noTurns,
  );
  return part === null ? [] : [part];
};

/** Pages of two lines each, a file of each day, and the month to date, which list them in some way. */
const filesOf = async (all: readonly Booked[], listing: Listing): Promise<readonly AccountPart[]> => {
  const pages = Array.from({ length: all.length / 2 }, (_, at): readonly [number, number] => [2 * at, 2 * at + 2]);
  const half = all.length / 2;
  const wholes: readonly (readonly [number, number])[] = [
    [0, half],
    [half, all.length],
    [0, all.length],
  ];
  const parts: AccountPart[] = [];
  for (const page of pages) parts.push(...(await partOf(all, page, IN_ORDER)));
  for (const whole of wholes) parts.push(...(await partOf(all, whole, listing)));
  return parts;
};

/** The pieces of work that the counting of some pages takes, each of which others may have their turn behind. */
const workOf = async (pages: number, listing: Listing): Promise<number> => {
  const all = bookings(pages);
  const files = await filesOf(all, listing);
  let pieces = 0;
  const times = await timesBooked(files, () => {
    pieces += 1;
    return Promise.resolve();
  });
  for (const [content, its] of Map.groupBy(all, contentOf)) expect(await times(content), content).to.equal(its.length);
  return pieces;
};

const countsBeside = async (all: readonly Booked[], listing: Listing): Promise<void> => {
  const times = await timesBooked(await filesOf(all, listing), noTurns);
  for (const [content, its] of Map.groupBy(all, contentOf)) expect(await times(content), content).to.equal(its.length);
};

/** The month to date behind the pages of two days took half a minute of these, and three days of twice as many no end. */
describe('many small pages of a day, a file of all of it, and the month to date', () => {
  for (const [name, listing] of [
    ['list it in one order', IN_ORDER],
    ['list it by amounts', BY_AMOUNT],
  ] as const) {
    it(`are counted as the bank booked them, in a time that grows as their lines do, where they ${name}`, async () => {
      const [some, many] = [await workOf(20, listing), await workOf(80, listing)];
      expect(many).to.be.below(8 * some);
      expect(many).to.be.below(100_000);
    });
  }

  it('are counted as the bank booked them where the account comes back to what it had again and again', async () => {
    await countsBeside(payments(100), IN_ORDER);
  });

  it('are no more than the bank booked where the account comes back so and the files of a day list it by amounts', async () => {
    await countsBeside(payments(100), BY_AMOUNT);
  });
});
