import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { inTime } from '../../src/concurrency/in-time.ts';
import { branded } from '../../src/domain/brand.ts';
import type { Delivery } from '../../src/domain/delivery.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { readContent } from '../../src/domain/read-content.ts';
import type { Readiness } from '../../src/event-store/event-store.ts';
import type { Spool } from '../../src/event-store/spool.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { recordDelivery } from '../../src/ledger/record-delivery.ts';
import type { Recorded, RecordFailure } from '../../src/ledger/recorded.ts';
import type { SpoolEvent } from '../../src/ledger/spool-event.ts';
import { startSpooling, type Spooling, type SpoolingDeps } from '../../src/ledger/spooling.ts';
import { inMemoryEventStore, type InMemoryEventStore } from './in-memory-event-store.ts';
import { bodyOf, onRamp, signerOf, verifiedDelivery } from './payloads.ts';
import { right } from './right.ts';
import { openSpoolHere } from './spool-here.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

/** What is done each second comes so soon. */
const SECOND_MS = 20;

/** What a store says that is out of reach. */
export const AWAY: RecordFailure = { _tag: 'StoreUnavailable', detail: 'away' };

let requests = 0;

/** A delivery of a body, under a request id of its own. */
export const deliveryOf = (body: Buffer): Delivery => {
  requests += 1;
  const requestId = branded<RequestId>(`request-${String(requests).padStart(8, '0')}`);
  return { verified: verifiedDelivery(body, { requestId }), content: readContent(body) };
};

/** A delivery about an on-ramp order. */
export const of = (orderId: string, status = 'fiatPending'): Delivery =>
  deliveryOf(bodyOf(onRamp({ orderId, status })));

/** Whether a delivery is about an order. */
export const isOf = ({ content }: Delivery, id: string): boolean =>
  content._tag === 'OrderEvent' && content.payload.orderId === id;

/** Deliveries that are spooled in a real file, beside a store that fails as it is told. */
export class SpoolingScene {
  readonly #folder = temporaryFolder();
  readonly store: InMemoryEventStore = inMemoryEventStore(() => instantOf(0));
  #open: { readonly spool: Spool; readonly spooling: Spooling } | null = null;
  /** What is answered in place of the store's answer, by each delivery in its turn. */
  failures: RecordFailure[] = [];
  asked: Delivery[] = [];
  events: SpoolEvent[] = [];
  waits: number[] = [];
  readiness: Readiness = { ready: true };
  answerWithinMs = 60_000;
  /** The clock by which a delivery has its time. */
  time: Pick<SpoolingDeps, 'elapsed' | 'inTime'> = { elapsed: () => performance.now(), inTime };
  /** How often the spool had no room for a delivery. */
  refused = 0;
  /** How many deliveries were on their way into the spool at once. */
  mostPuts = 0;
  #puts = 0;
  /** Whether commits of the spool fail, although they are in its file. */
  losesCommits = false;
  /** How what the spool held is counted behind its start. */
  counting: Pick<NonNullable<Parameters<typeof openSpoolHere>[1]>, 'rowsAtOnce' | 'beforeRows'> = {};
  /** Whether the secret of the deliveries can be read now. */
  isSecretKnown = true;
  /** How often the signature of one that waits was looked at. */
  proofs = 0;
  /** What the store's answers wait for. */
  gate: Promise<void> = Promise.resolve();
  /** What the store does for each delivery before its answer. */
  takes: () => Promise<void> = () => Promise.resolve();
  /** What is answered to a delivery in place of the store's answer; null: nothing in its place. */
  failureOf: (delivery: Delivery) => RecordFailure | null = () => null;
  /** Lets those go on who back off. */
  goOn: () => void = () => undefined;

  /** The spool that is open. */
  get spool(): Spool {
    return this.#opened().spool;
  }

  get spooling(): Spooling {
    return this.#opened().spooling;
  }

  file(): string {
    return `${this.#folder.path}/spool.db`;
  }

