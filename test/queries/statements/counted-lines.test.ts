import { expect } from 'chai';
import * as fc from 'fast-check';
import { runs } from '../../support/runs.ts';
import {
  afterAll,
  type Booked,
  covered,
  type Cut,
  cutOut,
  liesBetweenOthers,
  NEWEST_FIRST,
  scene,
  SHUFFLED,
  textOf,
} from './booked-scene.ts';

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
          if (!liesBetweenOthers(bookings, cuts)) expect(await afterAll(files.toReversed())).to.deep.equal(lines);
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
        if (!liesBetweenOthers(bookings, cuts)) {
          expect(await afterAll(files.toReversed())).to.deep.equal(lines);
          expect(await afterAll(files.toSorted((a, b) => b.length - a.length))).to.deep.equal(lines);
        }
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
});
