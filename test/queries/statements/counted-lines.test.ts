import { expect } from 'chai';
import * as fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { imported } from '../../support/bank-imports.ts';
import { asBeforeTheKey } from '../../support/former-line-ids.ts';
import { right } from '../../support/right.ts';
import { routeDoubles, type RouteDoubles } from '../../support/route-dependencies.ts';
import { runs } from '../../support/runs.ts';

/** A booking of a bank: what it did to the account, in whole units, on a day of September. */
type Booked = { readonly day: number; readonly change: number };

/** The place of a statement among the bookings: its first one, and the one behind its last. */
type Cut = readonly [number, number];

const balanceAt = (bookings: readonly Booked[], at: number): number =>
  bookings.slice(0, at).reduce((sum, { change }) => sum + change, 1000);

const dated = (day: number): string => String(day).padStart(2, '0');

const balance = (amount: number, day: number): string =>
  `${amount < 0 ? 'D' : 'C'}2609${dated(day)}INR${Math.abs(amount)},`;

const entriesOf = (bookings: readonly Booked[]): readonly string[] =>
  bookings.flatMap(({ day, change }) => [
    `:61:2609${dated(day)}09${dated(day)}${change < 0 ? 'D' : 'C'}${Math.abs(change)},NMSCNONREF`,
    ':86:BANK FEE',
  ]);

/** A statement as the bank writes it; its number makes it a file of its own. */
const statement = (opening: string, entries: readonly string[], closing: string, number = 1): Buffer =>
  Buffer.from(
    [
      `:20:X${number}`,
      ':25:12345678',
      `:28C:${number}/1`,
      `:60F:${opening}`,
      ...entries,
      `:62F:${closing}`,
      '-',
      '',
    ].join('\r\n'),
  );

/** How a file lists the bookings of a statement, given the oldest one first. */
type Listing = (bookings: readonly Booked[]) => readonly Booked[];

const OLDEST_FIRST: Listing = (bookings) => bookings;
const NEWEST_FIRST: Listing = (bookings) => bookings.toReversed();
/** As it comes within a day, days one behind the other. */
const SHUFFLED =
  (order: readonly number[]): Listing =>
  (bookings) =>
    bookings
      .map((booked, at) => ({ booked, by: order[at] ?? 0 }))
      .toSorted((a, b) => (a.booked.day === b.booked.day ? a.by - b.by : a.booked.day - b.booked.day))
      .map(({ booked }) => booked);

const cutOut = (bookings: readonly Booked[], [from, to]: Cut, number = 1, listed: Listing = OLDEST_FIRST): Buffer => {
  const dayAt = (at: number): number => (bookings[at] ?? bookings.at(-1))?.day ?? 10;
  return statement(
    balance(balanceAt(bookings, from), dayAt(Math.max(0, from - 1))),
    entriesOf(listed(bookings.slice(from, to))),
    balance(balanceAt(bookings, to), dayAt(Math.max(from, to - 1))),
    number,
  );
};

const textOf = ({ day, change }: Booked): string => `${day} ${change}`;

/** What the ledger has of bookings, each as often as it counts. */
const inLedger = async ({ readModels }: RouteDoubles): Promise<readonly string[]> => {
  const files = right(await readModels.statements({ after: null, limit: 500 })()).data;
  const lines = new Map<string, string>();
  for (const { statementId } of files) {
    for (const line of right(await readModels.statementLines({ statementId, after: null, limit: 500 })()).data)
      lines.set(line.lineId, `${Number(line.bookedOn.slice(-2))} ${line.direction === 'in' ? '' : '-'}${line.amount}`);
  }
  return [...lines.values()].toSorted();
};

/** @param former how many of the first files a program imported that gave ids without a key */
const afterAll = async (files: readonly Buffer[], former = 0): Promise<readonly string[]> => {
  let doubles = routeDoubles();
  let fresh = 0;
  for (const [at, file] of files.entries()) {
    if (at === former && at > 0) doubles = await asBeforeTheKey(doubles);
    fresh += (await imported(doubles, file)).statement.newLines;
  }
  const lines = await inLedger(doubles);
  if (new Set(files.map(String)).size === files.length) expect(fresh).to.equal(lines.length);
  return lines;
};

const covered = (bookings: readonly Booked[], cuts: readonly Cut[]): readonly string[] =>
  bookings
    .filter((_, at) => cuts.some(([from, to]) => from <= at && at < to))
    .map(textOf)
    .toSorted();

