import { getActiveResourcesInfo } from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { inTime, inTimeWith } from '../../src/concurrency/in-time.ts';
import { virtualTime } from '../support/virtual-time.ts';

const timers = (): number => getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

const HOUR = 3_600_000;

describe('work in time', () => {
  it('gives what it comes to, and leaves no timer', async () => {
    // mocha begins its own timer after the first turn.
    await turn();
    const before = timers();
    expect(await inTime(HOUR, Promise.resolve('done'), 'late')).to.equal('done');
    expect(await inTime(HOUR, () => Promise.resolve('done'), 'late')).to.equal('done');
    expect(timers()).to.equal(before);
  });

  it('fails as the work does, and leaves no timer', async () => {
    // mocha begins its own timer after the first turn.
    await turn();
    const before = timers();
    const outcome = await inTime(HOUR, Promise.reject(new Error('broken')), 'late').catch(String);
    expect(outcome).to.equal('Error: broken');
    const begun = await inTime(
      HOUR,
      () => {
        throw new Error('broken at once');
      },
      'late',
    ).catch(String);
    expect(begun).to.equal('Error: broken at once');
    expect(timers()).to.equal(before);
  });

  it('is late at the deadline, and tells the work then, and not before', async () => {
    const { timing, run } = virtualTime();
    const told: number[] = [];
    const work = (late: AbortSignal): Promise<string> => {
      late.addEventListener('abort', () => told.push(timing.elapsed()));
      return new Promise(() => undefined);
    };
    expect(await run(inTimeWith(timing.wait)(250, work, 'late'))).to.equal('late');
    expect(told).to.deep.equal([250]);
    const done = inTimeWith(timing.wait)(250, (late) => timing.wait(100, late).then(() => late.aborted), 'late');
    expect(await run(done)).to.equal(false);
  });

  it('lets nothing of a failure after the deadline go unhandled', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): number => unhandled.push(reason);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', onUnhandled);
    try {
      const { timing, run } = virtualTime();
      const work = Promise.withResolvers<string>();
      expect(await run(inTimeWith(timing.wait)(10, work.promise, 'late'))).to.equal('late');
      work.reject(new Error('too late'));
      await turn();
      await turn();
      expect(unhandled).to.deep.equal([]);
    } finally {
      process.off('unhandledRejection', onUnhandled);
      for (const other of others) process.on('unhandledRejection', other);
    }
  });
});
