import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../src/domain/brand.ts';
import type { Delivery } from '../../src/domain/delivery.ts';
import type { RequestId, StreamName } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { readContent } from '../../src/domain/read-content.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import type { Readiness } from '../../src/event-store/event-store.ts';
import type { Spool } from '../../src/event-store/spool.ts';
import { SqliteSpool } from '../../src/event-store/spool/sqlite-spool.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { recordDelivery } from '../../src/ledger/record-delivery.ts';
import type { Recorded, RecordFailure } from '../../src/ledger/recorded.ts';
import type { SpoolEvent } from '../../src/ledger/spool-event.ts';
import { startSpooling, type Spooling } from '../../src/ledger/spooling.ts';
import { inMemoryEventStore, type InMemoryEventStore } from '../support/in-memory-event-store.ts';
import { bodyOf, onRamp, signatureOf, signerOf, verifiedDelivery } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const AWAY: RecordFailure = { _tag: 'StoreUnavailable', detail: 'away' };
const REFUSED: RecordFailure = { _tag: 'AppendRefused', detail: 'too large' };

let requests = 0;

const deliveryOf = (body: Buffer): Delivery => {
  requests += 1;
  const requestId = branded<RequestId>(`request-${String(requests).padStart(8, '0')}`);
  return { verified: verifiedDelivery(body, { requestId }), content: readContent(body) };
};

const of = (orderId: string, status = 'fiatPending'): Delivery => deliveryOf(bodyOf(onRamp({ orderId, status })));