/** Whether a statement opens with the balance that another one closes with, and is not the one behind it: by chance they look so. */
const opensWhereAnotherCloses = (bookings: readonly Booked[], cuts: readonly Cut[]): boolean =>
  cuts.some(([from]) => cuts.some(([, to]) => from !== to && balanceAt(bookings, from) === balanceAt(bookings, to)));

/** Bookings of some days, one after the other, and statements cut out of them. */
const scene = (change: fc.Arbitrary<number>, lastDay = 13) =>
  fc
    .array(fc.record({ day: fc.integer({ min: 10, max: lastDay }), change }), { minLength: 1, maxLength: 12 })
    .map((bookings) => bookings.toSorted((a, b) => a.day - b.day))
    .chain((bookings) =>
      fc.record({
        bookings: fc.constant(bookings),
        cuts: fc.array(
          fc
            .tuple(fc.nat(bookings.length), fc.nat(bookings.length))
            .map(([a, b]): Cut => [Math.min(a, b), Math.max(a, b)]),
          { minLength: 1, maxLength: 6 },
        ),
      }),
    );

/** Fees among amounts of which no sum is another one's, so that no balance comes back. */
const amongUniqueAmounts = (bookings: readonly Booked[]): readonly Booked[] =>
  bookings.map(({ day, change }, at) => ({ day, change: change === -5 ? -5 : change * 1000 * 2 ** at }));

/** Statements that follow one another, of one day each, of all or of some of the bookings, and files that have some days whole, each day in any order. */
const pagesAndWholes = (change: fc.Arbitrary<number>, told = (bookings: readonly Booked[]) => bookings) =>
  fc
    .array(fc.record({ day: fc.integer({ min: 10, max: 12 }), change }), { minLength: 2, maxLength: 9 })
    .map((bookings) => told(bookings.toSorted((a, b) => a.day - b.day)))
    .chain((bookings) => {
      const shuffled = fc.shuffledSubarray([...bookings.keys()], { minLength: bookings.length });
      return fc.record({
        bookings: fc.constant(bookings),
        pages: fc
          .subarray([...bookings.keys()].slice(1))
          .map(
            (at) =>
              new Set(
                [...at, ...bookings.keys()].filter(
                  (one) => one > 0 && (at.includes(one) || bookings[one]?.day !== bookings[one - 1]?.day),
                ),
              ),
          )
          .map((at) => [0, ...[...at].toSorted((a, b) => a - b), bookings.length])
          .map((at) => at.slice(1).map((to, page): Cut => [at[page] ?? 0, to])),
        left: fc.array(fc.nat(9), { maxLength: 2 }),
        wholes: fc.array(
          fc.record({
            days: fc.constantFrom<readonly number[]>([10], [11], [12], [10, 11], [10, 11, 12]),
            order: shuffled,
          }),
          { minLength: 1, maxLength: 2 },
        ),
        isFirst: fc.array(fc.double({ noNaN: true }), { minLength: 12, maxLength: 12 }),
      });
    })
    .map(({ bookings, pages, left, wholes, isFirst }) => {
      const cuts = pages.filter((_, at) => !left.includes(at));
      const files = wholes.flatMap(({ days, order }, number) => {
        const [from, to] = [
          bookings.findIndex(({ day }) => days.includes(day)),
          bookings.findLastIndex(({ day }) => days.includes(day)) + 1,
        ];
        if (from === -1) return [];
        cuts.push([from, to]);
        const listed = order
          .filter((at) => from <= at && at < to)
          .flatMap((at) => bookings[at] ?? [])
          .toSorted((a, b) => a.day - b.day);
        return [
          statement(
            balance(balanceAt(bookings, from), days[0] ?? 10),
            entriesOf(listed),
            balance(balanceAt(bookings, to), days.at(-1) ?? 12),
            90 + number,
          ),
        ];
      });
      const inTurn = cuts.slice(0, cuts.length - files.length).map((cut, number) => cutOut(bookings, cut, number));
      return {
        lines: covered(bookings, cuts),
        files: [...inTurn, ...files]
          .map((file, at) => ({ file, at: isFirst[at] ?? 0 }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ file }) => file),
      };
    });

const FEE: Booked = { day: 10, change: -5 };
const fees = (times: number): readonly Booked[] => Array.from({ length: times }, () => FEE);

/** Bookings and statements, which bookings are dated back (0), and which files are sorted by days. */
type DatedBack = [{ bookings: readonly Booked[]; cuts: Cut[] }, number[], boolean[]];

