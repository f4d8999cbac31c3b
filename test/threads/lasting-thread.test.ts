import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { LastingThread, type ThreadState } from '../../src/threads/lasting-thread.ts';
import { until } from '../support/until.ts';
import { testThread } from './test-protocol.ts';

describe('a thread that lasts', () => {
  it('is begun by whoever asks whether it is ready, which it is until it dies, and again', async () => {
    const thread = new LastingThread(testThread(), () => undefined);
    const isReady = (): Promise<true> =>
      until(10_000, 'the thread', () => Promise.resolve(thread.isReady() ? true : null));
    expect(thread.isReady()).to.equal(false);
    await isReady();
    await thread.current().ask({ _tag: 'Die' });
    await until(10_000, 'its death', () => Promise.resolve(thread.isReady() ? null : true));
    await isReady();
    await thread.close();
    expect(thread.isReady()).to.equal(false);
  }).timeout(30_000);

  it('that the system lets nobody start is down like one that died, and takes nobody with it', async () => {
    const states: ThreadState[] = [];
    // What can't be cloned is refused as a thread too many is: by the constructor.
    const start = { ...testThread(), data: () => undefined };
    const thread = new LastingThread(start, (_, state) => states.push(state));
    const answer = await thread.current().ask({ _tag: 'Echo', text: 'a' });
    expect(answer).to.have.nested.property('left.why', 'not asked');
    await until(10_000, 'three tries', () => Promise.resolve(states.length >= 3 ? true : null));
    for (const state of states) {
      expect(state).to.have.property('problem').that.includes('thread test could not be started');
    }
    await thread.close();
    const tries = states.length;
    expect(E.isLeft(await thread.current().ask({ _tag: 'Echo', text: 'b' }))).to.equal(true);
    expect(states).to.have.length(tries);
  }).timeout(30_000);

  it('is started again when it dies, is said to be down meanwhile, and ends for good when it is closed', async () => {
    const states: ThreadState[] = [];
    const thread = new LastingThread(testThread(), (name, state) => {
      expect(name).to.equal('test');
      states.push(state);
    });
    const first = thread.current();
    expect(E.isRight(await first.ask({ _tag: 'Echo', text: 'a' }))).to.equal(true);
    expect(states).to.deep.equal([]);
    await first.ask({ _tag: 'Die' });
    await until(10_000, 'its second life', async () => {
      const answer = await thread.current().ask({ _tag: 'Echo', text: 'b' });
      return E.isRight(answer) ? answer : null;
    });
    expect(states).to.deep.equal([{ _tag: 'Down', problem: 'thread test has ended' }, { _tag: 'Works' }]);
    expect(E.isLeft(await first.ask({ _tag: 'Echo', text: 'c' })), 'its first life is over').to.equal(true);
    await thread.close();
    expect(E.isLeft(await thread.current().ask({ _tag: 'Echo', text: 'd' }))).to.equal(true);
    expect(states).to.deep.equal([{ _tag: 'Down', problem: 'thread test has ended' }, { _tag: 'Works' }]);
  }).timeout(30_000);

  it('that stands is said to answer nothing, once, behind fifteen seconds in which it is asked, and to answer again', async () => {
    const states: ThreadState[] = [];
    const thread = new LastingThread(testThread(), (_, state) => states.push(state));
    const look = (times: number): void => {
      for (let time = 0; time < times; time += 1) thread.look();
    };
    await thread.current().ask({ _tag: 'Echo', text: 'a' });
    look(20);
    expect(states, 'while nothing is asked').to.deep.equal([]);
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const stands = thread.current().ask({ _tag: 'Stand', gate });
    const behind = thread.current().ask({ _tag: 'Echo', text: 'b' });
    look(15);
    expect(states).to.deep.equal([]);
    look(3);
    expect(states).to.deep.equal([{ _tag: 'Silent', seconds: 15 }]);
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
    expect(await stands).to.deep.equal(E.right({ _tag: 'Echoed', text: 'it stood' }));
    expect(E.isRight(await behind)).to.equal(true);
    expect(states).to.deep.equal([
      { _tag: 'Silent', seconds: 15 },
      { _tag: 'Answers', seconds: 17 },
    ]);
    await thread.close();
  }).timeout(30_000);

  it('whose oldest question waits long is not silent while it answers others', async () => {
    const states: ThreadState[] = [];
    const thread = new LastingThread(testThread(), (_, state) => states.push(state));
    const waits = thread.current().ask({ _tag: 'Wait' });
    for (let time = 0; time < 4; time += 1) {
      for (let looks = 0; looks < 10; looks += 1) thread.look();
      await thread.current().ask({ _tag: 'Echo', text: 'a' });
    }
    expect(states).to.deep.equal([]);
    await thread.close();
    expect(E.isLeft(await waits)).to.equal(true);
  }).timeout(30_000);
});
