import { expect } from 'chai';
import { HeldByPeers } from '../../src/http/connections/held-by-peers.ts';
import { WaitingBodies } from '../../src/webhooks/waiting-bodies.ts';

describe('bodies that wait to be judged', () => {
  let bodies: WaitingBodies;
  let told: (readonly [string, boolean])[];

  /** Named by who sent it, which a capital letter says is known. */
  const come = (name: string, bytes = 10): void => {
    const who = name.charAt(0);
    const sender = { address: who, who, isKnown: who === who.toUpperCase() };
    void bodies.turn(sender, bytes).then((isItsTurn) => told.push([name, isItsTurn]));
  };
  const beginAll = async (): Promise<readonly string[]> => {
    while (bodies.size > 0) {
      bodies.beginOne();
      await Promise.resolve();
    }
    await new Promise(setImmediate);
    return told.filter(([, isItsTurn]) => isItsTurn).map(([name]) => name);
  };

  beforeEach(() => {
    [bodies, told] = [new WaitingBodies(new HeldByPeers(100)), []];
  });

  it('are first those of known senders, by turns of the senders', async () => {
    for (const name of ['a1', 'a2', 'a3', 'b1', 'K1', 'K2', 'L1']) come(name, 1);
    expect(await beginAll()).to.deep.equal(['K1', 'L1', 'K2', 'a1', 'b1', 'a2', 'a3']);
  });

  it('keep others from their turn for no longer than some of the known', async () => {
    for (let n = 0; n < 30; n += 1) come(`K${n}`, 1);
    come('a1', 1);
    expect((await beginAll()).indexOf('a1')).to.be.lessThan(10);
  });

  it('are given up of whom most is held where it is too much, and nobody else waits for that', async () => {
    for (const name of ['a1', 'a2', 'a3', 'a4']) come(name, 24);
    come('b1', 20);
    await new Promise(setImmediate);
    expect(told).to.deep.equal([['a1', false]]);
    expect(bodies.size).to.equal(4);
    expect(await beginAll()).to.have.members(['a2', 'a3', 'a4', 'b1']);
    for (const name of ['c1', 'c2', 'c3']) come(name, 30);
    expect((await beginAll()).length, 'there is room again').to.equal(7);
  });
});
