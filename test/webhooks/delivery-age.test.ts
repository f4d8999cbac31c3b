import { expect } from 'chai';
import * as fc from 'fast-check';
import { instantOf } from '../../src/domain/instant.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { isTooOld } from '../../src/webhooks/delivery-age.ts';
import { accepted, refused } from '../support/answers.ts';
import { listedStatuses } from '../support/arbitraries.ts';
import { deliver } from '../support/exchange.ts';
import { offRamp, onRamp } from '../support/payloads.ts';
import { startLedger, type RunningLedger } from '../support/running-ledger.ts';

const NOW = Date.UTC(2024, 0, 1, 12);
const MAX_AGE_SECONDS = 600;
const ZERO = '0001-01-01T00:00:00Z';

const ago = (seconds: number): string => instantOf(NOW - seconds * 1_000);

/** An hour ago in the clocks of India. */
const inIndia = (seconds: number): string => ago(seconds - 5.5 * 3_600).replace('Z', '+05:30');

const customerOf = (created_at: string): JsonObject => ({ customer: { id: 'c1', email: '', phone: {}, created_at } });

type Row = readonly [name: string, payload: JsonObject];

const FRESH: readonly Row[] = [
  ['created now', onRamp({ createdAt: ago(0) })],
  ['created in the future', onRamp({ createdAt: ago(-3_600) })],
  ['created exactly as long ago as is allowed', onRamp({ createdAt: ago(600) })],
  ['created just now, by another clock', onRamp({ createdAt: inIndia(1) })],
  ['off-ramp, created now', offRamp({ created_at: ago(1), updated_at: ZERO })],
  ['off-ramp, created long ago, updated now', offRamp({ created_at: ago(90_000), updated_at: ago(2) })],
  [
    'off-ramp, a later status, updated now',
    offRamp({ status: 'PayoutSuccess', created_at: ago(90_000), updated_at: ago(2) }),
  ],
  ['updated long ago, created now', offRamp({ created_at: ago(1), updated_at: ago(9_000) })],
  ['a later status, which says nothing but its creation', onRamp({ status: 'completed', createdAt: ago(90_000) })],
  [
    'a later status with the zero timestamp',
    offRamp({ status: 'fiatDeemed', created_at: ago(90_000), updated_at: ZERO }),
  ],
  [
    'a later status with an update that is no time',
    offRamp({ status: 'refunded', created_at: ago(90_000), updated_at: '' }),
  ],
  ['an unlisted status', onRamp({ status: 'onHold', createdAt: ago(90_000) })],
];

const OLD: readonly Row[] = [
  ['created a millisecond too long ago', onRamp({ createdAt: ago(600.001) })],
  ['created an hour ago', onRamp({ createdAt: ago(3_600) })],
  ['created an hour ago, by another clock', onRamp({ createdAt: inIndia(3_600) })],
  ['off-ramp, never updated', offRamp({ created_at: ago(3_600), updated_at: ZERO })],
  ['off-ramp, both long ago', offRamp({ created_at: ago(7_200), updated_at: ago(3_600) })],
  [
    'a later status, updated long ago',
    offRamp({ status: 'PayoutSuccess', created_at: ago(7_200), updated_at: ago(3_600) }),
  ],
  ['an on-ramp update long ago', onRamp({ status: 'completed', createdAt: ago(7_200), updated_at: ago(3_600) })],
  ['of a customer made now', onRamp({ createdAt: ago(3_600), ...customerOf(ago(0)) })],
  ['with a custom pair of now', onRamp({ createdAt: ago(3_600), metaData: { createdAt: ago(0), updated_at: ago(0) } })],
  ['unreadable otherwise', onRamp({ createdAt: ago(3_600), fiat: 'much' })],
];

describe('age of a delivery', () => {
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger({ settings: { maxAgeSeconds: MAX_AGE_SECONDS }, now: () => instantOf(NOW) });
  });
  after(() => ledger.close());

  for (const [name, payload] of FRESH) {
    it(`fresh: ${name}`, async () => {
      expect(accepted(await deliver(ledger.url, payload)).outcome).to.equal('recorded');
    });
  }

  for (const [name, payload] of OLD) {
    it(`too old: ${name}`, async () => {
      const count = await ledger.eventCount();
      const { detail } = refused(await deliver(ledger.url, payload), 401, 'too-old');
      expect(detail).to.include('600 seconds');
      expect(await ledger.eventCount()).to.equal(count);
    });
  }

  it('is asked of a repeat too, of whose very bytes is remembered that they were recorded', async () => {
    let now = NOW;
    const ageing = await startLedger({
      settings: { maxAgeSeconds: MAX_AGE_SECONDS },
      now: () => instantOf(now),
    });
    try {
      const payload = onRamp({ createdAt: ago(0) });
      for (const outcome of ['recorded', 'duplicate']) {
        expect(accepted(await deliver(ageing.url, payload))).to.include({ outcome });
      }
      now += MAX_AGE_SECONDS * 1_000 + 1;
      refused(await deliver(ageing.url, payload), 401, 'too-old');
      expect(ageing.accessLines.at(-1)).to.include({ outcome: 'too-old', proved: true });
    } finally {
      await ageing.close();
    }
  });

  it('is not asked of what says no time, and that is kept', async () => {
    for (const body of ['no JSON', '[]', 'null', '{}', '{"status":"pending"}', '{"status":"pending","created_at":1}']) {
      expect(accepted(await deliver(ledger.url, body)).outcome).to.equal('quarantined');
    }
  });

  it('is not asked where replay protection is off', async () => {
    const lenient = await startLedger({ now: () => instantOf(NOW) });
    try {
      for (const [, payload] of OLD) accepted(await deliver(lenient.url, payload));
    } finally {
      await lenient.close();
    }
  });

  it('grows: what is too old stays so, and a larger allowance refuses no more', () => {
    const seconds = fc.integer({ min: 0, max: 100_000 });
    const payload = fc.record({ status: listedStatuses('offramp'), created: seconds, updated: fc.option(seconds) });
    fc.assert(
      fc.property(payload, seconds, seconds, seconds, ({ status, created, updated }, allowed, more, later) => {
        const sent = offRamp({ status, created_at: ago(created), updated_at: updated === null ? ZERO : ago(updated) });
        const tooOld = isTooOld(sent, instantOf(NOW), allowed);
        if (tooOld) expect(isTooOld(sent, instantOf(NOW + later * 1_000), allowed)).to.equal(true);
        else expect(isTooOld(sent, instantOf(NOW), allowed + more)).to.equal(false);
        const judged = updated !== null || status === 'pending';
        expect(tooOld).to.equal(judged && Math.min(created, updated ?? created) > allowed);
      }),
    );
  });
});
