import { expect } from 'chai';
import { exchange } from '../support/exchange.ts';
import { bodyOf, onRamp, signatureOf } from '../support/payloads.ts';
import { silentAddress, type SilentAddress } from '../support/silent-address.ts';
import { within } from '../support/within.ts';
import { processFixture } from '../process/process-fixture.ts';

/** docs/spec/receiving.md, Shutdown. */
const ENDS_WITHIN_MS = 10_000;

describe("a ledger whose event store's address drops all packets", () => {
  const ledger = processFixture();
  let address: SilentAddress;
  beforeEach(async () => {
    address = await silentAddress();
  });
  afterEach(() => address.end());

  const deliver = (url: string, orderId: string) => {
    const body = bodyOf(onRamp({ orderId }));
    const headers = { 'content-type': 'application/json', 'x-service-signature': signatureOf(body) };
    return exchange(url, { path: '/v1/webhooks', method: 'POST', headers, body });
  };

  for (const form of ['esdb', 'esdb+discover']) {
    it(`keeps deliveries, and ends promptly when it is told to (${form})`, async () => {
      const serving = await ledger.serve(ledger.env({ EVENT_STORE_URL: `${form}://${address.host}?tls=false` }));
      expect((await deliver(serving.url, 'meanwhile')).status).to.equal(202);
      serving.signal('SIGTERM');
      const { status, err, out } = await within(ENDS_WITHIN_MS, serving.finished, 'the end');
      expect({ status, err }).to.deep.equal({ status: 0, err: '' });
      expect(out).to.include('"stopped"');
    }).timeout(60_000);
  }
});
