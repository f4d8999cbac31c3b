import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { exchange } from '../support/exchange.ts';
import { until } from '../support/until.ts';
import { head, openWire } from '../support/wire.ts';
import { within } from '../support/within.ts';
import { ask, expectOrderlyEnd, processFixture } from '../process/process-fixture.ts';
import { toldToStop } from '../process/told-to-stop.ts';

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

describe('a ledger that is told to stop in every way', () => {
  toldToStop(['SIGTERM'], ['SIGINT'], ['SIGTERM', 'SIGTERM'], ['SIGINT', 'SIGINT']);
});

describe('a ledger that is told to stop while it waits for callers', () => {
  const ledger = processFixture();

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
