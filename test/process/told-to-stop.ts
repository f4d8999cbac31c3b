import { expect } from 'chai';
import { within } from '../support/within.ts';
import { DeliveryLog } from './delivery-log.ts';
import { deliverUntilItEnds } from './load.ts';
import { expectOrderlyEnd, processFixture } from './process-fixture.ts';

const ACKNOWLEDGEMENTS_BEFORE_STOP = 150;
const TOLD_WITHIN_MS = 15_000;
/** From the signal on (docs/spec/receiving.md, Shutdown). */
const ENDS_WITHIN_MS = 10_000;

/** A ledger that ends in order under load, told by such signals one time after the other. */
export const toldToStop = (...times: readonly (readonly NodeJS.Signals[])[]): void => {
  const ledger = processFixture();

  it('ends with status 0 under load, however it is told, and has everything that it acknowledged', async () => {
    const log = new DeliveryLog();
    let serving = await ledger.serve(ledger.env());
    for (const signals of times) {
      const { url, signal, finished } = serving;
      const stopAt = log.acknowledged + ACKNOWLEDGEMENTS_BEFORE_STOP;
      const before = log.orderIds.length;
      const told = Promise.withResolvers<void>();
      let isTold = false;
      const load = deliverUntilItEnds(url, log, () => {
        if (isTold || log.acknowledged < stopAt) return;
        isTold = true;
        for (const name of signals) signal(name);
        told.resolve();
      });
      await within(TOLD_WITHIN_MS, told.promise, 'enough acknowledgements');
      expectOrderlyEnd(await within(ENDS_WITHIN_MS, finished, 'the end'), ledger.inFolder('data'));
      await load;
      serving = await ledger.serve(ledger.env());
      await log.check(serving.url, log.orderIds.slice(before));
      await log.resendUnanswered(serving.url);
    }
    await log.check(serving.url);
    const verified = await ledger.command(['verify', '--json'], ledger.env());
    const report = { events: log.events, orders: log.orders, failures: [], unknownSecrets: 0 };
    expect(JSON.parse(verified.out)).to.deep.equal(report);
  }).timeout(120_000);
};
