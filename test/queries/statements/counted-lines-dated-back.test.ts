import { expect } from 'chai';
import * as fc from 'fast-check';
import { runs } from '../../support/runs.ts';
import {
  afterAll,
  type Booked,
  covered,
  type Cut,
  cutOut,
  type Listing,
  OLDEST_FIRST,
  opensWhereAnotherCloses,
  scene,
} from './booked-scene.ts';

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

describe('equal lines of bank files with bookings that are dated back', () => {
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
});
