import { expect } from 'chai';
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import {
  conflictEventId,
  conflictName,
  orderEventId,
  quarantineEventId,
  releaseEventId,
} from '../../src/domain/event-id.ts';
import { isEventId, type OrderId, type Utr } from '../../src/domain/ids.ts';
import { eventIdOf } from '../../src/domain/order-key.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { anyText } from '../support/arbitraries.ts';
import { offRamp, orderPayload } from '../support/payloads.ts';

const NAMESPACE = '8f0c2f0e-6c1d-4a57-b1a3-d29c7e5b4f60';

/** RFC 9562, 5.5, bit by bit: SHA-1 over namespace and name, the first 128 bits, version and variant set. */
const uuidV5 = (namespace: string, name: string): string => {
  const digest = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  digest.writeUInt8((digest.readUInt8(6) & 0b0000_1111) | 0b0101_0000, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0b0011_1111) | 0b1000_0000, 8);
  const hex = digest.subarray(0, 16).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

const escaped = (parts: readonly string[]): string =>
  Array.from(JSON.stringify(parts))
    .flatMap((char) => Array.from({ length: char.length }, (_, i) => char.charCodeAt(i)))
    .map((code) => (code < 128 ? String.fromCharCode(code) : `\\u${code.toString(16).padStart(4, '0')}`))
    .join('');

const idOf = (orderId: string, status: string, utr: string | null): string =>
  orderEventId(branded<OrderId>(orderId), status, utr === null ? null : branded<Utr>(utr));

const FACTS = sha256('facts');
const SIGNATURE = '0123456789abcdef'.repeat(4);

const GOLDEN = {
  pending: '13c53642-5e8d-5a44-8617-954242c2c125',
  paid: 'b2962948-c254-574c-a77a-5ef846d25eae',
  name: 'c326ed6b-838f-5b25-bda8-8c86738ed8b4',
  conflict: '7cb1d2ce-a92a-5b7c-bea5-1c88c1dfd95f',
  quarantine: 'd1c1e91d-8da4-5b0f-8649-b8cbe0737ad3',
  release: 'c84c970e-7a59-5829-961e-0c0caef3ac69',
};

describe('event ids', () => {
  it('are UUIDv5 after RFC 9562', () => {
    // The RFC's own example, which shows that what the ids are compared with is right.
    expect(uuidV5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).to.equal(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    );
    fc.assert(
      fc.property(anyText(), anyText(), anyText(), (orderId, status, utr) => {
        const id = idOf(orderId, status, utr);
        expect(id).to.equal(uuidV5(NAMESPACE, escaped([orderId, status, utr])));
        expect(isEventId(id)).to.equal(true);
        const key = [branded<OrderId>(orderId), status, branded<Utr>(utr)] as const;
        expect(conflictName(...key, FACTS)).to.equal(uuidV5(NAMESPACE, escaped([...key, FACTS])));
        const conflict = conflictEventId(...key, FACTS, SIGNATURE);
        expect(conflict).to.equal(uuidV5(NAMESPACE, escaped([...key, FACTS, SIGNATURE])));
        expect(isEventId(conflict)).to.equal(true);
      }),
    );
    expect(quarantineEventId(FACTS)).to.equal(uuidV5(NAMESPACE, escaped(['quarantine', FACTS])));
    expect(releaseEventId(FACTS)).to.equal(uuidV5(NAMESPACE, escaped(['release', FACTS])));
  });

  it('never change: stored events hang on them', () => {
    expect(idOf('ord-1', 'fiatPending', null)).to.equal(GOLDEN.pending);
    expect(idOf('ord-é😀', 'PayoutSuccess', 'UTR"1')).to.equal(GOLDEN.paid);
    const key = [branded<OrderId>('ord-1'), 'fiatPending', null] as const;
    expect(conflictName(...key, FACTS)).to.equal(GOLDEN.name);
    expect(conflictEventId(...key, FACTS, SIGNATURE)).to.equal(GOLDEN.conflict);
    expect(quarantineEventId(FACTS)).to.equal(GOLDEN.quarantine);
    expect(releaseEventId(FACTS)).to.equal(GOLDEN.release);
  });

  it('differ wherever a part of the key differs, whatever its characters', () => {
    const parts = fc.tuple(anyText(4), anyText(4), anyText(4));
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        const same = a.every((part, i) => part === b[i]);
        expect(idOf(...a) === idOf(...b)).to.equal(same);
      }),
      { numRuns: 2000 },
    );
    const shifted = [
      ['ab', 'c', ''],
      ['a', 'bc', ''],
      ['a', 'b', 'c'],
      ['a","b', 'c', ''],
      ['a', 'b","c', ''],
      ['a', 'b', '\ud800'],
      ['a', 'b', '\udc00'],
      ['a', 'b', '\ufffd'],
      ['a', 'b', '\\ud800'],
      ['a', 'b', 'é'],
      ['a', 'b', 'e\u0301'],
      ['a', 'b', '\\u00e9'],
      ['a', 'B', 'c'],
    ] as const;
    expect(new Set(shifted.map(([orderId, status, utr]) => idOf(orderId, status, utr))).size).to.equal(shifted.length);
  });

  it('are one for a conflict in whatever letter case its signature came, and another for each other signature', () => {
    const idSigned = (signature: string): string =>
      conflictEventId(branded<OrderId>('ord-1'), 'fiatPending', null, FACTS, signature);
    expect(idSigned(SIGNATURE.toUpperCase())).to.equal(idSigned(SIGNATURE));
    const name = conflictName(branded<OrderId>('ord-1'), 'fiatPending', null, FACTS);
    const others = Array.from({ length: 64 }, (_, at) => `${SIGNATURE.slice(0, at)}f${SIGNATURE.slice(at + 1)}`);
    const ids = new Set([name, ...[SIGNATURE, ...others].map(idSigned)]);
    expect(ids.size).to.equal(1 + new Set([SIGNATURE, ...others]).size);
  });

  it('take an absent, a null and an empty utr for one', () => {
    const payload = offRamp({ orderId: 'ord-1' });
    const ids = [payload, { ...payload, utr: null }, { ...payload, utr: '' }].map((p) => eventIdOf(orderPayload(p)));
    expect(new Set([...ids, idOf('ord-1', 'pending', null)]).size).to.equal(1);
    expect(eventIdOf(orderPayload({ ...payload, utr: ' ' }))).not.to.equal(ids[0]);
  });
});
