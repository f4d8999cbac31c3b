import { expect } from 'chai';
import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import { quarantineStream } from '../../src/domain/ids.ts';
import { openEventStoreDb } from '../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { accepted, type DeliveryAnswer } from '../support/answers.ts';
import { startEventStoreDb, type EventStoreDbDouble } from '../support/eventstoredb/event-store-db-double.ts';
import { deliver, exchange } from '../support/exchange.ts';
import type { LedgerProcess } from '../support/ledger-process.ts';
import { at } from '../support/naive-json.ts';
import { expectOnceEach } from '../support/once-each.ts';
import { bodyOf, newOrderId, offRamp, onRamp } from '../support/payloads.ts';
import { PersistentProvider } from '../support/persistent-provider.ts';
import { putAway } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { storedTraces } from '../support/stored-traces.ts';
import { until } from '../support/until.ts';
import { allAnswers, expectSame } from '../process/all-answers.ts';
import { expectOracle } from '../process/oracle-agreement.ts';
import { ask, FULL_KEY, processFixture } from '../process/process-fixture.ts';
import { providedOrders } from '../process/provided-orders.ts';

const ORDERS = 36;
const LANES = 6;
const PREFIX = 'shared-';
const WAIT_MS = 10_000;

describe('two ledgers on one EventStoreDB', () => {
  const ledger = processFixture();
  let double: EventStoreDbDouble;
  let serving: readonly [LedgerProcess, LedgerProcess];

  const env = (name: string) =>
    ledger.env({
      EVENT_STORE_URL: double.url,
      EVENT_STORE_STREAM_PREFIX: PREFIX,
      DATA_DIR: ledger.inFolder(name),
      LOG_LEVEL: 'fatal',
      // These tests are about answers of the store: a machine that is slow for a second is not to send them to the spools.
      SPOOL_AFTER_MS: '10000',
    });

  beforeEach(async () => {
    double = await startEventStoreDb();
    serving = await Promise.all([ledger.serve(env('first')), ledger.serve(env('second'))]);
  });
  afterEach(() => double.close());

  /** The same body to both at the same moment. */
  const deliverToBoth = async (...bodies: readonly [Buffer, Buffer]): Promise<readonly DeliveryAnswer[]> => {
    const replies = await Promise.all(serving.map(({ url }, i) => deliver(url, bodies[i] ?? bodies[0])));
    return replies.map(accepted);
  };

  it('record each delivery once that comes to both at once, and answer all questions alike', async () => {
    const races = async (seed: number): Promise<void> => {
      const providers = serving.map(({ url }) => new PersistentProvider(() => url));
      // The same orders at both, each in its own hurry.
      const told = providers.map(() => providedOrders(seed));
      const lane = async (i: number): Promise<void> => {
        for (let order = i; order < ORDERS; order += LANES) {
          await Promise.all(providers.map(async (provider, ofOne) => told[ofOne]?.order(order).deliver(provider)));
        }
      };
      await Promise.all(Array.from({ length: LANES }, (_, i) => lane(i)));

      const attempts = providers.flatMap((provider) => provider.attempts);
      const traces = storedTraces(double.log, PREFIX);
      expectOnceEach(attempts, traces, told[0]?.ofOtherFlow());
      const outcomes = providers.map((provider) =>
        provider.attempts.map((it) => it.acknowledgement?.outcome ?? 'none'),
      );
      const recorded = traces.filter(({ type, stream }) => stream.startsWith('order-') && !type.startsWith('Conflict'));
      expect(outcomes.flat().filter((outcome) => outcome === 'recorded')).to.have.lengthOf(recorded.length);
      for (const ofOne of outcomes) {
        expect(ofOne).to.include.members(['recorded', 'duplicate', 'conflict', 'quarantined']);
        expect(ofOne).to.not.include.members(['none']);
      }

      for (const { url } of serving) await expectOracle(url, attempts, traces);
      const [first = {}, second = {}] = await Promise.all(
        serving.map(({ url }) => allAnswers((path) => ask(url, path), traces)),
      );
      expectSame(second, first);
      for (const name of ['first', 'second']) {
        const { status, out } = await ledger.command(['verify', '--json'], env(name));
        expect({ status, ...JSON.parse(out) }).to.deep.include({ status: 0, events: traces.length, failures: [] });
      }
    };
    await fc.assert(fc.asyncProperty(fc.nat(), races), { numRuns: 1, endOnFailure: true });
  }).timeout(60_000);

  it('tell facts apart that come under one key at the same moment: one is recorded, the other a conflict', async () => {
    for (let turn = 0; turn < 24; turn += 1) {
      const orderId = newOrderId('raced');
      const bodies = [bodyOf(onRamp({ orderId, fiat: 1 })), bodyOf(onRamp({ orderId, fiat: 2 }))] as const;
      const answers = await deliverToBoth(...bodies);
      expect(answers.map(({ outcome }) => outcome).toSorted()).to.deep.equal(['conflict', 'recorded']);
      expect(answers.map(({ revision }) => revision)).to.have.members([0, 1]);
      const again = await deliverToBoth(bodies[1], bodies[0]);
      expect(again.map(({ outcome, revision }) => `${outcome} ${revision}`).toSorted()).to.deep.equal([
        'conflict 1',
        'duplicate 0',
      ]);
    }
  }).timeout(30_000);

  it('see what the other one has appended at once where its position is given', async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const orderId = newOrderId('seen');
      const [writer, reader] = turn % 2 === 0 ? serving : [serving[1], serving[0]];
      const { position, revision } = accepted(await deliver(writer.url, offRamp({ orderId })));
      const { text } = await ask(reader.url, `/v1/orders?q=${orderId}&position=${position}`);
      expect(at(JSON.parse(text), 'data')).to.have.lengthOf(1);
      const order = await ask(reader.url, `/v1/orders/${orderId}`);
      expect(JSON.parse(order.text)).to.include({ orderId, revision });
    }
  });

  it('share their quarantine: a body lies there once, and a release by either is known to both', async () => {
    const [unreadable, other] = await deliverToBoth(Buffer.from('no JSON'), Buffer.from('no JSON'));
    expect(unreadable).to.include({ outcome: 'quarantined', revision: 0 }).and.to.deep.equal(other);

    const store = right(
      openEventStoreDb({ url: double.url, streamPrefix: PREFIX, dataDir: ledger.inFolder('older-version') }),
    );
    const payloads = Array.from({ length: 6 }, () => onRamp({ orderId: newOrderId('released') }));
    for (const payload of payloads) await putAway(store, payload);
    await store.close();
    const quarantined = storedTraces(double.log, PREFIX).filter(({ type }) => type === 'DeliveryQuarantined');
    for (const { url } of serving) {
      const path = `/v1/quarantine?position=${quarantined.at(-1)?.position ?? ''}`;
      const listed = await until(WAIT_MS, 'the quarantine', async () => {
        const { status, text } = await ask(url, path);
        return status === 200 ? text : null;
      });
      expect(at(JSON.parse(listed), 'data')).to.have.lengthOf(payloads.length + 1);
    }

    const releaseBy = (url: string, eventId: string) =>
      exchange(url, {
        method: 'POST',
        path: `/v1/quarantine/${eventId}/release`,
        headers: { authorization: `Bearer ${FULL_KEY}` },
      });
    for (const [turn, payload] of payloads.entries()) {
      const body = bodyOf(payload);
      const eventId = quarantined[turn + 1]?.eventId ?? '';
      // Released by both at once, by one alone, or by a delivery that is a release.
      const first = await Promise.all(
        serving.map(({ url }, i) => {
          if (turn % 3 === 0) return releaseBy(url, eventId);
          if (turn % 3 === 1) return i === 0 ? releaseBy(url, eventId) : deliver(url, body);
          return deliver(url, body);
        }),
      );
      const answers = first.map(accepted);
      expect(answers[0]).to.include({ outcome: 'recorded', revision: 0 }).and.to.deep.equal(answers[1]);
      for (const { url } of serving) {
        expect(accepted(await releaseBy(url, eventId))).to.deep.equal(answers[0]);
        expect(accepted(await deliver(url, body))).to.deep.equal(answers[0]);
      }
      expect(double.log.stream(`${PREFIX}${answers[0]?.stream ?? ''}`)?.events).to.have.lengthOf(1);
      const quarantine = quarantineStream(branded(quarantined[turn + 1]?.bodySha256 ?? ''));
      expect(double.log.stream(`${PREFIX}${quarantine}`)?.events.map(({ type }) => type)).to.deep.equal([
        'DeliveryQuarantined',
        'QuarantineReleased',
      ]);
    }
  }).timeout(30_000);
});
