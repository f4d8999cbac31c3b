import { expect } from 'chai';
import { openServing } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { accepted } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { newOrderId, onRamp } from '../support/payloads.ts';
import { putAway } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { processFixture } from './process-fixture.ts';

describe('a ledger that starts over a quarantine', () => {
  const ledger = processFixture();

  it('releases what it can read when that is delivered again', async () => {
    const place = { dataDir: ledger.inFolder('data'), file: ledger.inFolder('data', 'events.db') };
    const orderId = newOrderId();
    const payload = onRamp({ orderId });
    const before = right(await openServing(place));
    await putAway(before, payload);
    await before.close();

    const serving = await ledger.serveHere(ledger.env());
    const answer = accepted(await deliver(serving.url, payload));
    expect(answer).to.include({ outcome: 'recorded', revision: 0, stream: `order-${orderId}` });
    expect(accepted(await deliver(serving.url, payload))).to.deep.equal(answer);
    const verify = await ledger.command(['verify', '--json'], ledger.env());
    expect(JSON.parse(verify.out)).to.deep.equal({ events: 3, orders: 1, failures: [], unknownSecrets: 0 });
  });
});
