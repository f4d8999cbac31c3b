import { expect } from 'chai';
import * as fc from 'fast-check';
import * as t from 'io-ts';
import { recordDigestIn } from '../../src/domain/any-metadata.ts';
import { branded } from '../../src/domain/brand.ts';
import { metadataText, searchedMetadata, parseMetadata, type EventMetadata } from '../../src/domain/event-metadata.ts';
import { RequestIdText, SecretIdText, Sha256Text, type RequestId, type SecretId } from '../../src/domain/ids.ts';
import { InstantText } from '../../src/domain/instant.ts';
import { shortDigest } from '../../src/domain/short-digest.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { anyText, instants, orderIds } from '../support/arbitraries.ts';
import { without } from '../support/payloads.ts';

const digests = anyText().map((text) => sha256(text));

const metadata: fc.Arbitrary<EventMetadata> = fc.record({
  schemaVersion: fc.constant(1),
  receivedAt: instants,
  signature: fc.stringMatching(/^[0-9a-fA-F]{64}$/),
  secretId: anyText()
    .filter((text) => text !== '' && text.isWellFormed())
    .map((text) => branded<SecretId>(text)),
  bodySha256: digests,
  recordSha256: digests,
  requestId: fc.stringMatching(/^[\w.:-]{8,128}$/).map((text) => branded<RequestId>(text)),
  $correlationId: orderIds,
});

const SAMPLE = {
  schemaVersion: 1,
  receivedAt: '2023-03-01T06:31:09.000Z',
  signature: 'a'.repeat(64),
  secretId: 'primary',
  bodySha256: 'b'.repeat(64),
  recordSha256: 'c'.repeat(64),
  requestId: 'request-1',
  $correlationId: 'ord-1',
} as const;

const STORED: EventMetadata = parseMetadata(JSON.stringify(SAMPLE)) ?? expect.fail('it is not read');
const NAMES = Object.keys(SAMPLE);

const ByCodec = t.type({
  schemaVersion: t.literal(1),
  receivedAt: InstantText,
  signature: t.string,
  secretId: SecretIdText,
  bodySha256: Sha256Text,
  recordSha256: Sha256Text,
  requestId: RequestIdText,
  $correlationId: t.string,
});

/** As it is stored, and as earlier versions stored it. */
const FORMS: readonly ((stored: EventMetadata) => string)[] = [metadataText, (stored) => JSON.stringify(stored)];
const texts = fc.tuple(fc.constantFrom(...FORMS), metadata).map(([form, stored]) => form(stored));

const named = (read: unknown): unknown =>
  t.UnknownArray.is(read) && read.length === NAMES.length
    ? Object.fromEntries(NAMES.map((name, at) => [name, read[at]]))
    : read;

const digestByCodec = (text: string): string | null => {
  try {
    const read = named(JSON.parse(text));
    return ByCodec.is(read) ? read.recordSha256 : null;
  } catch {
    return null;
  }
};

const parse = (value: unknown): EventMetadata | null => parseMetadata(JSON.stringify(value));

