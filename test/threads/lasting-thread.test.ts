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
});

/** A thread that lasts, what was told of it, and how to hold it up. */
const watched = (start: { readonly answersSoon?: boolean; readonly silentAfterLooks?: number } = {}) => {
  const states: ThreadState[] = [];
  const gate = new Int32Array(new SharedArrayBuffer(4));
  let heard = 0;
  const thread = new LastingThread(
    { ...testThread(), ...start },
    (_, state) => states.push(state),
    () => (heard += 1),
  );
  thread.current();
  return {
    thread,
    states,
    look: (times: number): void => {
      for (let time = 0; time < times; time += 1) thread.look();
    },
    /** Until it has said all that it says to what it was told and asked before. */
    turned: async (): Promise<void> => {
      const before = heard;
      thread.tell({ _tag: 'Hear', text: 'a' });
      await until(10_000, 'its turn', () => Promise.resolve(heard > before ? true : null));
    },
    stand: (): void => thread.tell({ _tag: 'Stand', gate }),
    goOn: (): void => {
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
    },
  };
};

describe('a thread that lasts and answers nothing', () => {
  for (const [what, start] of [
    ['though it is asked nothing, or what waits for what is to come', {}],
    ['while what it is asked has its answer soon', { answersSoon: true }],
  ] as const) {
    it(`is told of once, behind fifteen seconds, ${what}, and told to answer again`, async () => {
      const { thread, states, look, turned, stand, goOn } = watched(start);
      for (let time = 0; time < 20; time += 1) {
        look(1);
        await turned();
      }
      expect(states, 'while it answers').to.deep.equal([]);
      stand();
      const behind = thread.current().ask({ _tag: 'Echo', text: 'b' });
      look(15);
      expect(states).to.deep.equal([]);
      look(3);
      expect(states).to.deep.equal([{ _tag: 'Silent', seconds: 15 }]);
      goOn();
      expect(E.isRight(await behind)).to.equal(true);
      expect(states).to.deep.equal([
        { _tag: 'Silent', seconds: 15 },
        { _tag: 'Answers', seconds: 17 },
      ]);
      await turned();
      expect(states).to.have.length(2);
      await thread.close();
    }).timeout(30_000);
  }

  it('is told to answer again by its turn alone, though it is asked nothing', async () => {
    const { thread, states, look, turned, stand, goOn } = watched();
    stand();
    look(16);
    expect(states).to.deep.equal([{ _tag: 'Silent', seconds: 15 }]);
    goOn();
    await turned();
    expect(states.slice(1)).to.deep.equal([{ _tag: 'Answers', seconds: 15 }]);
    await thread.close();
  }).timeout(30_000);

  it('is not told of while it may be busy for longer', async () => {
    const { thread, states, look, stand, goOn } = watched({ silentAfterLooks: 120 });
    stand();
    look(120);
    expect(states).to.deep.equal([]);
    look(1);
    expect(states).to.deep.equal([{ _tag: 'Silent', seconds: 120 }]);
    goOn();
    await thread.close();
  }).timeout(30_000);

  for (const [what, start, tags] of [
    ['is silent where what it is asked has its answer soon', { answersSoon: true }, ['Silent']],
    ['is not silent where what it is asked may wait for what is to come', {}, []],
  ] as const) {
    it(`but has its turns ${what}`, async () => {
      const { thread, states, look, turned } = watched(start);
      const waits = thread.current().ask({ _tag: 'Wait' });
      for (let time = 0; time < 40; time += 1) {
        look(1);
        await turned();
      }
      expect(states.map(({ _tag }) => _tag)).to.deep.equal(tags);
      await thread.close();
      expect(E.isLeft(await waits)).to.equal(true);
    }).timeout(30_000);
  }

  it('to its oldest question is not silent while it answers others', async () => {
    const { thread, states, look } = watched({ answersSoon: true });
    const waits = thread.current().ask({ _tag: 'Wait' });
    for (let time = 0; time < 4; time += 1) {
      look(10);
      await thread.current().ask({ _tag: 'Echo', text: 'a' });
    }
    expect(states).to.deep.equal([]);
    await thread.close();
    expect(E.isLeft(await waits)).to.equal(true);
  }).timeout(30_000);
});
