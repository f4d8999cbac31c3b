import { expect } from 'chai';
import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import { orderEventId } from '../../src/domain/event-id.ts';
import { bodyOfQuarantineStream, orderStream, quarantineStream, type OrderId } from '../../src/domain/ids.ts';
import {
  parseQuarantineData,
  parseReleaseData,
  quarantineDataBytes,
  releaseDataBytes,
  type QuarantineData,
  type ReleaseData,
} from '../../src/domain/quarantine-data.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { anyText, orderIds as orderIdTexts } from '../support/arbitraries.ts';
import { without } from '../support/payloads.ts';

const orderIds = orderIdTexts.map((text) => branded<OrderId>(text));

const quarantines: fc.Arbitrary<QuarantineData> = fc.record({
  reasons: fc.array(fc.record({ path: anyText(), message: anyText() })),
  orderId: fc.option(orderIds),
});

const releases: fc.Arbitrary<ReleaseData> = orderIds.chain((orderId) =>
  fc.record({
    eventId: fc.constant(orderEventId(orderId, 'pending', null)),
    outcome: fc.constantFrom('recorded', 'duplicate', 'conflict'),
    orderId: fc.constant(orderId),
  }),
);

const QUARANTINE = { reasons: [{ path: 'fiat', message: 'expected a number' }], orderId: null };
const RELEASE = { eventId: '13c53642-5e8d-5a44-8617-954242c2c125', outcome: 'recorded', orderId: 'o' };

describe('quarantine data', () => {
  it('comes back as it was stored', () => {
    fc.assert(
      fc.property(quarantines, releases, (quarantine, release) => {
        expect(parseQuarantineData(quarantineDataBytes(quarantine).toString())).to.deep.equal(quarantine);
        expect(parseReleaseData(releaseDataBytes(release).toString())).to.deep.equal(release);
      }),
    );
  });

  it('is refused where it is not what the ledger writes', () => {
    expect(parseQuarantineData(JSON.stringify(QUARANTINE))).to.deep.equal(QUARANTINE);
    expect(parseReleaseData(JSON.stringify(RELEASE))).to.deep.equal(RELEASE);
    for (const key of ['reasons', 'orderId']) {
      expect(parseQuarantineData(JSON.stringify(without(QUARANTINE, key))), key).to.equal(null);
      expect(parseQuarantineData(JSON.stringify({ ...QUARANTINE, [key]: 5 })), key).to.equal(null);
    }
    for (const reasons of [null, ['x'], [{ path: '' }], [{ path: '', message: 1 }]]) {
      expect(parseQuarantineData(JSON.stringify({ ...QUARANTINE, reasons })), JSON.stringify(reasons)).to.equal(null);
    }
    for (const key of Object.keys(RELEASE)) {
      expect(parseReleaseData(JSON.stringify(without(RELEASE, key))), key).to.equal(null);
      for (const value of [null, 5, ''])
        expect(parseReleaseData(JSON.stringify({ ...RELEASE, [key]: value })), key).to.equal(null);
    }
    for (const over of [{ outcome: 'quarantined' }, { eventId: 'x' }, { orderId: '\ud800' }, { orderId: 'a\0' }]) {
      expect(parseReleaseData(JSON.stringify({ ...RELEASE, ...over })), JSON.stringify(over)).to.equal(null);
    }
    for (const text of ['', 'null', '[]', '{', '"x"']) {
      expect([parseQuarantineData(text), parseReleaseData(text)], text).to.deep.equal([null, null]);
    }
  });

  it('stands in the stream that its body names', () => {
    fc.assert(
      fc.property(anyText(), orderIds, (body, orderId) => {
        expect(bodyOfQuarantineStream(quarantineStream(sha256(body)))).to.equal(sha256(body));
        expect(bodyOfQuarantineStream(orderStream(orderId))).to.equal(null);
      }),
    );
  });
});