  async start(mostBytes = 1e7): Promise<void> {
    this.#open = await this.#begin(mostBytes);
  }

  async stop(): Promise<void> {
    await this.spooling.close();
    await this.spool.close();
  }

  async end(): Promise<void> {
    await this.stop();
    this.#folder.remove();
  }

  /** Hands a delivery in, and says what came of it. */
  async outcome(delivery: Delivery): Promise<string> {
    const recorded = await this.spooling.record(delivery)();
    return E.isRight(recorded) ? recorded.right.outcome : recorded.left._tag;
  }

  /** Spools deliveries while the store is away, and waits until the spool has tried in vain. */
  async spooled(deliveries: readonly Delivery[]): Promise<void> {
    this.failureOf = () => AWAY;
    for (const delivery of deliveries) expect(await this.outcome(delivery)).to.equal('spooled');
    await this.backsOff(1);
  }

  onlyFails(id: string, failure: RecordFailure = AWAY): void {
    this.failureOf = (delivery) => (isOf(delivery, id) ? failure : null);
  }

  isSo(what: string, holds: () => boolean): Promise<true> {
    return until(5_000, what, () => Promise.resolve(holds() ? true : null));
  }

  backsOff(times: number): Promise<true> {
    return this.isSo(`${times} back-offs`, () => this.waits.length >= times);
  }

  isDrained(): Promise<true> {
    return this.isSo('the spool to be empty', () => this.spool.state().depth === 0);
  }

  /** Lets all that backs off go on until it is so. */
  goesOnUntil(what: string, holds: () => boolean): Promise<true> {
    return this.isSo(what, () => {
      this.goOn();
      return holds();
    });
  }

  types(): readonly string[] {
    return this.events.map(({ _tag }) => _tag);
  }

  logged(): readonly string[] {
    return this.store.recorded().map(({ stream, type }) => `${stream} ${type}`);
  }

  #opened(): { readonly spool: Spool; readonly spooling: Spooling } {
    return this.#open ?? expect.fail('nothing is open');
  }

  async #begin(mostBytes: number): Promise<{ readonly spool: Spool; readonly spooling: Spooling }> {
    const everySecond = (call: () => void): (() => void) => {
      const timer = setInterval(call, SECOND_MS);
      return () => clearInterval(timer);
    };
    const losesCommit = (): boolean => this.losesCommits;
    const spool = right(await openSpoolHere(this.file(), { mostBytes, everySecond, losesCommit, ...this.counting }));
    const record = recordDelivery({ store: this.store, recent: new RecentOrders(10), quarantined: new Set() });
    const spooling = startSpooling({
      record: (delivery) => async (): Promise<E.Either<RecordFailure, Recorded>> => {
        this.asked.push(delivery);
        await this.gate;
        await this.takes();
        const failure = this.failures.shift() ?? this.failureOf(delivery) ?? undefined;
        return failure === undefined ? record(delivery)() : E.left(failure);
      },
      spool: {
        ...spool,
        put: (verified, key) => async () => {
          this.#puts += 1;
          this.mostPuts = Math.max(this.mostPuts, this.#puts);
          const kept = await spool.put(verified, key)();
          this.#puts -= 1;
          if (E.isLeft(kept)) this.refused += 1;
          return kept;
        },
      },
      signerOf: (verified) => {
        this.proofs += 1;
        return this.isSecretKnown ? signerOf(verified) : null;
      },
      storeReadiness: () => this.readiness,
      answerWithinMs: this.answerWithinMs,
      elapsed: () => this.time.elapsed(),
      inTime: this.time.inTime,
      wait: (ms, signal) => this.#wait(ms, signal),
      random: () => 0,
      now: () => instantOf(0),
      onEvent: (event) => this.events.push(event),
    });
    return { spool, spooling };
  }

  #wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.waits.push(ms);
      const before = this.goOn;
      this.goOn = () => {
        this.goOn = () => undefined;
        before();
        resolve();
      };
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
