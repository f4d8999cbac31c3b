import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseMetadata } from '../../src/domain/event-metadata.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { accepted, refused } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { bodyOf, onRamp, SECRET, signatureOf } from '../support/payloads.ts';
import { API_KEY, secretNamed, startLedger, type RunningLedger } from '../support/running-ledger.ts';

const OTHER = 'second:secret=with-separators-0123';
const RETIRED = 'retired-secret-of-24-bytes-or-more';

describe('signature of a delivery', () => {
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger({ secrets: [secretNamed('primary', SECRET), secretNamed('second', OTHER)] });
  });
  after(() => ledger.close());

  const secretIdOf = async (orderId: string | null): Promise<string | undefined> => {
    const [event] = await ledger.eventsOf(`order-${String(orderId)}`);
    return parseMetadata(event?.metadata ?? '')?.secretId;
  };

  it('is of any active secret, and the event says of which', async () => {
    for (const [id, secret] of [
      ['primary', SECRET],
      ['second', OTHER],
    ] as const) {
      const body = bodyOf(onRamp());
      const { orderId } = accepted(await deliver(ledger.url, body, { signature: signatureOf(body, secret) }));
      expect(await secretIdOf(orderId)).to.equal(id);
    }
  });

  it('is hex in any letter case, kept as it came', async () => {
    for (const spell of [
      (hex: string) => hex.toUpperCase(),
      (hex: string) => hex.replace(/[a-f]/, (digit) => digit.toUpperCase()),
    ]) {
      const body = bodyOf(onRamp());
      const signature = spell(signatureOf(body));
      const { orderId } = accepted(await deliver(ledger.url, body, { signature }));
      const bytes = await exchange(ledger.url, {
        path: `/v1/orders/${String(orderId)}/events/0/body`,
        headers: { authorization: `Bearer ${API_KEY}` },
      });
      expect(bytes.headers['x-service-signature']).to.equal(signature);
      expect(bytes.bytes).to.deep.equal(body);
    }
  });

  it('may have blanks around it, as every header', async () => {
    const body = bodyOf(onRamp());
    accepted(await deliver(ledger.url, body, { signature: ` ${signatureOf(body)}\t` }));
  });

  const body = bodyOf(onRamp());
  const good = signatureOf(body);

  const refuses = (name: string, signature: string | string[] | null, code: string): void => {
    it(`${name}: ${code}`, async () => {
      refused(await deliver(ledger.url, body, { signature }), 401, code);
    });
  };

  refuses('none', null, 'signature-missing');
  refuses('empty', '', 'signature-missing');
  refuses('blanks', '  ', 'signature-missing');
  refuses('63 digits', good.slice(1), 'signature-malformed');
  refuses('62 digits, which are 31 bytes', good.slice(2), 'signature-malformed');
  refuses('65 digits', `${good}0`, 'signature-malformed');
  refuses('twice over', good + good, 'signature-malformed');
  refuses('a list', `${good}, ${good}`, 'signature-malformed');
  refuses('a list of a wrong and a right one', `${'0'.repeat(64)}, ${good}`, 'signature-malformed');
  refuses('two headers, both right', [good, good], 'signature-malformed');
  refuses('two headers, the first right', [good, '0'.repeat(64)], 'signature-malformed');
  refuses('two headers, the second right', ['0'.repeat(64), good], 'signature-malformed');
  refuses('two headers, one empty', [good, ''], 'signature-malformed');
  refuses('a name before it', `sha256=${good}`, 'signature-malformed');
  refuses('0x before it', `0x${good.slice(2)}`, 'signature-malformed');
  refuses('base64', Buffer.from(good, 'hex').toString('base64'), 'signature-malformed');
  refuses('a letter beyond f', `${good.slice(0, 63)}g`, 'signature-malformed');
  refuses('a blank inside', `${good.slice(0, 32)} ${good.slice(33)}`, 'signature-malformed');
  refuses('letters of Latin-1', `${good.slice(0, 63)}\u00e9`, 'signature-malformed');
  refuses(
    'digits with bad ones behind, which a lenient reader cuts off',
    `${good.slice(0, 62)}zz`,
    'signature-malformed',
  );
  refuses('8,000 digits', 'a'.repeat(8_000), 'signature-malformed');
  refuses('zeros', '0'.repeat(64), 'signature-mismatch');
  refuses('of a retired secret', signatureOf(body, RETIRED), 'signature-mismatch');
  refuses('of an empty secret', signatureOf(body, ''), 'signature-mismatch');
  refuses('of the name of a secret', signatureOf(body, 'primary'), 'signature-mismatch');
  refuses('of a secret cut at its separator', signatureOf(body, 'second'), 'signature-mismatch');
  refuses('of the digest of the body', signatureOf(Buffer.from(sha256(body))), 'signature-mismatch');
  refuses('the digest of the body', sha256(body), 'signature-mismatch');
  refuses('of another body', signatureOf(bodyOf(onRamp())), 'signature-mismatch');
  refuses(
    'of a body with a line end more',
    signatureOf(Buffer.concat([body, Buffer.from('\n')])),
    'signature-mismatch',
  );

  it('does not fit a body in which any one bit is another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(body.length * 8 - 1), async (bit) => {
        const altered = Buffer.from(body);
        altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        refused(await deliver(ledger.url, altered, { signature: good }), 401, 'signature-mismatch');
      }),
    );
  });

  it('with one digit another fits nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(63), fc.integer({ min: 1, max: 15 }), async (at, more) => {
        const digit = ((Number.parseInt(good.charAt(at), 16) + more) % 16).toString(16);
        const signature = good.slice(0, at) + digit + good.slice(at + 1);
        refused(await deliver(ledger.url, body, { signature }), 401, 'signature-mismatch');
      }),
      { numRuns: 50 },
    );
  });

  it('leaves nothing of what was refused, and the same body is taken with the right one', async () => {
    const fresh = onRamp();
    const count = await ledger.eventCount();
    refused(await deliver(ledger.url, fresh, { signature: good }), 401, 'signature-mismatch');
    expect(await ledger.eventCount()).to.equal(count);
    expect(accepted(await deliver(ledger.url, fresh)).outcome).to.equal('recorded');
    expect(await ledger.eventCount()).to.equal(count + 1);
  });

  it('is looked for in the header that is configured, and named by it', async () => {
    const other = await startLedger({ settings: { signatureHeader: 'X-Acme-Mac' } });
    try {
      const payload = bodyOf(onRamp());
      const signature = signatureOf(payload);
      const { detail } = refused(await deliver(other.url, payload), 401, 'signature-missing');
      expect(detail).to.include('X-Acme-Mac');
      accepted(await deliver(other.url, payload, { signature: null, headers: { 'X-ACME-MAC': signature } }));
      // The header of the default says nothing then, right or wrong.
      const both = { signature: '0', headers: { 'x-acme-mac': signature } };
      expect(accepted(await deliver(other.url, payload, both)).outcome).to.equal('duplicate');
    } finally {
      await other.close();
    }
  });

  it('fits nothing while there is no secret', async () => {
    const none = await startLedger({ secrets: [] });
    try {
      for (const secret of [SECRET, '', 'undefined', 'null']) {
        refused(await deliver(none.url, body, { signature: signatureOf(body, secret) }), 401, 'signature-mismatch');
      }
    } finally {
      await none.close();
    }
  });
});
