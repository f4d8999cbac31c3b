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
});
