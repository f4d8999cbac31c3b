import { join } from 'node:path';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { ARRIVALS_FILE, readArrivals } from '../../src/arrivals/arrivals-file.ts';
import { accepted, refused } from '../support/answers.ts';
import { jsonTexts, payloads, spell, spellings } from '../support/arbitraries.ts';
import { deliver, type Answer } from '../support/exchange.ts';
import { bodyOf, newOrderId, onRamp, signatureOf } from '../support/payloads.ts';
import { startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { hostileBodies } from './hostile-bodies.ts';

/** ECMAScript's re-serialisation of a JSON text (docs/spec/receiving.md, Bytes). */
const serialised = (text: string): Buffer => Buffer.from(JSON.stringify(JSON.parse(text)));

describe('WEBHOOK_SIGNED_FORM=json', () => {
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger({ settings: { signedForm: 'json' } });
  });
  after(() => ledger.close());

  const deliverSerialised = (text: string): Promise<Answer> =>
    deliver(ledger.url, text, { signature: signatureOf(serialised(text)) });

  it('verifies, decodes and keeps the re-serialised form', async () => {
    for (const text of [
      JSON.stringify(onRamp(), null, 2),
      ` ${JSON.stringify(onRamp())}\n`,
      JSON.stringify(onRamp()).replace('inr', String.raw`\u0069nr`),
      JSON.stringify(onRamp()).replace('"fiat":100', '"fiat":100.00'),
      JSON.stringify(onRamp()).replace('"fiat":100', '"fiat":1051823.6300000001'),
      JSON.stringify(onRamp()).replace('"fiat":100', '"fiat":1,"fiat":2'),
      JSON.stringify(onRamp({ note: '<b> & "quoted" \u2028 \ud83d' })),
    ]) {
      const answer = accepted(await deliverSerialised(text));
      expect(answer.outcome).to.equal('recorded');
      expect(await ledger.bytesAt(answer.stream, 0)).to.deep.equal(serialised(text));
    }
  });

  it('skips a BOM', async () => {
    const text = JSON.stringify(onRamp());
    const { stream } = accepted(
      await deliver(ledger.url, `\uFEFF${text}`, { signature: signatureOf(Buffer.from(text)) }),
    );
    expect((await ledger.bytesAt(stream, 0))?.toString()).to.equal(text);
  });

  it('takes what is the same in both forms', async () => {
    const body = bodyOf(onRamp());
    const { stream } = accepted(await deliver(ledger.url, body));
    expect(await ledger.bytesAt(stream, 0)).to.deep.equal(body);
  });

  it('refuses a signature over the bytes where the forms differ', async () => {
    const body = Buffer.from(JSON.stringify(onRamp(), null, 2));
    refused(await deliver(ledger.url, body), 401, 'signature-mismatch');
    expect(await ledger.eventsOf(`quarantine-${signatureOf(body)}`)).to.deep.equal([]);
  });

  it('a body that is no JSON fits no signature, whatever it is over', async () => {
    const count = await ledger.eventCount();
    for (const body of ['', 'no JSON', '{"orderId":', '\0', `${JSON.stringify(onRamp())}}`].map((text) =>
      Buffer.from(text),
    )) {
      for (const form of [body, Buffer.from('null'), Buffer.from('{}'), Buffer.alloc(0)]) {
        refused(await deliver(ledger.url, body, { signature: signatureOf(form) }), 401, 'signature-mismatch');
      }
    }
    refused(await deliver(ledger.url, Buffer.from([0x22, 0xff, 0x22])), 401, 'signature-mismatch');
    expect(await ledger.eventCount()).to.equal(count);
  });

  it('takes no body that nests deeper than senders write, and quarantines what is as deep as they may', async () => {
    const nested = (levels: number): string =>
      JSON.stringify(onRamp()).replace('"fiat":100', `"fiat":100,"note":${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect(accepted(await deliverSerialised(nested(9_999))).outcome).to.equal('quarantined');
    refused(await deliverSerialised(nested(10_000)), 401, 'signature-mismatch');
  });

  it('a number that JSON can no longer hold is quarantined as what was signed', async () => {
    const text = JSON.stringify(onRamp()).replace('"fiat":100', '"fiat":1e400');
    const answer = accepted(await deliverSerialised(text));
    expect(answer.outcome).to.equal('quarantined');
    expect((await ledger.bytesAt(answer.stream, 0))?.toString()).to.include('"fiat":null');
  });

  it('a form that has grown beyond the cap is refused as a body of that size would be', async () => {
    const many = Array.from({ length: 20_000 }, () => '1e20').join(',');
    const text = JSON.stringify(onRamp()).replace('"fiat":100', `"fiat":100,"note":[${many}]`);
    expect(Buffer.byteLength(text)).to.be.lessThan(262_144);
    refused(await deliverSerialised(text), 413, 'body-too-large');
  });

  it('answers every hostile body, and takes none of those that differ by their bytes', async () => {
    for (const { name, bytes } of hostileBodies()) {
      const { status } = await deliver(ledger.url, bytes);
      expect(status, name).to.be.oneOf([200, 401]);
    }
    expect(ledger.unexpected).to.deep.equal([]);
  });

  it('keeps the form of any JSON text, and of any payload in any spelling', async () => {
    const texts = fc.oneof(
      jsonTexts.map(({ text }) => text),
      fc.tuple(payloads, spellings).map(([payload, choices]) => spell({ ...payload, orderId: newOrderId() }, choices)),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const answer = accepted(await deliverSerialised(text));
        expect(await ledger.bytesAt(answer.stream, answer.revision)).to.deep.equal(serialised(text));
      }),
    );
  });
});

describe('a body that was written anew on its way', () => {
  it('is told of where it is small enough to be looked at by who has proved nothing', async () => {
    const folder = temporaryFolder();
    const ledger = await startLedger({ env: { DATA_DIR: folder.path } });
    const told = (note: string) => ({ orderId: newOrderId(), note });
    for (const body of [told('small'), told('large'.repeat(2_000))].map(onRamp)) {
      const signature = signatureOf(serialised(JSON.stringify(body)));
      refused(await deliver(ledger.url, JSON.stringify(body, null, 2), { signature }), 401, 'signature-mismatch');
    }
    await ledger.close();
    expect(readArrivals(join(folder.path, ARRIVALS_FILE)).refused.map(({ rewritten }) => rewritten)).to.deep.equal([
      true,
      false,
    ]);
    folder.remove();
  });
});
