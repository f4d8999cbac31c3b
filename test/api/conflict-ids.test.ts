import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { conflictName } from '../../src/domain/event-id.ts';
import { factsDigest } from '../../src/domain/facts-digest.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { keyOf } from '../../src/domain/order-key.ts';
import { accepted } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { liveStream } from '../support/live-stream.ts';
import { newOrderId, onRamp, orderPayload } from '../support/payloads.ts';
import { READER_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';

const MASKED_KEY = 'masked-api-key-of-at-least-24-bytes';
const EMAILS = ['asha.rao', 'priya.nair', 'paul.shah'].map((name) => `${name}@example.com`);
const NAMESPACE = Buffer.from('8f0c2f0e6c1d4a57b1a3d29c7e5b4f60', 'hex');

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The first digits of a UUIDv5: those before its version. */
const uuidStart = (parts: readonly string[]): string => {
  const digits = createHash('sha1').update(NAMESPACE).update(JSON.stringify(parts)).digest('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-`;
};

/** Every id and digest that can be made of a guess without the secret. */
const madeOf = (guess: JsonObject): readonly string[] => {
  const payload = orderPayload(guess);
  const { orderId, status, utr } = keyOf(payload);
  const facts = factsDigest(payload);
  const body = sha256Of(JSON.stringify(guess));
  const key = [orderId, status, utr ?? ''];
  return [
    conflictName(orderId, status, utr, facts),
    ...[facts, body].map((digest) => uuidStart([...key, digest])),
    // Salted with nothing, or with what is known of the body.
    ...['', facts, body].map((salt) => uuidStart([...key, facts, salt])),
    facts,
    body,
  ];
};

describe('the id of a conflict', () => {
  let ledger: RunningLedger;

  before(async () => {
    ledger = await startLedger({
      env: { API_KEYS: `reader:orders:read=${READER_KEY},masked:orders:read+audit:read=${MASKED_KEY}` },
    });
  });
  after(() => ledger.close());

  const ask = async (key: string, path: string): Promise<string> => {
    const { status, text } = await exchange(ledger.url, { path, headers: { authorization: `Bearer ${key}` } });
    expect(status, `${path}: ${text}`).to.equal(200);
    return text;
  };

  it('confirms no guess of what is masked in it to whoever may read orders', async () => {
    const orderId = newOrderId();
    const live = await liveStream(ledger.url, READER_KEY);
    const customer = { id: 'c1', email: EMAILS[1] ?? '', phone: {}, created_at: '2022-11-28T12:45:17.000Z' };
    const first = onRamp({ orderId, customer });
    const other = { ...first, fiat: 101 };
    expect(accepted(await deliver(ledger.url, first)).outcome).to.equal('recorded');
    const { eventId, outcome, position } = accepted(await deliver(ledger.url, other));
    expect(outcome).to.equal('conflict');
    const paths = [
      `/v1/orders/${orderId}`,
      `/v1/orders/${orderId}/events`,
      `/v1/orders?q=${orderId}&position=${position}`,
    ];
    const told = await Promise.all(paths.map((path) => ask(READER_KEY, path)));
    await live.some(2);
    told.push(live.text());
    live.close();
    // All of them show the id, and none the address.
    for (const text of told) expect(text).to.include(eventId).and.not.to.include(customer.email);
    for (const email of EMAILS) {
      for (const made of madeOf({ ...other, customer: { ...customer, email } }))
        for (const text of told) expect(text, email).not.to.include(made);
    }
  });

  it('is none that facts alone give, in no list or file of a key that sees digests and nothing masked', async () => {
    const orderId = newOrderId();
    const first = onRamp({ orderId });
    accepted(await deliver(ledger.url, first));
    const other = { ...first, fiat: 101 };
    const { eventId, position } = accepted(await deliver(ledger.url, other));
    const [name] = madeOf(other);
    for (const path of [
      `/v1/exports/orders?format=ndjson&position=${position}`,
      `/v1/exports/events?format=ndjson&position=${position}`,
      `/v1/exports/audit?format=ndjson&position=${position}`,
      `/v1/audit?q=${orderId}&position=${position}`,
      `/v1/orders/${orderId}/audit`,
    ]) {
      const text = await ask(MASKED_KEY, path);
      expect(text, path).to.include(orderId).and.not.to.include(name);
      if (!path.includes('orders?')) expect(text, path).to.include(eventId);
    }
    const byName = await ask(MASKED_KEY, `/v1/audit?q=${name ?? ''}`);
    expect(JSON.parse(byName)).to.deep.equal({ data: [], next: null });
  });
});