const onDays = (...days: readonly (readonly [day: number, ...changes: number[]])[]): readonly Booked[] =>
  days.flatMap(([day, ...changes]) => changes.map((change) => ({ day, change })));

/** One file ends with the balance that the other one begins with, and they share days before the last all the same. */
const BACK_TO_AN_OPENING: DatedBack = [
  {
    bookings: onDays([10, -5, 30, -5, -5], [11, -5, -5, -5], [12, 12, -7, -5, -5, -7]),
    cuts: [
      [0, 9],
      [1, 10],
    ],
  },
  [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0],
  [false, true, false, false, false, false],
];

/** A file has more equal lines than any one day that they stand at. */
const EQUAL_AT_SEVERAL_DAYS: DatedBack = [
  {
    bookings: onDays([10, -5, -5], [11, -5, -7, -5], [12, 30, -5, -5, -5], [13, -5, -5, 30]),
    cuts: [
      [0, 9],
      [0, 5],
    ],
  },
  [0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0],
  [false, false, false, false, false, false],
];

describe('equal lines of several bank files', () => {
  it('are as many as the bank booked, however a day is cut into statements that follow or overlap', async () => {
    await fc.assert(
      fc.asyncProperty(scene(fc.constantFrom(-5, -5, -7), 10), async ({ bookings, cuts }) => {
        const files = cuts.map((cut, number) => cutOut(bookings, cut, number));
        expect(await afterAll(files)).to.deep.equal(covered(bookings, cuts));
        expect(await afterAll(files.toReversed())).to.deep.equal(covered(bookings, cuts));
      }),
      { numRuns: runs(60) },
    );
  });

  it('are as many as the bank booked where all files list the newest one first', async () => {
    await fc.assert(
      fc.asyncProperty(scene(fc.constantFrom(-5, -5, -7), 10), async ({ bookings, cuts }) => {
        const files = cuts.map((cut, number) => cutOut(bookings, cut, number, NEWEST_FIRST));
        expect(await afterAll(files)).to.deep.equal(covered(bookings, cuts));
        expect(await afterAll(files.toReversed())).to.deep.equal(covered(bookings, cuts));
      }),
      { numRuns: runs(60) },
    );
  });

  it('are the same in whatever order the files come, and never more than were booked, in whatever order each lists a day', async () => {
    await fc.assert(
      fc.asyncProperty(
        scene(fc.constantFrom(-5, -5, 5, 7, -1)),
        fc.array(fc.array(fc.nat(20), { minLength: 12, maxLength: 12 }), { minLength: 6, maxLength: 6 }),
        async ({ bookings, cuts }, orders) => {
          const files = cuts.map((cut, number) => cutOut(bookings, cut, number, SHUFFLED(orders[number] ?? [])));
          const lines = await afterAll(files);
          expect(await afterAll(files.toReversed())).to.deep.equal(lines);
          const booked = Map.groupBy(covered(bookings, cuts), (text) => text);
          for (const [text, its] of Map.groupBy(lines, (line) => line))
            expect(its.length).to.be.at.most(booked.get(text)?.length ?? 0);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('are as many as the bank booked in pages of a day that follow one another, and none more by the whole of it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(-5, -5, 3, 10, -1), { minLength: 1, maxLength: 10 }),
        fc.array(fc.nat(10), { maxLength: 4 }),
        fc.array(fc.nat(20), { minLength: 12, maxLength: 12 }),
        async (changes, borders, order) => {
          // Balances that only grow apart, so that no two pages could be one another's.
          const bookings = changes.map((change, at): Booked => ({
            day: 10,
            change: at % 3 === 1 ? 1_000 + at : change,
          }));
          const at = [0, ...borders.map((border) => Math.min(border, changes.length)), changes.length].toSorted(
            (a, b) => a - b,
          );
          const pages = at.slice(1).map((to, i): Cut => [at[i] ?? 0, to]);
          const files = [
            ...pages.map((page, number) => cutOut(bookings, page, number, SHUFFLED(order))),
            cutOut(bookings, [0, changes.length], 99, SHUFFLED(order.toReversed())),
          ];
          const lines = await afterAll(files);
          expect(await afterAll(files.toReversed())).to.deep.equal(lines);
          expect(lines).to.deep.equal(bookings.map(textOf).toSorted());
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('are as many as the bank booked where the first files were imported before ids had a key', async () => {
    await fc.assert(
      fc.asyncProperty(
        scene(fc.constantFrom(-5, -5, -7), 10),
        fc.nat({ max: 5 }),
        async ({ bookings, cuts }, former) => {
          const files = cuts.map((cut, number) => cutOut(bookings, cut, number));
          expect(await afterAll(files, former)).to.deep.equal(covered(bookings, cuts));
          expect(await afterAll(files.toReversed(), former)).to.deep.equal(covered(bookings, cuts));
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('are the same in whatever order the files come, and never more than were booked, where balances come back', async () => {
    await fc.assert(
      fc.asyncProperty(scene(fc.constantFrom(-5, 5, 0)), async ({ bookings, cuts }) => {
        const files = cuts.map((cut, number) => cutOut(bookings, cut, number));
        const lines = await afterAll(files);
        expect(await afterAll(files.toReversed())).to.deep.equal(lines);
        expect(await afterAll(files.toSorted((a, b) => b.length - a.length))).to.deep.equal(lines);
        const most = Map.groupBy(covered(bookings, cuts), (text) => text);
        for (const [text, its] of Map.groupBy(lines, (line) => line))
          expect(its.length).to.be.at.most(most.get(text)?.length ?? 0);
        for (const [from, to] of cuts) {
          for (const [text, its] of Map.groupBy(bookings.slice(from, to), textOf))
            expect(lines.filter((line) => line === text).length).to.be.at.least(its.length);
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('are two of two statements of one day that follow one another, and none more by the day, the month and a second copy', async () => {
    const doubles = routeDoubles();
    const news = async (file: Buffer) => (await imported(doubles, file)).statement.newLines;
    expect(await news(cutOut(fees(2), [0, 1]))).to.equal(1);
    expect(await news(cutOut(fees(2), [1, 2], 2))).to.equal(1);
    expect(await news(cutOut(fees(2), [1, 2], 3))).to.equal(0);
    expect(await news(cutOut(fees(2), [0, 2]))).to.equal(0);
    const month = [...fees(2), { day: 20, change: -7 }];
    expect(await news(cutOut([{ day: 9, change: 0 }, ...month], [1, 4]))).to.equal(1);
  });

  it('are none more in a file that lists the day in another order', async () => {
    const [fee, rent] = [FEE, { day: 10, change: -7 }];
    const [opening, closing] = [balance(1000, 10), balance(983, 10)];
    const one = statement(opening, entriesOf([fee, rent, fee]), closing);
    const other = statement(opening, entriesOf([rent, fee, fee]), closing);
    const begun = statement(opening, entriesOf([fee]), balance(995, 10));
    const ended = statement(balance(988, 10), entriesOf([fee]), closing);
    const lines = [rent, fee, fee].map(textOf).toSorted();
    expect(await afterAll([one, other])).to.deep.equal(lines);
    expect(await afterAll([begun, ended, other])).to.deep.equal(lines);
    expect(await afterAll([other, ended, begun])).to.deep.equal(lines);
  });

  it('are what the bank booked, by its pages and by days and months that list each day in any other order', async () => {
    await fc.assert(
      fc.asyncProperty(pagesAndWholes(fc.constantFrom(-5, -5, -1, 1), amongUniqueAmounts), async ({ lines, files }) => {
        expect(await afterAll(files)).to.deep.equal(lines);
        expect(await afterAll(files.toReversed())).to.deep.equal(lines);
      }),
      { numRuns: runs(100) },
    );
  });

  it('are never more than the bank booked in files that list a day in any order, where balances come back', async () => {
    await fc.assert(
      fc.asyncProperty(pagesAndWholes(fc.constantFrom(-5, 5, -7, 0)), async ({ lines, files }) => {
        const most = Map.groupBy(lines, (text) => text);
        for (const [text, its] of Map.groupBy(await afterAll(files), (line) => line))
          expect(its.length, text).to.be.at.most(most.get(text)?.length ?? 0);
      }),
      { numRuns: runs(100) },
    );
  });

  it('are none more in the middle of a day that another file lists from its end', async () => {
    const day = [{ day: 10, change: 10 }, FEE, { day: 10, change: 6 }, FEE, { day: 10, change: 7 }];
    const pages = [cutOut(day, [0, 1], 1), cutOut(day, [1, 3], 2), cutOut(day, [3, 5], 3)];
    const whole = statement(balance(1000, 10), entriesOf(day.toReversed()), balance(balanceAt(day, 5), 10));
    const lines = day.map(textOf).toSorted();
    expect(await afterAll([...pages, whole])).to.deep.equal(lines);
    expect(await afterAll([whole, ...pages])).to.deep.equal(lines);
    for (const page of pages) expect(await afterAll([page, whole])).to.deep.equal(lines);
  });

  it('are never more than were booked where some are dated back, in files in the order of booking or sorted by days', async () => {
    const sorted: Listing = (bookings) => bookings.toSorted((a, b) => a.day - b.day);
    const expectNoMore = async ([{ bookings, cuts }, back, areSorted]: DatedBack): Promise<void> => {
      const dated = bookings.map((booked, at) => ({ ...booked, day: booked.day - (back[at] === 0 ? 1 : 0) }));
      const files = cuts.map((cut, at) => cutOut(dated, cut, at, areSorted[at] === true ? sorted : OLDEST_FIRST));
      const lines = await afterAll(files);
      expect(await afterAll(files.toReversed())).to.deep.equal(lines);
      const booked = Map.groupBy(covered(dated, cuts), (text) => text);
      for (const [text, its] of Map.groupBy(lines, (line) => line))
        expect(its.length, text).to.be.at.most(booked.get(text)?.length ?? 0);
    };
    for (const example of [BACK_TO_AN_OPENING, EQUAL_AT_SEVERAL_DAYS]) await expectNoMore(example);
    await fc.assert(
      fc.asyncProperty(
        scene(fc.constantFrom(-5, -5, 30, -7, 12)),
        fc.array(fc.nat(6), { minLength: 12, maxLength: 12 }),
        fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
        async (scene, back, areSorted) => {
          // A file that opens with what another one closes with goes on behind it, whatever sorting by days hides of both.
          fc.pre(!opensWhereAnotherCloses(scene.bookings, scene.cuts));
          await expectNoMore([scene, back, areSorted]);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('are none more in a day so long that its balances tell nothing, and two in a statement that follows it', async () => {
    const others = Array.from({ length: 60 }, (_, at): Booked => ({
      day: 10,
      change: (at % 2 === 0 ? 1 : -1) * (101 + 37 * at),
    }));
    const day = [...others.slice(0, 30), FEE, ...others.slice(30), FEE, FEE];
    const whole = statement(balance(1000, 10), entriesOf(day.toReversed()), balance(balanceAt(day, day.length), 10));
    expect(await afterAll([cutOut(day, [20, 40], 1), whole])).to.deep.equal(day.map(textOf).toSorted());
    const followed = [cutOut(day, [0, 62], 1), cutOut(day, [62, 63], 2)];
    expect(await afterAll(followed)).to.deep.equal(day.map(textOf).toSorted());
    expect(await afterAll(followed.toReversed())).to.deep.equal(day.map(textOf).toSorted());
  });

  it('are told apart where files list the newest booking first', async () => {
    const all = [{ day: 9, change: -7 }, ...fees(2), { day: 11, change: -7 }];
    const newestFirst = ([from, to]: Cut): Buffer =>
      statement(
        balance(balanceAt(all, from), all[from]?.day ?? 9),
        entriesOf(all.slice(from, to).toReversed()),
        balance(balanceAt(all, to), all[to - 1]?.day ?? 9),
      );
    expect(await afterAll([newestFirst([0, 2]), newestFirst([2, 4])])).to.deep.equal(all.map(textOf).toSorted());
    expect(await afterAll([newestFirst([0, 3]), newestFirst([1, 4])])).to.deep.equal(all.map(textOf).toSorted());
  });

  it('are as many as one file has where files say no balances', async () => {
    const bare = (times: number, number: number): Buffer =>
      Buffer.from(
        `OFXHEADER:100\r\n\r\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>INR<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>${'<STMTTRN><TRNTYPE>FEE<DTPOSTED>20260910<TRNAMT>-5<NAME>FEE</STMTTRN>'.repeat(times)}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>${' '.repeat(number)}`,
      );
    expect(await afterAll([bare(1, 1), bare(2, 2), bare(1, 3)])).to.have.length(2);
  });

  it('are told apart of files that are imported at once', async () => {
    const doubles = routeDoubles();
    const store: EventStore = {
      ...doubles.store,
      append:
        (...append) =>
        async () => {
          await turn();
          return await doubles.store.append(...append)();
        },
    };
    await Promise.all([0, 1, 2, 3].map((at) => imported(doubles, cutOut(fees(4), [at, at + 1], at), { store })));
    expect(await inLedger(doubles)).to.deep.equal(fees(4).map(textOf));
  });
});
