import { expect } from 'chai';
import { BegunInShares } from '../../src/concurrency/share-of-turn.ts';
import { loopTurns } from '../support/loop-turns.ts';

const busy = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

describe('what begins in shares', () => {
  it('begins at once where few do, then so much in each turn as is short, all of it in the end', async () => {
    const turns = loopTurns();
    const [begunIn, waiting]: [number[], number[]] = [[], []];
    const begin = (): void => {
      begunIn.push(turns.now());
      busy(1);
    };
    const shares = new BegunInShares({ ms: 4, begun: 64 }, 2, {
      get size() {
        return waiting.length;
      },
      beginOne: () => {
        if (waiting.pop() !== undefined) begin();
      },
    });
    for (let came = 0; came < 60; came += 1) {
      if (shares.beginsNow()) begin();
      else waiting.push(came);
    }
    expect(begunIn.length).to.equal(2);
    while (waiting.length > 0) await new Promise(setImmediate);
    turns.stop();
    const perTurn = Map.groupBy(begunIn, (turn) => turn);
    expect(begunIn.length).to.equal(60);
    expect(Math.max(...[...perTurn.values()].map(({ length }) => length))).to.be.at.most(5);
    await new Promise(setImmediate);
    expect(shares.beginsNow(), 'none waits any more').to.equal(true);
  });

  it('begins one in a turn where others wait for turns, and then leaves them as much time as that one took', async () => {
    let waiting = 5;
    const begun: { at: number; ended: number }[] = [];
    const shares = new BegunInShares(
      { ms: 4, begun: 64 },
      2,
      {
        get size() {
          return waiting;
        },
        beginOne: () => {
          if (waiting === 0) return;
          waiting -= 1;
          const at = performance.now();
          busy(5);
          begun.push({ at, ended: performance.now() });
        },
      },
      () => true,
    );
    expect(shares.beginsNow()).to.equal(false);
    while (begun.length < 5) await new Promise(setImmediate);
    for (const [n, { at }] of begun.entries()) {
      const before = begun[n - 1];
      if (before !== undefined) expect(at - before.ended).to.be.at.least(before.ended - before.at);
    }
    expect(begun.length).to.equal(5);
  });
});
