import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { inTime } from '../../src/concurrency/in-time.ts';
import { branded } from '../../src/domain/brand.ts';
import type { Delivery } from '../../src/domain/delivery.ts';
import { orderStream, type OrderId, type SecretId, type Sha256 } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { signedBytes } from '../../src/domain/recorded-event.ts';
import { parseMetadata } from '../../src/domain/event-metadata.ts';
import type { Spool } from '../../src/event-store/spool.ts';
import { entryBytes } from '../../src/event-store/spool/entry-bytes.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { recordDelivery } from '../../src/ledger/record-delivery.ts';
import type { Recorded, RecordFailure } from '../../src/ledger/recorded.ts';
import type { Spooled } from '../../src/ledger/spooled.ts';
import { startSpooling, type Spooling } from '../../src/ledger/spooling.ts';
import { webhookRoutes } from '../../src/webhooks/webhook-routes.ts';
import { bodyOf, newOrderId, onRamp, SECRET, signatureOf, signerOf } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';
import { openSpoolHere } from '../support/spool-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { NO_ARRIVALS } from '../support/no-arrivals.ts';

const LONGEST_BODY = 4_096;
const MOST_BYTES = 3 * entryBytes(LONGEST_BODY);

describe('deliveries while the event store is away', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let served: ServedApi;
  let spool: Spool;
  let spooling: Spooling;
  let failures: RecordFailure[] = [];
  let clock = 0;

  beforeEach(async () => {
    folder = temporaryFolder();
    failures = [];
    let record: (delivery: Delivery) => TE.TaskEither<RecordFailure, Recorded | Spooled> = () => () =>
      Promise.resolve(E.left({ _tag: 'StoreUnavailable', detail: 'not yet' }));
    const webhooks = webhookRoutes({
      settings: {
        signatureHeader: 'X-Service-Signature',
        signedForm: 'bytes',
        maxBodyBytes: LONGEST_BODY,
        bodyWithinMs: 10_000,
        maxAgeSeconds: null,
        mostUnderWay: 100,
        mostUnread: 100,
      },
      secrets: () => [{ id: branded<SecretId>('primary'), key: Buffer.from(SECRET) }],
      now: () => {
        clock += 1_000;
        return instantOf(clock);
      },
      recall: () => null,
      record: (delivery) => record(delivery),
      onVerified: () => undefined,
      ...NO_ARRIVALS,
      onFailure: (failure) => failures.push(failure),
    });
    served = await serveApi({}, [webhooks]);
    spool = right(await openSpoolHere(`${folder.path}/spool.db`, { mostBytes: MOST_BYTES, longestBody: LONGEST_BODY }));
    spooling = startSpooling({
      record: recordDelivery({
        store: served.store,
        recent: new RecentOrders(10),
        quarantined: new Set<Sha256>(),
      }),
      spool,
      signerOf,
      storeReadiness: served.store.readiness,
      answerWithinMs: 60_000,
      elapsed: () => performance.now(),
      inTime,
      wait: () => new Promise((resolve) => setImmediate(resolve)),
      random: () => 0,
      now: () => instantOf(clock),
      onEvent: () => undefined,
    });
    record = spooling.record;
  });
  afterEach(async () => {
    await served.close();
    await spooling.close();
    await spool.close();
    folder.remove();
  });

  const deliver = (body: Buffer): Promise<Response> =>
    served.ask('/v1/webhooks', null, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-signature': signatureOf(body) },
      body: new Uint8Array(body),
    });

  it('are answered 202 in the shape of the contract, and are appended with their received time', async () => {
    served.store.takeAway('away');
    const orderId = newOrderId('ord "é"');
    const from = clock;
    const bodies = ['fiatPending', 'completed'].map((status) => bodyOf(onRamp({ orderId, status })));
    for (const body of bodies) {
      const answer = await deliver(body);
      expect(answer.status).to.equal(202);
      expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(await answer.json()).to.deep.equal({ outcome: 'spooled', orderId });
    }
    const nameless = await deliver(bodyOf('no JSON'));
    expect(nameless.status).to.equal(202);
    expect(await nameless.json()).to.deep.equal({ outcome: 'spooled', orderId: null });
    expect(failures).to.deep.equal([]);
    expect(spooling.readiness()).to.deep.equal({ ready: true });

    clock += 1_000_000;
    served.store.takeAway(null);
    await until(5_000, 'the spool to be empty', () => Promise.resolve(spool.state().depth === 0 ? true : null));
    // In order of arrival are those of one order; what is of none does not wait for them.
    const { ofOrder = [], ofNone = [] } = Object.groupBy(served.store.recorded(), ({ stream }) =>
      stream === orderStream(branded<OrderId>(orderId)) ? 'ofOrder' : 'ofNone',
    );
    const events = [...ofOrder, ...ofNone];
    expect(events.map(signedBytes)).to.deep.equal([...bodies, bodyOf('no JSON')]);
    expect(events.map(({ metadata }) => parseMetadata(metadata)?.receivedAt)).to.deep.equal(
      [1, 2, 3].map((n) => instantOf(from + n * 1_000)),
    );
    const again = await deliver(bodies[0] ?? Buffer.alloc(0));
    expect(again.status).to.equal(200);
    expect(await again.json()).to.include({ outcome: 'duplicate', orderId });
  });

  it('are answered 503 where the spool is full, and taken again when there is room', async () => {
    served.store.takeAway('away');
    const answers: number[] = [];
    let body = bodyOf(onRamp());
    for (let status = 202; status === 202;) {
      body = bodyOf(onRamp());
      const answer = await deliver(body);
      status = answer.status;
      answers.push(status);
      if (status === 202) continue;
      expect(answer.headers.get('retry-after')).to.match(/^[1-9]\d*$/);
      expect(await answer.json()).to.include({ status: 503, code: 'not-durable' });
    }
    expect(answers.length).to.be.at.least(3);
    expect(answers.at(-1)).to.equal(503);
    expect(failures).to.have.length(1);
    expect(spooling.readiness()).to.have.property('ready', false);
    served.store.takeAway(null);
    await until(5_000, 'the spool to be empty', () => Promise.resolve(spool.state().depth === 0 ? true : null));
    expect((await deliver(body)).status).to.equal(200);
    expect(served.store.recorded()).to.have.length(answers.length);
  });
});
