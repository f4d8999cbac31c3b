import { expect } from 'chai';
import type { OutgoingHttpHeaders } from 'node:http';
import { instantOf } from '../../src/domain/instant.ts';
import { accepted, refused } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { bodyOf, onRamp, without } from '../support/payloads.ts';
import { startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { head, openWire } from '../support/wire.ts';

const NOW = Date.UTC(2024, 0, 1);
const CAP = 2_000;
const BODY_WITHIN_MS = 80;

/**
 * docs/spec/receiving.md, Order of checks: 415, 413 and 408, signature, age, decode. Each body fails a check and all
 * that come after it.
 */
describe('order of the checks', () => {
  let ledger: RunningLedger;
  let impatient: RunningLedger;
  before(async () => {
    const settings = { maxBodyBytes: CAP, maxAgeSeconds: 600 };
    ledger = await startLedger({ settings, now: () => instantOf(NOW) });
    impatient = await startLedger({ settings: { ...settings, bodyWithinMs: BODY_WITHIN_MS } });
  });
  after(() => Promise.all([ledger.close(), impatient.close()]));

  const old = instantOf(NOW - 601_000);
  const oldAndUnreadable = (): Buffer => bodyOf(without(onRamp({ createdAt: old }), 'fiat'));
  const large = (): Buffer => Buffer.concat([oldAndUnreadable(), Buffer.alloc(CAP, ' ')]);
  const wrong = '0'.repeat(64);

  const rows: readonly (readonly [string, Buffer, string | null | undefined, OutgoingHttpHeaders, number, string])[] = [
    ['type before size', large(), wrong, { 'content-type': 'text/plain' }, 415, 'unsupported-media-type'],
    ['encoding before size', large(), wrong, { 'content-encoding': 'gzip' }, 415, 'unsupported-media-type'],
    ['size before a missing signature', large(), null, {}, 413, 'body-too-large'],
    ['size before a wrong signature', large(), wrong, {}, 413, 'body-too-large'],
    ['a missing signature before age', oldAndUnreadable(), null, {}, 401, 'signature-missing'],
    ['a malformed signature before age', oldAndUnreadable(), 'x', {}, 401, 'signature-malformed'],
    ['a wrong signature before age', oldAndUnreadable(), wrong, {}, 401, 'signature-mismatch'],
    ['age before decoding', oldAndUnreadable(), undefined, {}, 401, 'too-old'],
  ];
  for (const [name, body, signature, headers, status, code] of rows) {
    it(name, async () => {
      const sent = signature === undefined ? { headers } : { signature, headers };
      refused(await deliver(ledger.url, body, sent), status, code);
      expect(ledger.accessLines.at(-1)).to.include({ outcome: code, proved: signature === undefined });
      expect(await ledger.eventCount()).to.equal(0);
    });
  }

  const unfinished = async (headers: Record<string, string | number>, status: number, code: string): Promise<void> => {
    const wire = openWire(impatient.url);
    wire.write(head('POST /v1/webhooks HTTP/1.1', { host: 'x', 'content-type': 'application/json', ...headers }));
    wire.write('{"orderId":');
    const [answer] = await wire.answered(1);
    if (answer !== undefined) refused(answer, status, code);
    await wire.closed();
    wire.cut();
  };

  it('type before the deadline, at once', () =>
    unfinished({ 'content-type': 'text/plain', 'content-length': 100 }, 415, 'unsupported-media-type'));
  it('size before the deadline, at once', () => unfinished({ 'content-length': CAP + 1 }, 413, 'body-too-large'));
  it('the deadline before the signature', () => unfinished({ 'content-length': 100 }, 408, 'body-timeout'));

  it('and what fails none is recorded', async () => {
    const answer = accepted(await deliver(ledger.url, onRamp({ createdAt: instantOf(NOW - 600_000) })));
    expect(answer.outcome).to.equal('recorded');
  });
});
