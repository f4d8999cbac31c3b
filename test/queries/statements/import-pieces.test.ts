import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { branded } from '../../../src/domain/brand.ts';
import type { BusinessDay } from '../../../src/domain/business-day.ts';
import type { Decimal } from '../../../src/domain/decimal.ts';
import { exactOf, plus, ZERO, type Exact } from '../../../src/domain/exact.ts';
import type { Sha256 } from '../../../src/domain/ids.ts';
import type { LineKey } from '../../../src/domain/line-key.ts';
import { sha256 } from '../../../src/domain/sha256.ts';
import { filesWith } from '../../../src/queries/statements/files-with.ts';
import { contentsOf, inCommon, isAmong, without as beside } from '../../../src/statements/contents.ts';
import { countedParts } from '../../../src/statements/counted-part.ts';
import { runOf, shareARun, type DayPart } from '../../../src/statements/day-part.ts';
import { lineNaming } from '../../../src/statements/line-ids.ts';
import { sharedBookings } from '../../../src/statements/shared-bookings.ts';
import { timesBooked } from '../../../src/statements/times-booked.ts';
import { routeDoubles } from '../../support/route-dependencies.ts';

const LINES = 300;

const amount = (units: number): Exact => exactOf(branded<Decimal>(String(units)));

/** A day of as many bookings as a test needs, from one of them on. */
const partOfDay = (from: number, to: number, contentAt: (at: number) => Sha256): DayPart => {
  const changeAt = (at: number): Exact => amount(at + 1);
  const sumTo = (end: number): Exact =>
    Array.from({ length: end }, (_, at) => changeAt(at)).reduce((sum, change) => plus(sum, change), ZERO);
  const [opening, closing] = [sumTo(from), sumTo(to)];
  return {
    opening,
    closing,
    booked: Array.from({ length: to - from }, (_, at) => ({
      content: contentAt(from + at),
      change: changeAt(from + at),
    })),
    datedBackTo: new Set(),
    file: { opening, closing, from: null, to: null, page: null },
    hasBefore: false,
    hasBehind: false,
  };
};

const EACH_ITS_OWN = (at: number): Sha256 => sha256(`line ${at}`);
const ALL_EQUAL = (): Sha256 => sha256('fee');
const READING = { turnsSeveral: false, turnsSingle: false };

/** How often others would have had their turn, had each piece been as long as that. */
const turnsIn = async (work: (turns: () => Promise<void>) => Promise<unknown>): Promise<number> => {
  let given = 0;
  await work(() => {
    given += 1;
    return Promise.resolve();
  });
  return given;
};

/** Of days of some hundred thousand lines each of these held the thread, in which deliveries come in, for up to seconds. */
describe('what an import of a long day is decided by', () => {
  const without = (): Promise<void> => Promise.resolve();
  const [first, second] = [partOfDay(0, LINES, EACH_ITS_OWN), partOfDay(0, LINES, EACH_ITS_OWN)];

  it('lets others have their turn between the lines that it counts and compares', async () => {
    expect(await turnsIn((turns) => countedParts([first], turns))).to.be.at.least(4 * LINES);
    const contents = await contentsOf(second, without);
    expect(await turnsIn((turns) => contentsOf(second, turns))).to.equal(LINES);
    expect(await turnsIn((turns) => inCommon(contents, contents, turns))).to.equal(LINES);
    expect(await turnsIn((turns) => beside(contents, contents, turns))).to.equal(LINES);
    expect(await turnsIn((turns) => isAmong(contents, contents, turns))).to.equal(LINES);
    const [one, other] = await countedParts(
      [partOfDay(0, LINES - 1, EACH_ITS_OWN), partOfDay(1, LINES, EACH_ITS_OWN)],
      without,
    );
    if (one === undefined || other === undefined) throw new Error('there are two');
    // What both have, and the sums that it comes to for each of both.
    expect(await turnsIn((turns) => sharedBookings(one, other, () => Promise.resolve(false), turns))).to.be.at.least(
      3 * (LINES - 2),
    );
  });

  it('lets them between the places of lines', async () => {
    expect(await turnsIn((turns) => runOf(first, READING, turns))).to.equal(LINES);
    const run = await runOf(second, READING, without);
    expect(await turnsIn((turns) => shareARun(run, run, turns))).to.equal(LINES);
    const equal = partOfDay(0, LINES, ALL_EQUAL);
    const part = new Map([[branded<BusinessDay>('2026-09-10'), equal]]);
    const times = await timesBooked([part], without);
    expect(await times(ALL_EQUAL())).to.equal(LINES);
    let given = 0;
    const counting = await timesBooked([part], () => {
      given += 1;
      return Promise.resolve();
    });
    const before = given;
    await counting(ALL_EQUAL());
    expect(given - before).to.be.at.least(LINES);
  });

  it('lets them between the contents that are looked up, which are asked for part by part', async () => {
    const contents = Array.from({ length: 1_200 }, (_, at) => EACH_ITS_OWN(at));
    const namesOf = lineNaming(branded<LineKey>('ab'.repeat(32)));
    const { readModels } = routeDoubles();
    const asked: number[] = [];
    const given = await turnsIn((turns) =>
      filesWith(
        {
          readModels: {
            ...readModels,
            filesOfLines: (ids) => {
              asked.push(ids.length);
              return TE.right([]);
            },
          },
        },
        contents,
        namesOf,
        turns,
      ),
    );
    expect(given).to.be.at.least(2 * contents.length);
    expect(asked).to.deep.equal([2_000, 2_000, 800]);
  });
});
