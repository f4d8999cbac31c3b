import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { exchange } from '../support/exchange.ts';
import { until } from '../support/until.ts';
import { head, openWire } from '../support/wire.ts';
import { within } from '../support/within.ts';
import { DeliveryLog } from './delivery-log.ts';
import { deliverUntilItEnds } from './load.ts';
import { ask, expectOrderlyEnd, processFixture } from './process-fixture.ts';

const ACKNOWLEDGEMENTS_BEFORE_STOP = 150;
const TOLD_WITHIN_MS = 15_000;
/** From the signal on (docs/spec/receiving.md, Shutdown). */
const ENDS_WITHIN_MS = 10_000;

/** Whether a ledger takes a new connection and answers on it. */
const answers = async (url: string): Promise<boolean> => {
  try {
    return (await exchange(url, { path: '/livez', headers: { connection: 'close' } })).status === 200;
  } catch {
    return false;
  }
};

describe('a ledger that is told to stop', () => {
  const ledger = processFixture();

  it('ends with status 0 under load, however it is told, and has everything that it acknowledged', async () => {
    const log = new DeliveryLog();
    let serving = await ledger.serve(ledger.env());
    for (const signals of [['SIGTERM'], ['SIGINT'], ['SIGTERM', 'SIGTERM'], ['SIGINT', 'SIGINT']] as const) {
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

  it('is not held up by connections that are idle, silent or half sent', async () => {
    const { url, signal, finished } = await ledger.serve(ledger.env());
    const idle = openWire(url);
    idle.write(head('GET /livez HTTP/1.1', { Host: 'ledger' }));
    await idle.answered(1);
    const silent = openWire(url);
    const halfHead = openWire(url);
    halfHead.write('POST /v1/webhooks HTTP/1.1\r\nHost: led');
    const halfBody = openWire(url);
    const headers = {
      Host: 'ledger',
      'Content-Type': 'application/json',
      'Content-Length': 500,
      Expect: '100-continue',
    };
    halfBody.write(head('POST /v1/webhooks HTTP/1.1', headers));
    halfBody.write('{"eventType":');
    const command: Socket = connect(ledger.inFolder('data', 'ledger.sock'));
    command.on('error', () => undefined);
    await once(command, 'connect');
    // Answered after all of the above has been received.
    expect((await ask(url, '/livez')).status).to.equal(200);
    signal('SIGTERM');
    await until(ENDS_WITHIN_MS, 'connections to be refused', async () => ((await answers(url)) ? null : true));
    // A signal that comes again, while it waits for the half-sent body, hurries nothing.
    signal('SIGTERM');
    signal('SIGINT');
    expectOrderlyEnd(await within(ENDS_WITHIN_MS, finished, 'the end'), ledger.inFolder('data'));
    await Promise.all([idle, silent, halfHead, halfBody].map((wire) => wire.closed()));
    expect(halfBody.answers(), 'a delivery that was cut off has no answer').to.deep.equal([]);
    expect(halfHead.received()).to.equal('');
    command.destroy();
  }).timeout(30_000);
});
