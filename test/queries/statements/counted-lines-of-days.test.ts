import { expect } from 'chai';
import * as fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { imported } from '../../support/bank-imports.ts';
import { routeDoubles } from '../../support/route-dependencies.ts';
import { runs } from '../../support/runs.ts';
import {
  afterAll,
  balance,
  balanceAt,
  type Booked,
  type Cut,
  cutOut,
  entriesOf,
  FEE,
  fees,
  inLedger,
  statement,
  textOf,
} from './booked-scene.ts';
import { amongUniqueAmounts, pagesAndWholes } from './pages-and-wholes.ts';

describe('equal lines of bank files that list days in other orders, or all at once', () => {
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
