import { expect } from 'chai';
import { deflateSync, gzipSync } from 'node:zlib';
import { accepted, refused } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { bodyOf, onRamp, signatureOf } from '../support/payloads.ts';
import { startLedger, type RunningLedger } from '../support/running-ledger.ts';

describe('media type of a delivery', () => {
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger();
  });
  after(() => ledger.close());

  for (const type of [
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json ; charset="UTF-8"',
    'application/json;',
    'application/json; profile="a;b"',
  ]) {
    it(`takes ${type}`, async () => {
      accepted(await deliver(ledger.url, onRamp(), { headers: { 'content-type': type } }));
    });
  }

  const refusesWithoutReading = async (headers: Record<string, string>, body = bodyOf(onRamp())): Promise<void> => {
    const before = await ledger.eventCount();
    for (const signature of [signatureOf(body), null]) {
      refused(await deliver(ledger.url, body, { signature, headers }), 415, 'unsupported-media-type');
    }
    expect(await ledger.eventCount()).to.equal(before);
  };

  for (const type of [
    '',
    'text/plain',
    'text/json',
    'application/jsonx',
    'application/json-patch+json',
    'application/vnd.api+json',
    'application/json, text/html',
    'application/json text/html',
    'text/html; a=application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    '*/*',
  ]) {
    it(`refuses ${type === '' ? 'an empty one' : type}`, () => refusesWithoutReading({ 'content-type': type }));
  }

  it('refuses a body of no type', async () => {
    const body = bodyOf(onRamp());
    const headers = { 'x-service-signature': signatureOf(body), 'content-length': body.length };
    refused(
      await exchange(ledger.url, { method: 'POST', path: '/v1/webhooks', headers, body }),
      415,
      'unsupported-media-type',
    );
  });

  it('takes a body that is said not to be encoded', async () => {
    for (const encoding of ['identity', 'Identity']) {
      accepted(await deliver(ledger.url, onRamp(), { headers: { 'content-encoding': encoding } }));
    }
  });

  it('refuses a body that is said to be encoded, whatever it is', async () => {
    const body = bodyOf(onRamp());
    for (const [encoding, bytes] of [
      ['gzip', gzipSync(body)],
      ['GZIP', gzipSync(body)],
      ['deflate', deflateSync(body)],
      ['gzip', body],
      ['gzip', Buffer.alloc(0)],
      ['br', body],
      ['zstd', body],
      ['identity, gzip', gzipSync(body)],
      ['gzip, gzip', gzipSync(gzipSync(body))],
      ['nonsense', body],
    ] as const) {
      await refusesWithoutReading({ 'content-encoding': encoding }, bytes);
    }
  });
});
