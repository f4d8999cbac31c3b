import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { LastingThread } from '../../src/threads/lasting-thread.ts';
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
    const states: (string | null)[] = [];
    // What can't be cloned is refused as a thread too many is: by the constructor.
    const start = { ...testThread(), data: () => undefined };
    const thread = new LastingThread(start, (_, problem) => states.push(problem));
    const answer = await thread.current().ask({ _tag: 'Echo', text: 'a' });
    expect(answer).to.have.nested.property('left.why', 'not asked');
    await until(10_000, 'three tries', () => Promise.resolve(states.length >= 3 ? true : null));
    for (const state of states) expect(state).to.include('thread test could not be started');
    await thread.close();
    const tries = states.length;
    expect(E.isLeft(await thread.current().ask({ _tag: 'Echo', text: 'b' }))).to.equal(true);
    expect(states).to.have.length(tries);
  }).timeout(30_000);

  it('is started again when it dies, is said to be down meanwhile, and ends for good when it is closed', async () => {
    const states: (string | null)[] = [];
    const thread = new LastingThread(testThread(), (name, problem) => {
      expect(name).to.equal('test');
      states.push(problem);
    });
    const first = thread.current();
    expect(E.isRight(await first.ask({ _tag: 'Echo', text: 'a' }))).to.equal(true);
    expect(states).to.deep.equal([]);
    await first.ask({ _tag: 'Die' });
    await until(10_000, 'its second life', async () => {
      const answer = await thread.current().ask({ _tag: 'Echo', text: 'b' });
      return E.isRight(answer) ? answer : null;
    });
    expect(states).to.deep.equal(['thread test has ended', null]);
    expect(E.isLeft(await first.ask({ _tag: 'Echo', text: 'c' })), 'its first life is over').to.equal(true);
    await thread.close();
    expect(E.isLeft(await thread.current().ask({ _tag: 'Echo', text: 'd' }))).to.equal(true);
    expect(states).to.deep.equal(['thread test has ended', null]);
  }).timeout(30_000);
});
