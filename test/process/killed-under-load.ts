import { expect } from 'chai';
import fc from 'fast-check';
import { DeliveryLog } from './delivery-log.ts';
import { deliverUntilItEnds } from './load.ts';
import { expectOrderlyEnd, processFixture } from './process-fixture.ts';

/** A ledger that has everything that it acknowledged exactly once, however often it is killed. */
export const killedUnderLoad = (kills: number): void => {
  const ledger = processFixture();

  it(`has everything that it acknowledged exactly once, after each of ${kills} kills under load`, async () => {
    const moments = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: kills, maxLength: kills });
    const survives = async (killedAfter: readonly number[]): Promise<void> => {
      const log = new DeliveryLog();
      const dataDir = ledger.inFolder('data');
      let resent = 0;
      let serving = await ledger.serve(ledger.env());
      for (const acknowledgements of killedAfter) {
        const killAt = log.acknowledged + acknowledgements;
        const { url, signal, finished } = serving;
        const known = log.orderIds.length;
        await deliverUntilItEnds(url, log, () => {
          if (log.acknowledged >= killAt) signal('SIGKILL');
        });
        expect((await finished).signal).to.equal('SIGKILL');
        const ofThisRound = log.orderIds.slice(known);
        serving = await ledger.serve(ledger.env());
        await log.check(serving.url, ofThisRound);
        resent += await log.resendUnanswered(serving.url);
        await log.check(serving.url, ofThisRound);
      }
      expect(resent, 'deliveries that a kill cut off').to.be.at.least(kills);
      await log.check(serving.url);
      const report = { events: log.events, orders: log.orders, failures: [], unknownSecrets: 0 };
      const beside = await ledger.command(['verify', '--json'], ledger.env());
      expect(JSON.parse(beside.out)).to.deep.equal(report);
      serving.signal('SIGTERM');
      expectOrderlyEnd(await serving.finished, dataDir);
      const afterwards = await ledger.run(['verify', '--json'], ledger.env());
      expect(JSON.parse(afterwards.out)).to.deep.equal(report);
    };
    await fc.assert(fc.asyncProperty(moments, survives), { numRuns: 1, endOnFailure: true });
  }).timeout(180_000);
};
