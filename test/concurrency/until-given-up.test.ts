import { expect } from 'chai';
import { UntilGivenUp } from '../../src/concurrency/until-given-up.ts';

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
});