describe('event metadata', () => {
  it('comes back as it was stored', () => {
    fc.assert(
      fc.property(metadata, (stored) => {
        for (const form of FORMS) expect(parseMetadata(form(stored))).to.deep.equal(stored);
        expect(metadataText(stored)).to.equal(
          JSON.stringify(NAMES.map((name) => Object.entries(stored).find(([key]) => key === name)?.[1])),
        );
      }),
    );
  });

  it('is searched by its receipt, the digest of the body and the request id', () => {
    fc.assert(
      fc.property(metadata, fc.constantFrom(...FORMS), (stored, form) => {
        const text = form(stored);
        const { receivedAt, bodySha256, requestId } = stored;
        const isAscii = /^[ -\u007f]*$/.test(stored.secretId);
        const isPlain = isAscii && !text.includes('\\') && receivedAt.length === SAMPLE.receivedAt.length;
        const terms = { bodyTerm: shortDigest(bodySha256), requestTerm: shortDigest(requestId) };
        expect(searchedMetadata(text)).to.deep.equal(isPlain ? { receivedAt, ...terms } : null);
      }),
    );
  });

  it('is searched by nothing where it is not what the ledger writes', () => {
    for (const text of FORMS.map((form) => form(STORED))) {
      expect(searchedMetadata(text)).not.to.equal(null);
      for (let at = 0; at < text.length; at += 1) {
        const damaged = `${text.slice(0, at)}\u00fc${text.slice(at + 1)}`;
        if (parseMetadata(damaged) === null) expect(searchedMetadata(damaged), damaged).to.equal(null);
      }
    }
  });

  it('tells the digest of its record as a parser and a codec do, whatever was done to it', () => {
    const held = (text: string): void => {
      expect(recordDigestIn(text), text).to.equal(digestByCodec(text));
    };
    fc.assert(fc.property(texts, held));
    fc.assert(fc.property(fc.oneof(fc.json(), anyText()), held));
    for (const text of FORMS.map((form) => form(STORED))) {
      expect(recordDigestIn(text)).to.equal(SAMPLE.recordSha256);
      const [from, to] = [text.indexOf(SAMPLE.signature), text.indexOf(SAMPLE.signature) + SAMPLE.signature.length];
      for (let at = 0; at < text.length; at += 1) {
        // What the signature is nobody asks here: it is what does not fit the body then.
        if (at >= from && at < to) continue;
        // The last byte of some letters is that of a hex digit.
        for (const put of ['', '0', 'g', '\\', '"', '\u0130', '\u0161', '\ud800'])
          held(`${text.slice(0, at)}${put}${text.slice(at + 1)}`);
      }
    }
  });

  it('tells the same digests behind a search of many, in whatever order they are asked for', () => {
    const stored = fc.array(fc.oneof(texts, fc.constant('{}')), { minLength: 1, maxLength: 6 });
    const asked = fc.array(fc.nat(5), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(fc.tuple(stored, asked), { minLength: 1, maxLength: 3 }), (batches) => {
        for (const [batch, others] of batches) {
          for (const text of batch) searchedMetadata(text);
          const all = [...batch, ...others.map((at) => batch[at] ?? '')];
          for (const text of all) expect(recordDigestIn(text)).to.equal(digestByCodec(text));
        }
      }),
    );
  });

  it('is refused where it is not what the ledger writes', () => {
    expect(parse(SAMPLE)).to.deep.equal(SAMPLE);
    for (const key of Object.keys(SAMPLE)) {
      expect(parse(without(SAMPLE, key)), key).to.equal(null);
      for (const value of [null, 5, {}]) expect(parse({ ...SAMPLE, [key]: value }), key).to.equal(null);
    }
    for (const over of [
      { schemaVersion: 2 },
      { receivedAt: '2023-03-01T06:31:09Z' },
      { receivedAt: '2023-03-01t06:31:09.000Z' },
      { receivedAt: '2023-03-01T06:31:09.000z' },
      { receivedAt: 'now' },
      { secretId: '' },
      { bodySha256: 'B'.repeat(64) },
      { recordSha256: 'c'.repeat(63) },
      { requestId: 'short' },
    ]) {
      expect(parse({ ...SAMPLE, ...over }), JSON.stringify(over)).to.equal(null);
    }
    const listed = JSON.stringify(Object.values(SAMPLE));
    expect(parseMetadata(listed)).to.deep.equal(SAMPLE);
    for (const [was, is] of [
      ['[1', '[2'],
      ['[1,', '['],
      [']', ',1]'],
      ['primary', ''],
      ['request-1', 'short'],
      ['00Z', '0Z'],
    ] as const) {
      expect(parseMetadata(listed.replace(was, is)), is).to.equal(null);
    }
    for (const text of ['', 'null', '[]', '{', '"x"']) expect(parseMetadata(text), text).to.equal(null);
  });
});
