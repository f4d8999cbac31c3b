import { expect } from 'chai';
import { isForDeliveries } from '../../src/http/deliveries-path.ts';
import { bodyOf, onRamp, signatureOf } from '../support/payloads.ts';
import { startLedger } from '../support/running-ledger.ts';
import { head, openWire } from '../support/wire.ts';

const PATHS = [
  '/v1/webhooks',
  '/v1/webhooks/',
  '/V1/WebHooks',
  '/V1/WEBHOOKS/',
  '/v1/webhooks//',
  '/v1/webhooksx',
  '/v1/webhooks/x',
  '/v1/webhook',
  '/v1//webhooks',
  '//v1/webhooks',
  '/v1/./webhooks',
  '/v1/x/../webhooks',
  '/v1/web%68ooks',
  '/v1/webhooks%2f',
  '/v1/webhooks;a',
  '/v1/webhook\u017F',
  '/',
];
const TARGETS = PATHS.flatMap((path) =>
  ['', '?', '?a=b', '?/'].flatMap((query) =>
    ['', 'http://ledger', 'HTTPS://user:pass@LEDGER:1', 'ftp://ledger'].map((origin) => `${origin}${path}${query}`),
  ),
);

describe('the address of deliveries', () => {
  it('is recognised in every spelling that deliveries are taken in, and in no other', async () => {
    const ledger = await startLedger();
    const recognised: string[] = [];
    const taken: string[] = [];
    for (const target of [...TARGETS, '*', 'http://', 'http://ledger']) {
      const wire = openWire(ledger.url);
      const body = bodyOf(onRamp());
      const headers = {
        host: 'ledger',
        'content-type': 'application/json',
        'x-service-signature': signatureOf(body),
        'content-length': body.length,
      };
      wire.write(`${head(`POST ${target} HTTP/1.1`, headers)}${body.toString()}`);
      const [answer] = await wire.answered(1);
      wire.cut();
      if (answer?.status === 200) taken.push(target);
      if (isForDeliveries(target)) recognised.push(target);
    }
    await ledger.close();
    expect(taken.length).to.be.greaterThan(20);
    expect(recognised).to.deep.equal(taken);
  });
});
