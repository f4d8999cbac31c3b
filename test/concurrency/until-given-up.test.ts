import { expect } from 'chai';
import { UntilGivenUp } from '../../src/concurrency/until-given-up.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { until } from '../support/until.ts';

describe('work that is waited for until it is given up', () => {
  it('is what it comes to, or fails as it does', async () => {
    const waiting = new UntilGivenUp();
    expect(await waiting.wait(Promise.resolve('done'), 'late')).to.equal('done');
    const failed = await waiting.wait(Promise.reject(new Error('broken')), 'late').catch((error: unknown) => error);
    expect(String(failed)).to.equal('Error: broken');
  });

  it('is late once all is given up, and nobody hears what it comes to then; what comes later is waited for', async () => {
    const waiting = new UntilGivenUp();
    const [first, second, later] = [
      Promise.withResolvers<string>(),
      Promise.withResolvers<string>(),
      Promise.withResolvers<string>(),
    ];
    const both = [waiting.wait(first.promise, 'late'), waiting.wait(second.promise, 'late')];
    waiting.giveUp();
    const third = waiting.wait(later.promise, 'late');
    expect(await Promise.all(both)).to.deep.equal(['late', 'late']);
    first.resolve('done');
    second.reject(new Error('broken'));
    later.resolve('done');
    expect(await third).to.equal('done');
  });

  it('is given up whichever of those before and behind it have come to an end', async () => {
    for (const ended of [[0], [1], [2], [1, 2], [2, 1], [0, 2], [3], [1, 3], [3, 1, 2]]) {
      const waiting = new UntilGivenUp();
      const works = [0, 1, 2, 3].map(() => Promise.withResolvers<string>());
      const told = new Map<number, string>();
      const waits = works.map(async ({ promise }, at) => told.set(at, await waiting.wait(promise, 'late')));
      for (const at of ended) {
        works[at]?.resolve('done');
        await waits[at];
      }
      waiting.giveUp();
      await until(5_000, `all to be told behind ${ended.join()}`, () => Promise.resolve(told.size === 4 ? true : null));
      for (const at of works.keys()) expect(told.get(at)).to.equal(ended.includes(at) ? 'done' : 'late');
    }
  });

  it('leaves nothing in memory once it has come to an end, however it did', async () => {
    const waiting = new UntilGivenUp();
    const waited = async (work: Promise<unknown>): Promise<WeakRef<object>> => {
      const late = {};
      await waiting.wait(work, late).catch(() => null);
      return new WeakRef(late);
    };
    const refs = [await waited(Promise.resolve('done')), await waited(Promise.reject(new Error('broken')))];
    await until(10_000, 'what was waited for to be forgotten', () => {
      collectGarbage();
      return Promise.resolve(refs.every((ref) => ref.deref() === undefined) ? true : null);
    });
    waiting.giveUp();
  });
});
