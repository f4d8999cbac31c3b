import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { BytesUnderWay } from '../../src/concurrency/bytes-under-way.ts';
import { loopTurns } from '../support/loop-turns.ts';
import { until } from '../support/until.ts';

const MOST = 1_000;
/** Longer than any test. */
const NEVER_MS = 60_000;
const SOON_MS = 5_000;

describe('bytes that are under way', () => {
  it('are never more than may be, but for one that is larger, and all come to their turn, in order', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 1_500 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.array(fc.boolean(), { minLength: 5, maxLength: 20 }), async (all, waits) => {
        const bytes = new BytesUnderWay(() => MOST, NEVER_MS);
        const inside: number[] = [];
        const begun: number[] = [];
        await Promise.all(
          all.map(async (size, at) => {
            if (waits[at % waits.length] === true) await turn();
            const left = await bytes.enter(size);
            begun.push(size);
            inside.push(size);
            const sum = inside.reduce((before, one) => before + one, 0);
            expect(sum <= MOST || inside.length === 1, `${inside.join(', ')} at once`).to.equal(true);
            await turn();
            inside.splice(inside.indexOf(size), 1);
            left();
            left();
          }),
        );
        expect(begun).to.have.members(all);
      }),
      { numRuns: 60 },
    );
  });

  it('begin in order of coming', async () => {
    const bytes = new BytesUnderWay(() => MOST, NEVER_MS);
    const begun: number[] = [];
    await Promise.all(
      Array.from({ length: 30 }, async (_, at) => {
        const left = await bytes.enter(at % 3 === 0 ? MOST : 1);
        begun.push(at);
        await turn();
        left();
      }),
    );
    expect(begun).to.deep.equal(begun.toSorted((a, b) => a - b));
  });

  it('begin in shares of a turn, also where all of them may be under way', async () => {
    const bytes = new BytesUnderWay(() => MOST, NEVER_MS);
    const turns = loopTurns();
    const begun: number[] = [];
    await Promise.all(
      Array.from({ length: 100 }, async () => {
        await bytes.enter(1);
        begun.push(turns.now());
      }),
    );
    turns.stop();
    const inATurn = [...Map.groupBy(begun, (at) => at).values()].map(({ length }) => length);
    expect(Math.max(...inATurn)).to.be.at.most(16);
  });

  it('count no longer than they are to: what hangs holds up no other', async () => {
    const bytes = new BytesUnderWay(() => MOST, 10);
    await bytes.enter(MOST);
    let isBegun = false;
    void bytes.enter(MOST).then(() => (isBegun = true));
    await turn();
    expect(isBegun).to.equal(false);
    await until(SOON_MS, 'the other to begin', () => Promise.resolve(isBegun ? true : null));
  });

  it('are as many as may be now, which may change', async () => {
    let most = 1;
    const bytes = new BytesUnderWay(() => most, NEVER_MS);
    const left = await bytes.enter(1);
    let begun = 0;
    const enter = (): void => void bytes.enter(1).then(() => (begun += 1));
    for (let i = 0; i < 3; i += 1) enter();
    for (let i = 0; i < 5; i += 1) await turn();
    expect(begun).to.equal(0);
    most = MOST;
    left();
    await until(SOON_MS, 'all to begin', () => Promise.resolve(begun === 3 ? true : null));
  });
});
