import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { TaskPool, type PoolState } from '../../src/threads/task-pool.ts';
import { LONGEST_SLICE_LOOKS } from '../../src/threads/thread-silence.ts';
import { right } from '../support/right.ts';
import { until } from '../support/until.ts';
import { testThread } from './test-protocol.ts';

const THREADS = 2;

/** A pool, what was told of it, and how to hold its threads up. */
const watched = () => {
  const states: PoolState[] = [];
  const pool = new TaskPool(testThread(), THREADS, (state) => states.push(state));
  const gates = Array.from({ length: THREADS }, () => new Int32Array(new SharedArrayBuffer(4)));
  return {
    pool,
    states,
    hold: (at: number) => pool.run({ _tag: 'Hold', gate: gates[at] ?? expect.fail('a gate') }),
    goOn: (at: number): void => {
      const gate = gates[at] ?? expect.fail('a gate');
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
    },
    look: (times: number): void => {
      for (let time = 0; time < times; time += 1) pool.look();
    },
    /** Until each has done what it was given before, and said that it is there. */
    turned: async (): Promise<void> => {
      for (let round = 0; round < 2; round += 1) {
        for (const answer of await pool.runOnEach({ _tag: 'Echo', text: 'a' })) right(answer);
      }
    },
  };
};

describe('threads that share tasks', () => {
  it('are told of once where one of them hangs, behind two minutes, until all that hang go on', async () => {
    const { pool, states, hold, goOn, look, turned } = watched();
    for (let time = 0; time < 2 * LONGEST_SLICE_LOOKS; time += 1) {
      look(1);
      if (time % 10 === 0) await turned();
    }
    await turned();
    expect(states, 'while they answer').to.deep.equal([]);
    const held = [hold(0), hold(1)];
    // They are given their tasks in a turn of their own.
    await turn();
    look(LONGEST_SLICE_LOOKS);
    expect(states).to.deep.equal([]);
    look(3);
    expect(states).to.deep.equal([{ _tag: 'Silent', seconds: 120 }]);
    goOn(0);
    expect(E.isRight(await Promise.race(held))).to.equal(true);
    expect(states, 'while another one hangs').to.have.length(1);
    goOn(1);
    await Promise.all(held);
    await until(10_000, 'the end of it', () => Promise.resolve(states.length > 1 ? true : null));
    expect(states.slice(1)).to.deep.equal([{ _tag: 'Answers', seconds: 122 }]);
    await pool.close();
    expect(states).to.have.length(2);
  }).timeout(30_000);

  it('that are ended while one hangs have nothing that is waited for any more', async () => {
    const { pool, states, look } = watched();
    const spun = pool.run({ _tag: 'Spin' });
    await turn();
    look(LONGEST_SLICE_LOOKS + 1);
    expect(states).to.deep.equal([{ _tag: 'Silent', seconds: 120 }]);
    await pool.close();
    expect(await spun).to.have.nested.property('left.detail', 'thread test was ended');
    expect(states.slice(1)).to.deep.equal([{ _tag: 'Over' }]);
  }).timeout(30_000);
});
