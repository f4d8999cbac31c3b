import { expect } from 'chai';
import { createPacer } from '../../src/sandbox/pacer.ts';

/** When so many turns come, with work of some milliseconds after each, in time that passes only here. */
const turns = async (rate: number, together: number, count: number, workMs: (turn: number) => number) => {
  let now = 1_000;
  const pacer = createPacer(
    rate,
    together,
    () => now,
    (ms) => {
      now += ms;
      return Promise.resolve();
    },
  );
  const times: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    await pacer.turn();
    times.push(now - 1_000);
    now += workMs(turn);
  }
  return times;
};

describe('the pacer', () => {
  it('lets as many through in a second as was chosen', async () => {
    expect(await turns(4, 1, 5, () => 0)).to.deep.equal([0, 250, 500, 750, 1_000]);
    expect(await turns(0.5, 1, 3, () => 0)).to.deep.equal([0, 2_000, 4_000]);
    const many = await turns(2_000, 1, 2_001, () => 0.1);
    expect(many.at(-1)).to.be.closeTo(1_000, 0.001);
  });

  it('keeps the rate where turns come together', async () => {
    expect(await turns(4, 2, 6, () => 0)).to.deep.equal([0, 0, 500, 500, 1_000, 1_000]);
  });

  it('makes up for a short delay, but not for a long one', async () => {
    expect(await turns(10, 1, 4, (turn) => (turn === 0 ? 250 : 0))).to.deep.equal([0, 250, 250, 300]);
    const after = await turns(10, 1, 40, (turn) => (turn === 0 ? 60_000 : 0));
    expect(after.filter((time) => time === 60_000)).to.have.length.within(10, 11);
  });
});