describe('spooling', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let store: InMemoryEventStore;
  let spool: Spool;
  let spooling: Spooling;
  /** What is answered in place of the store's answer, by each delivery in its turn. */
  let failures: RecordFailure[];
  let asked: Delivery[];
  let events: SpoolEvent[];
  let waits: number[];
  /** What is answered to a delivery in place of the store's answer; null: nothing in its place. */
  let failureOf: (delivery: Delivery) => RecordFailure | null;
  /** Lets those go on who back off. */
  let goOn: () => void;
  let readiness: Readiness;
  let answerWithinMs: number;
  /** How often the spool had no room for a delivery. */
  let refused: number;
  /** Whether the secret of the deliveries can be read now. */
  let isSecretKnown = true;
  /** How often the signature of one that waits was looked at. */
  let proofs = 0;
  /** What the store's answers wait for. */
  let gate: Promise<void>;

  const file = (): string => `${folder.path}/spool.db`;

  const start = (mostBytes = 1e7): void => {
    spool = right(SqliteSpool.open({ file: file(), mostBytes, longestBody: 1_000, clockMs: () => performance.now() }));
    const record = recordDelivery({ store, recent: new RecentOrders(10), quarantined: new Set() });
    spooling = startSpooling({
      record: (delivery) => async (): Promise<E.Either<RecordFailure, Recorded>> => {
        asked.push(delivery);
        await gate;
        const failure = failures.shift() ?? failureOf(delivery) ?? undefined;
        return failure === undefined ? record(delivery)() : E.left(failure);
      },
      spool: {
        ...spool,
        put: (verified, key) => async () => {
          const kept = await spool.put(verified, key)();
          if (E.isLeft(kept)) refused += 1;
          return kept;
        },
      },
      signerOf: (verified) => {
        proofs += 1;
        return isSecretKnown ? signerOf(verified) : null;
      },
      storeReadiness: () => readiness,
      answerWithinMs,
      wait: (ms, signal) =>
        new Promise((resolve) => {
          waits.push(ms);
          const before = goOn;
          goOn = () => {
            goOn = () => undefined;
            before();
            resolve();
          };
          signal.addEventListener('abort', () => resolve(), { once: true });
        }),
      random: () => 0,
      now: () => instantOf(0),
      onEvent: (event) => events.push(event),
    });
  };

  const stop = async (): Promise<void> => {
    await spooling.close();
    spool.close();
  };

  beforeEach(() => {
    folder = temporaryFolder();
    store = inMemoryEventStore(() => instantOf(0));
    [failures, asked, events, waits] = [[], [], [], []];
    failureOf = () => null;
    goOn = () => undefined;
    readiness = { ready: true };
    answerWithinMs = 60_000;
    refused = 0;
    isSecretKnown = true;
    gate = Promise.resolve();
    start();
  });
  afterEach(async () => {
    await stop();
    folder.remove();
  });

  const outcome = async (delivery: Delivery): Promise<string> => {
    const recorded = await spooling.record(delivery)();
    return E.isRight(recorded) ? recorded.right.outcome : recorded.left._tag;
  };
  const isSo = (what: string, holds: () => boolean): Promise<true> =>
    until(5_000, what, () => Promise.resolve(holds() ? true : null));
  const backsOff = (times: number): Promise<true> => isSo(`${times} back-offs`, () => waits.length >= times);
  const isDrained = (): Promise<true> => isSo('the spool to be empty', () => spool.state().depth === 0);
  const types = (): readonly string[] => events.map(({ _tag }) => _tag);
  const logged = (): readonly string[] => store.recorded().map(({ stream, type }) => `${stream} ${type}`);

  it('asks the store, and spools only what that can not take', async () => {
    expect(await outcome(of('a'))).to.equal('recorded');
    failures = [AWAY, AWAY];
    const spooled = of('b');
    expect(right(await spooling.record(spooled)())).to.deep.equal({ outcome: 'spooled', orderId: 'b' });
    await backsOff(1);
    // The store was asked for it, and again by the spool; another one is spooled unasked.
    const before = asked.length;
    expect(before).to.equal(3);
    expect(await outcome(of('c'))).to.equal('spooled');
    expect(asked.length).to.equal(before);
    expect(types()).to.deep.equal(['StoreAway']);
    goOn();
    await isDrained();
    await isSo('the end', () => types().includes('Drained'));
    expect(events.slice(1)).to.deep.equal([{ _tag: 'StoreBack' }, { _tag: 'Drained', deliveries: 2 }]);
    expect(logged()).to.deep.equal(['a', 'b', 'c'].map((id) => `order-${id} OnRampFiatPending`));
    expect(await outcome(of('d'))).to.equal('recorded');
  });

  it('an order that waits keeps spooling, also when the store is back', async () => {
    failures = [AWAY, { _tag: 'RacesLost', stream: branded<StreamName>('order-a') }];
    expect(await outcome(of('a', 'fiatPending'))).to.equal('spooled');
    await backsOff(1);
    // The store has answered, if only with a lost race: it is there.
    expect(types()).to.deep.equal(['StoreAway', 'StoreBack']);
    expect(await outcome(of('a', 'completed'))).to.equal('spooled');
    expect(await outcome(of('b'))).to.equal('recorded');
    goOn();
    await isDrained();
    expect(logged().slice(1)).to.deep.equal(['order-a OnRampFiatPending', 'order-a OnRampCompleted']);
    expect(await outcome(of('a', 'refunded'))).to.equal('recorded');
  });

  it('goes on after a restart, with the original received time', async () => {
    failures = [AWAY, AWAY];
    const delivery = deliveryOf(bodyOf('no JSON'));
    expect(right(await spooling.record(delivery)())).to.deep.equal({ outcome: 'spooled', orderId: null });
    await backsOff(1);
    await stop();
    start();
    await isDrained();
    const [event] = store.recorded();
    expect(event?.type).to.equal('DeliveryQuarantined');
    expect(event?.metadata).to.include(delivery.verified.receivedAt).and.include(delivery.verified.requestId);
  });

  it('appends what waited under the secret that proves it now, whatever name stands in the file', async () => {
    await spooled([of('a')]);
    await stop();
    const other = new Database(file());
    other.exec("UPDATE deliveries SET secret_id = 'of-then'");
    other.close();
    failureOf = () => null;
    start();
    await isDrained();
    expect(asked.at(-1)?.verified.secretId).to.equal(deliveryOf(bodyOf('')).verified.secretId);
  });

  it('sets aside what the store refuses for good, before and in the spool, and nobody waits for it', async () => {
    failures = [REFUSED];
    expect(await outcome(of('a'))).to.equal('spooled');
    expect(spooling.state()).to.deep.include({ depth: 0, setAside: 1 });
    failures = [AWAY, REFUSED];
    expect(await outcome(of('b'))).to.equal('spooled');
    expect(await outcome(of('c'))).to.match(/^(spooled|recorded)$/);
    await isDrained();
    const asides = right(spool.setAsideEntries());
    expect(asides.map(({ key }) => key)).to.deep.equal(['order-a', 'order-b']);
    expect(asides.map(({ problem }) => problem)).to.deep.equal(
      Array.from({ length: 2 }, () => 'the event store refused it for good: too large'),
    );
    expect(events.filter(({ _tag }) => _tag === 'SetAside')).to.have.length(2);
    expect(logged()).to.deep.equal(['order-c OnRampFiatPending']);
  });

  it('never appends a body that is not the one that was received', async () => {
    failures = [AWAY, AWAY];
    await outcome(of('a'));
    await outcome(of('b'));
    await backsOff(1);
    await stop();
    const other = new Database(file());
    other.exec(
      "UPDATE deliveries SET body = CAST(replace(CAST(body AS TEXT), '100', '900') AS BLOB) WHERE key = 'order-a'",
    );
    other.close();
    const before = asked.length;
    start();
    await isDrained();
    expect(asked.length).to.equal(before + 1);
    expect(logged()).to.deep.equal(['order-b OnRampFiatPending']);
    expect(right(spool.setAsideEntries()).map(({ problem }) => problem)).to.deep.equal([
      'the spool is damaged: the body is not the one that was received',
    ]);
  });

  /** Spools deliveries while the store is away, and waits until the spool has tried in vain. */
  const spooled = async (deliveries: readonly Delivery[]): Promise<void> => {
    failureOf = () => AWAY;
    for (const delivery of deliveries) expect(await outcome(delivery)).to.equal('spooled');
    await backsOff(1);
  };
  const isOf = ({ content }: Delivery, id: string): boolean =>
    content._tag === 'OrderEvent' && content.payload.orderId === id;
  const onlyFails = (id: string, failure: RecordFailure = AWAY): void => {
    failureOf = (delivery) => (isOf(delivery, id) ? failure : null);
  };
  /** Lets all that backs off go on until it is so. */
  const goesOnUntil = (what: string, holds: () => boolean): Promise<true> =>
    isSo(what, () => {
      goOn();
      return holds();
    });

  for (const failure of [AWAY, { _tag: 'RacesLost', stream: branded<StreamName>('order-bad') } as const]) {
    it(`passes by what alone can not be appended, and keeps its order: ${failure._tag}`, async () => {
      const others = Array.from({ length: 100 }, (_, i) => `good ${i}`);
      await spooled([of('bad'), of('bad', 'completed'), ...others.map((id) => of(id)), of('bad', 'refunded')]);
      onlyFails('bad', failure);
      await goesOnUntil('the others to be appended', () => logged().length === others.length);
      expect(logged().toSorted()).to.deep.equal(others.map((id) => `order-${id} OnRampFiatPending`).toSorted());
      expect(spool.state().depth).to.equal(3);
      expect(await outcome(of('bad', 'refunding'))).to.equal('spooled');
      failureOf = () => null;
      await goesOnUntil('the spool to be empty', () => spool.state().depth === 0);
      expect(logged().slice(others.length)).to.deep.equal(
        ['FiatPending', 'Completed', 'Refunded', 'Refunding'].map((status) => `order-bad OnRamp${status}`),
      );
      expect(spool.state().setAside).to.equal(0);
    });
  }

  it('appends nothing that no secret proves, whoever wrote it into the spool, and sets it aside while others pass', async () => {
    await spooled([of('a'), of('forged')]);
    await stop();
    const body = bodyOf(onRamp({ orderId: 'forged', status: 'completed' }));
    const other = new Database(file());
    // Whoever writes the file knows the digest of what they write, and no secret.
    other.prepare("UPDATE deliveries SET body = ?, body_sha256 = ? WHERE key = 'order-forged'").run(body, sha256(body));
    other.close();
    failureOf = () => null;
    start();
    await goesOnUntil('the other to be appended', () => logged().length === 1);
    for (let i = 0; spool.state().setAside === 0; i += 1) {
      expect(i).to.be.lessThan(1_000);
      await outcome(of(`live ${i}`));
      const before = proofs;
      await goesOnUntil('another try', () => proofs > before || spool.state().setAside > 0);
    }
    await isDrained();
    expect(
      asked.every(
        (delivery) => !isOf(delivery, 'forged') || delivery.verified.signature === signatureOf(delivery.verified.body),
      ),
    ).to.equal(true);
    expect(logged().filter((line) => line.includes('forged'))).to.deep.equal([]);
    expect(right(spool.setAsideEntries()).map(({ problem }) => problem)).to.deep.equal([
      'the event store took others, and not this one in 20 tries: no secret that is configured, retired ones included, proves its signature',
    ]);
  });

  it('keeps what waits while no secret can be read, and appends it when they are there again', async () => {
    await spooled([of('a'), of('b')]);
    [isSecretKnown, failureOf] = [false, () => null];
    for (let i = 0; i < 100; i += 1) {
      goOn();
      await new Promise(setImmediate);
    }
    expect(spool.state()).to.deep.include({ depth: 2, setAside: 0 });
    expect(logged()).to.deep.equal([]);
    isSecretKnown = true;
    await goesOnUntil('both to be appended', () => logged().length === 2);
  });

  it('tries few at a time of many that no secret proves, and all once one is proved', async () => {
    const many = 500;
    await spooled(Array.from({ length: many }, (_, i) => of(`many ${i}`)));
    [isSecretKnown, failureOf] = [false, () => null];
    const first = proofs;
    await goesOnUntil('each to be tried', () => proofs >= first + many);
    const isAtRest = async (): Promise<void> => {
      for (let turns = 0; turns < 2 * many; turns += 1) await new Promise(setImmediate);
    };
    await isAtRest();
    const tries: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      const before = proofs;
      goOn();
      await isAtRest();
      tries.push(proofs - before);
    }
    expect(Math.max(...tries)).to.be.within(1, 200);
    isSecretKnown = true;
    await goesOnUntil('one to be tried', () => logged().length > 0);
    await isDrained();
    expect(logged()).to.have.length(many);
  });

  it('asks the store for the others, while one in the spool alone can not be appended', async () => {
    await spooled([of('bad'), of('good')]);
    onlyFails('bad');
    await goesOnUntil('the other to be appended', () => logged().length === 1);
    await goesOnUntil('the next try', () => asked.filter((one) => isOf(one, 'bad')).length > 4);
    const told = types().length;
    for (let i = 0; i < 5; i += 1) {
      expect(await outcome(of(`live ${i}`))).to.equal('recorded');
      goOn();
    }
    expect(types().slice(told)).to.deep.equal([]);
  });

  it('sets aside what fails for long while the store takes others, and names it', async () => {
    const bad = of('bad');
    await spooled([bad, of('bad', 'completed')]);
    onlyFails('bad');
    const tries = (): number => asked.filter(({ verified }) => verified === bad.verified).length;
    const before = tries();
    for (let i = 0; spool.state().setAside === 0; i += 1) {
      expect(await outcome(of(`live ${i}`))).to.match(/^(?:recorded|spooled)$/);
      const triedBefore = asked.length;
      await goesOnUntil('another try', () => asked.length > triedBefore || spool.state().setAside > 0);
      expect(i, 'it is never set aside').to.be.below(200);
      if (i === 10) failureOf = (delivery) => (delivery.verified.bodySha256 === bad.verified.bodySha256 ? AWAY : null);
    }
    expect(asked.length - before).to.be.above(20);
    const [entry] = right(spool.setAsideEntries());
    expect(entry).to.include({ key: 'order-bad', bodySha256: bad.verified.bodySha256 });
    expect(entry?.problem).to.match(/^the event store took others, and not this one in 20 tries: .*away/);
    await goesOnUntil('the spool to be empty', () => spool.state().depth === 0);
    expect(logged()).to.include('order-bad OnRampCompleted').and.not.include('order-bad OnRampFiatPending');
    expect(events.filter(({ _tag }) => _tag === 'SetAside')).to.have.length(1);
  });

  it('sets nothing aside while the store is away, however long, and tries one at a time', async () => {
    await spooled(Array.from({ length: 10 }, (_, i) => of(`order ${i}`)));
    await backsOff(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const tries = asked.length + 100;
    while (asked.length < tries) {
      const before = asked.length;
      await goesOnUntil('another try', () => asked.length > before);
      expect(asked.length).to.equal(before + 1);
    }
    gate = promise;
    const before = asked.length;
    await goesOnUntil('another try', () => asked.length > before);
    for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
    expect(asked.length).to.equal(before + 1);
    resolve();
    failureOf = () => null;
    await goesOnUntil('the spool to be empty', () => spool.state().depth === 0);
    expect(spool.state().setAside).to.equal(0);
    expect(logged()).to.have.length(10);
  });

  it('appends many at once, and of one order, or one body, one at a time', async () => {
    const nameless = deliveryOf(bodyOf('no JSON'));
    const same = (): Delivery => deliveryOf(bodyOf('no JSON'));
    const statuses = ['orderReceived', 'InProgress', 'fiatReceived', 'completed'];
    await spooled([nameless, same(), ...statuses.map((status) => of('one', status))]);
    for (let i = 0; i < 100; i += 1) await outcome(of(`order ${i}`));
    await stop();
    const { promise, resolve } = Promise.withResolvers<void>();
    [gate, asked, failureOf] = [promise, [], () => null];
    start();
    await isSo('64 on their way', () => asked.length === 64);
    for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
    expect(asked).to.have.length(64);
    expect(asked.filter((one) => isOf(one, 'one'))).to.have.length(1);
    expect(asked.filter(({ content }) => content._tag === 'Unreadable')).to.have.length(1);
    resolve();
    await isDrained();
    expect(logged().filter((line) => line.startsWith('order-one '))).to.deep.equal(
      ['OrderReceived', 'InProgress', 'FiatReceived', 'Completed'].map((status) => `order-one OnRamp${status}`),
    );
    expect(logged()).to.have.length(105);
  });

  it('is not durable where the spool has no room, and says both reasons', async () => {
    await stop();
    start(100);
    failures = [AWAY];
    const refused = await spooling.record(of('a'))();
    expect(refused).to.deep.equal(
      E.left({ _tag: 'StoreUnavailable', detail: 'away; the spool: spool.db holds 0 of at most 100 bytes' }),
    );
    readiness = { ready: false, detail: 'away' };
    expect(spooling.readiness()).to.deep.equal({
      ready: false,
      detail: 'away; the spool: spool.db holds 0 of at most 100 bytes',
    });
    // Nothing waits that would find the store back: the next one asks itself.
    expect(await outcome(of('a'))).to.equal('recorded');
  });

  it('is ready while store or spool is', async () => {
    readiness = { ready: false, detail: 'away' };
    expect(spooling.readiness()).to.deep.equal({ ready: true });
  });

  it('spools at once what comes while the connection is broken, and asks again when it is there', async () => {
    readiness = { ready: false, detail: 'broken' };
    failureOf = () => AWAY;
    expect(await outcome(of('a'))).to.equal('spooled');
    await backsOff(1);
    // The spool alone has asked.
    expect(asked).to.have.length(1);
    expect(await outcome(of('b'))).to.equal('spooled');
    expect(asked).to.have.length(1);
    failureOf = () => null;
    readiness = { ready: true };
    spooling.storeIsBack();
    await isDrained();
    expect(await outcome(of('c'))).to.equal('recorded');
    expect(events).to.deep.include({ _tag: 'StoreAway', detail: 'broken' });
  });

  it('asks a store that takes what it is sent, though the connection is said to be broken', async () => {
    readiness = { ready: false, detail: 'reading is not allowed' };
    expect(await outcome(of('a'))).to.equal('spooled');
    await isDrained();
    expect(await outcome(of('b'))).to.equal('recorded');
    expect(await outcome(of('c'))).to.equal('recorded');
  });

  it('spools what a silent store has not answered in time, and counts it once when the answer comes after all', async () => {
    answerWithinMs = 5;
    await stop();
    start();
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    expect(await outcome(of('a'))).to.equal('spooled');
    expect(await outcome(of('b'))).to.equal('spooled');
    await isSo('the spool to ask too', () => asked.length >= 3);
    resolve();
    await isDrained();
    expect(logged().toSorted()).to.deep.equal(['order-a OnRampFiatPending', 'order-b OnRampFiatPending']);
  });

  it('spools what the store has when the connection breaks, without waiting for its answer, and counts it once', async () => {
    answerWithinMs = 600_000;
    await stop();
    start();
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const answered = [outcome(of('a')), outcome(of('b'))];
    await isSo('the store to be asked', () => asked.length === 2);
    spooling.storeIsBroken();
    expect(await Promise.all(answered)).to.deep.equal(['spooled', 'spooled']);
    resolve();
    await isDrained();
    expect(logged().toSorted()).to.deep.equal(['order-a OnRampFiatPending', 'order-b OnRampFiatPending']);
  });

  it('waits for a late answer where the spool has no room', async () => {
    answerWithinMs = 5;
    await stop();
    start(100);
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const late = outcome(of('a'));
    await isSo('the store to be asked', () => asked.length === 1);
    await isSo('the spool to refuse it', () => refused === 1);
    resolve();
    expect(await late).to.equal('recorded');
  });

  it('tries what can not be read again, and lets deliveries ask the store meanwhile', async () => {
    failures = [AWAY, AWAY];
    await outcome(of('a'));
    await backsOff(1);
    await stop();
    start();
    // Before its first turn: nothing of it is in memory but keys and counts.
    const other = new Database(file());
    other.exec('ALTER TABLE deliveries RENAME TO elsewhere');
    await isSo('the failure', () => types().includes('SpoolUnreadable'));
    expect(await outcome(of('b'))).to.equal('recorded');
    expect(spool.holds('order-a')).to.equal(true);
    other.exec('ALTER TABLE elsewhere RENAME TO deliveries');
    other.close();
    await isSo('the spool to be empty', () => {
      goOn();
      return spool.state().depth === 0;
    });
    expect(logged()).to.include('order-a OnRampFiatPending');
  });

  it('waits for the one under way when it is closed, and leaves the others', async () => {
    failures = [AWAY, AWAY];
    await outcome(of('a'));
    await backsOff(1);
    await outcome(of('b'));
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    goOn();
    await isSo('the second try', () => asked.length === 3);
    let isClosed = false;
    const closed = spooling.close().then(() => {
      isClosed = true;
      return isClosed;
    });
    await new Promise(setImmediate);
    expect(isClosed).to.equal(false);
    resolve();
    await closed;
    expect(logged()).to.deep.equal(['order-a OnRampFiatPending']);
    expect(spool.state().depth).to.equal(1);
    spool.close();
    start();
    await isDrained();
    expect(logged()).to.have.length(2);
  });

  it('does not wait for a store that does not answer when it is closed, and finds what it left', async () => {
    failures = [AWAY, AWAY];
    await outcome(of('a'));
    await backsOff(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    goOn();
    await isSo('the second try', () => asked.length === 3);
    const closed = spooling.close();
    await backsOff(2);
    goOn();
    await closed;
    spool.close();
    resolve();
    start();
    await isDrained();
    expect(logged()).to.deep.equal(['order-a OnRampFiatPending']);
  });

  it('knows from what waited before a restart that the store is away', async () => {
    await spooled([of('a')]);
    await stop();
    [events, waits] = [[], []];
    start();
    await backsOff(1);
    expect(types()).to.deep.equal(['StoreAway']);
    const before = asked.length;
    expect(await outcome(of('b'))).to.equal('spooled');
    expect(asked.length).to.equal(before);
  });

  it('stops backing off when it is closed', async () => {
    failures = [AWAY, AWAY];
    await outcome(of('a'));
    await backsOff(1);
    await stop();
    expect(asked).to.have.length(2);
    expect(store.recorded()).to.deep.equal([]);
    start();
    await isDrained();
  });
});
