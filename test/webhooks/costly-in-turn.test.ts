import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { HeldByPeers } from '../../src/http/connections/held-by-peers.ts';
import { CostlyInTurn } from '../../src/webhooks/costly-in-turn.ts';
import { loopTurns } from '../support/loop-turns.ts';

const TAKES_MS = 10;
const SENDER = { address: 'peer', who: 'peer', isKnown: false };

describe('bodies whose judgement takes long', () => {
  let costly: CostlyInTurn;
  let others: { size: number };
  let ended: number;
  /** Milliseconds between the end of each judgement and the beginning of the next. */
  let rests: number[];

  const judge = (isProved: boolean, bytes = 10): Promise<E.Either<string, string> | null> =>
    costly.judge(SENDER, bytes, () => {
      if (ended > 0) rests.push(performance.now() - ended);
      const end = performance.now() + TAKES_MS;
      while (performance.now() < end);
      ended = performance.now();
      return isProved ? E.right('proved') : E.left('refused');
    });

  beforeEach(() => {
    others = { size: 0 };
    [costly, ended, rests] = [new CostlyInTurn(new HeldByPeers(100), others), 0, []];
  });

  it('leave the thread to others for longer than they took, behind each that was refused', async () => {
    const results = await Promise.all([judge(false), judge(false), judge(false)]);
    expect(results).to.deep.equal([E.left('refused'), E.left('refused'), E.left('refused')]);
    expect(rests.length).to.equal(2);
    expect(Math.min(...rests)).to.be.at.least(2 * TAKES_MS);
    // One that comes later finds the same.
    await judge(false);
    expect(rests[2]).to.be.at.least(2 * TAKES_MS);
  });

  it('are judged one in each turn of the loop where they are proved', async () => {
    const turns = loopTurns();
    const began = await Promise.all(
      [1, 2, 3].map(async () => {
        await judge(true);
        return turns.now();
      }),
    );
    turns.stop();
    expect(new Set(began).size).to.equal(3);
    expect(began[2]).to.be.at.most(10);
  });

  it('let others pass that wait, for some turns of the loop', async () => {
    others.size = 1;
    const turns = loopTurns();
    const first = judge(true);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(ended, 'the end of one').to.equal(0);
    others.size = 0;
    await first;
    const before = turns.now();
    others.size = 1_000;
    await judge(true);
    expect(turns.now() - before).to.be.within(8, 12);
    turns.stop();
  });

  it('are given up where more wait than there may, and hold up nobody behind one that could not be judged', async () => {
    const broken = costly.judge(SENDER, 50, () => {
      throw new Error('broken');
    });
    const next = judge(true, 50);
    const last = judge(true, 50);
    expect(await Promise.allSettled([broken, next, last])).to.deep.equal([
      { status: 'fulfilled', value: null },
      { status: 'fulfilled', value: E.right('proved') },
      { status: 'fulfilled', value: E.right('proved') },
    ]);
    const failing = costly.judge(SENDER, 50, () => {
      throw new Error('broken');
    });
    const behind = judge(true, 50);
    expect(await failing.catch(String)).to.equal('Error: broken');
    expect(await behind).to.deep.equal(E.right('proved'));
  });
});
