import { expect } from 'chai';
import { FairBeginnings } from '../../src/concurrency/fair-beginnings.ts';
import { loopTurns } from '../support/loop-turns.ts';

describe('fair beginnings', () => {
  it('are one in each turn of the loop, one of each who waits', async () => {
    const beginnings = new FairBeginnings();
    const turns = loopTurns();
    const begun: (readonly [string, number])[] = [];
    const begin = async (name: string): Promise<void> => {
      await beginnings.turn(name.charAt(0));
      begun.push([name, turns.now()]);
    };
    await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(begin));
    turns.stop();
    expect(begun.map(([name]) => name)).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
    expect(new Set(begun.map(([, turn]) => turn)).size).to.equal(begun.length);
  });

  it('are at once where nobody else begins', async () => {
    const beginnings = new FairBeginnings();
    const turns = loopTurns();
    await beginnings.turn('a');
    expect(turns.now()).to.equal(0);
    turns.stop();
  });
});
