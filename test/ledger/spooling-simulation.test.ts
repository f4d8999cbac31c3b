import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { inTime } from '../../src/concurrency/in-time.ts';
import { branded } from '../../src/domain/brand.ts';
import type { VerifiedDelivery } from '../../src/domain/delivery.ts';
import { receivedAtIn } from '../../src/domain/event-metadata.ts';
import { orderStream, type OrderId, type RequestId, type Sha256 } from '../../src/domain/ids.ts';
import { instantOf, type Instant } from '../../src/domain/instant.ts';
import { readContent } from '../../src/domain/read-content.ts';
import { signedBytes } from '../../src/domain/recorded-event.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import type { AppendError, Appended, EventStore } from '../../src/event-store/event-store.ts';
import type { Spool } from '../../src/event-store/spool.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { recordDelivery } from '../../src/ledger/record-delivery.ts';
import { startSpooling, type Spooling } from '../../src/ledger/spooling.ts';
import { inMemoryEventStore } from '../support/in-memory-event-store.ts';
import { bodyOf, onRamp, signerOf, verifiedDelivery } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { runs } from '../support/runs.ts';
import { openSpoolHere } from '../support/spool-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { OrderStore } from '../../src/ledger/record-order-event.ts';
import { pagesOf } from '../support/pages-of.ts';

const ORDERS = ['one', 'two', 'three'] as const;
type Order = (typeof ORDERS)[number];
const BODIES = 6;
const MOST_TURNS = 3_000;

type Step =
  /** The n-th delivery of an order, or one that names no order; the same again is the same bytes. */
  | { readonly step: 'deliver'; readonly order: Order | null; readonly n: number; readonly waits: boolean }
  | { readonly step: 'away' | 'back' | 'restart' | 'crash' }
  /** So many appends are written, or not, and their answers are lost. */
  | { readonly step: 'unknown'; readonly written: readonly boolean[] }
  | { readonly step: 'refuse' | 'take'; readonly order: Order }
  | { readonly step: 'turns'; readonly count: number };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        step: fc.constant('deliver' as const),
        order: fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(...ORDERS) },
          { weight: 1, arbitrary: fc.constant(null) },
        ),
        n: fc.nat(BODIES - 1),
        waits: fc.boolean(),
      }),
    },
    { weight: 3, arbitrary: fc.record({ step: fc.constantFrom('away' as const, 'back' as const) }) },
    { weight: 1, arbitrary: fc.record({ step: fc.constantFrom('restart' as const, 'crash' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        step: fc.constant('unknown' as const),
        written: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        step: fc.constantFrom('refuse' as const, 'take' as const),
        order: fc.constantFrom(...ORDERS),
      }),
    },
    { weight: 3, arbitrary: fc.record({ step: fc.constant('turns' as const), count: fc.integer({ min: 1, max: 8 }) }) },
  ),
  { minLength: 10, maxLength: 45, size: 'max' },
);

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** So long takes each slice that is counted behind a start: much comes meanwhile. */
const slowly = async (): Promise<void> => {
  for (let i = 0; i < 6; i += 1) await turn();
};

const bodyFor = (order: Order | null, n: number): Buffer =>
  order === null ? bodyOf(`no JSON ${n}`) : bodyOf(onRamp({ orderId: order, status: `status ${n}`, fiat: n }));

/** One sending of a body. Times are counts of what was sent and answered. */
type Sent = {
  readonly order: Order | null;
  readonly verified: VerifiedDelivery;
  readonly sentAt: number;
  answeredAt: number | null;
};

class Simulation {
  readonly #folder = temporaryFolder();
  readonly #store = inMemoryEventStore(() => instantOf(0));
  readonly #refused = new Set<string>();
  #unknown: readonly boolean[] = [];
  #lives = 0;
  #file = '';
  #open: readonly [Spool, Spooling] | null = null;
  #now = 0;
  readonly #sent: Sent[] = [];
  #underWay: Promise<void>[] = [];
  #everRefused = new Set<Order>();
  spooled = 0;
  /** Deliveries that came while what the spool held at a start was still counted. */
  whileCounting = 0;

  static async begun(): Promise<Simulation> {
    const simulation = new Simulation();
    simulation.#file = simulation.#fileOfLife();
    await simulation.#start();
    return simulation;
  }

  get #spool(): Spool {
    return (this.#open ?? expect.fail('nothing is open'))[0];
  }

  get #spooling(): Spooling {
    return (this.#open ?? expect.fail('nothing is open'))[1];
  }

  readonly #time = (): number => {
    this.#now += 1;
    return this.#now;
  };

  /** The store as one life of the ledger has it; once that life is over, nothing reaches it. */
  #storeOf(life: number): OrderStore {
    const lost = { _tag: 'StoreUnavailable', detail: 'no answer' } as const;
    const readStream: EventStore['readStream'] = (stream) => async () => {
      await turn();
      return life === this.#lives ? this.#store.readStream(stream)() : E.left(lost);
    };
    return {
      readAt: (positions) => async () => {
        await turn();
        return life === this.#lives ? this.#store.readAt(positions)() : E.left(lost);
      },
      readStream,
      streamPages: pagesOf(readStream),
      append: (stream, expected, events) => async (): Promise<E.Either<AppendError, Appended>> => {
        await turn();
        if (life !== this.#lives) return E.left(lost);
        if (this.#refused.has(stream)) return E.left({ _tag: 'AppendRefused', detail: 'too large' });
        const [written, ...rest] = this.#unknown;
        if (written === undefined) return this.#store.append(stream, expected, events)();
        this.#unknown = rest;
        if (written) await this.#store.append(stream, expected, events)();
        return E.left(lost);
      },
    };
  }

  #fileOfLife(): string {
    const folder = `${this.#folder.path}/${this.#lives}`;
    mkdirSync(folder);
    return `${folder}/spool.db`;
  }

  async #start(): Promise<void> {
    const counting = { rowsAtOnce: 1, beforeRows: slowly };
    const spool = right(await openSpoolHere(this.#file, { mostBytes: 1e8, ...counting }));
    const spooling = startSpooling({
      record: recordDelivery({
        store: this.#storeOf(this.#lives),
        recent: new RecentOrders(100),
        quarantined: new Set<Sha256>(),
      }),
      spool,
      signerOf,
      storeReadiness: this.#store.readiness,
      answerWithinMs: 60_000,
      elapsed: () => performance.now(),
      inTime,
      wait: turn,
      random: () => 0.5,
      now: () => instantOf(this.#time()),
      onEvent: () => undefined,
    });
    this.#open = [spool, spooling];
  }

  async #deliver(order: Order | null, n: number): Promise<void> {
    const sentAt = this.#time();
    const body = bodyFor(order, n);
    const verified = verifiedDelivery(body, {
      receivedAt: instantOf(1_000_000 + sentAt),
      requestId: branded<RequestId>(`request-${sentAt}`),
    });
    const sent: Sent = { order, verified, sentAt, answeredAt: null };
    this.#sent.push(sent);
    const life = this.#lives;
    if (this.#spool.state().isCounting) this.whileCounting += 1;
    const recorded = await this.#spooling.record({ verified, content: readContent(body) })();
    // The answer of a ledger that was killed reaches nobody.
    if (life !== this.#lives || E.isLeft(recorded)) return;
    sent.answeredAt = this.#time();
    if (recorded.right.outcome === 'spooled') this.spooled += 1;
  }

  /** What is on the disk in this moment is all that the next life finds. */
  async #crash(): Promise<void> {
    const [old, spool, spooling] = [this.#file, this.#spool, this.#spooling];
    this.#lives += 1;
    this.#file = this.#fileOfLife();
    for (const end of ['', '-wal']) if (existsSync(old + end)) copyFileSync(old + end, this.#file + end);
    await spooling.close();
    await spool.close();
    await Promise.all(this.#underWay);
    await this.#start();
  }

  async #restart(): Promise<void> {
    await Promise.all(this.#underWay);
    await this.#spooling.close();
    await this.#spool.close();
    await this.#start();
  }

  async run(step: Step): Promise<void> {
    switch (step.step) {
      case 'deliver': {
        const delivered = this.#deliver(step.order, step.n);
        this.#underWay.push(delivered);
        return step.waits ? delivered : undefined;
      }
      case 'away':
        return this.#store.takeAway('away');
      case 'back':
        return this.#store.takeAway(null);
      case 'restart':
        return this.#restart();
      case 'crash':
        return this.#crash();
      case 'unknown':
        this.#unknown = step.written;
        return undefined;
      case 'refuse':
        this.#refused.add(orderStream(branded<OrderId>(step.order)));
        this.#everRefused.add(step.order);
        return undefined;
      case 'take':
        this.#refused.delete(orderStream(branded<OrderId>(step.order)));
        return undefined;
      case 'turns':
        for (let i = 0; i < step.count; i += 1) await turn();
        return undefined;
    }
  }

  async finish(): Promise<void> {
    this.#store.takeAway(null);
    this.#unknown = [];
    await Promise.all(this.#underWay);
    const isDrained = (): boolean => {
      const { depth, isCounting } = this.#spool.state();
      return depth === 0 && !isCounting;
    };
    for (let i = 0; !isDrained(); i += 1) {
      if (i > MOST_TURNS) throw new Error('the spool is not drained');
      await turn();
    }
    await this.#spooling.close();
  }

  async check(): Promise<void> {
    const log = this.#store.recorded();
    const digests = log.map((event) => sha256(signedBytes(event)));
    expect(new Set(digests).size, 'an event came twice').to.equal(digests.length);
    const aside = new Set(right(await this.#spool.setAsideEntries()()).map(({ bodySha256 }) => bodySha256));
    const byBody = Map.groupBy(this.#sent, ({ verified }) => verified.bodySha256);
    for (const [digest, sendings] of byBody) {
      const first = sendings[0];
      const answers = sendings.flatMap(({ answeredAt }) => (answeredAt === null ? [] : [answeredAt]));
      const at = digests.indexOf(digest);
      if (answers.length > 0) expect(at >= 0 || aside.has(digest), 'lost').to.equal(true);
      const order = first?.order ?? null;
      if (aside.has(digest)) expect(order !== null && this.#everRefused.has(order)).to.equal(true);
      const event = log[at];
      if (event === undefined || first === undefined) continue;
      const receivedAt: Instant | null = receivedAtIn(event.metadata);
      const possible = (first.answeredAt === null ? sendings : [first]).map(({ verified }) => verified.receivedAt);
      // One that was set aside may come again, and be taken then.
      if (!aside.has(digest)) expect(possible).to.include(receivedAt);
    }
    this.#checkOrder(digests, aside, byBody);
  }

  /** What was sent first, and answered, or answered first, stands first in the log, among deliveries of one order. */
  #checkOrder(
    digests: readonly Sha256[],
    aside: ReadonlySet<Sha256>,
    byBody: ReadonlyMap<Sha256, readonly Sent[]>,
  ): void {
    const bodies = [...byBody].filter(([digest]) => digests.includes(digest) && !aside.has(digest));
    for (const [a, sendingsOfA] of bodies) {
      const [firstOfA] = sendingsOfA;
      const answered = Math.min(...sendingsOfA.map(({ answeredAt }) => answeredAt ?? Infinity));
      for (const [b, [firstOfB]] of bodies) {
        if (firstOfA === undefined || firstOfB === undefined) continue;
        if (firstOfB.order === null || firstOfB.order !== firstOfA.order) continue;
        const isFirst = firstOfA.answeredAt !== null && firstOfA.sentAt < firstOfB.sentAt;
        if (isFirst || answered < firstOfB.sentAt) {
          expect(digests.indexOf(a), 'one overtook another').to.be.below(digests.indexOf(b));
        }
      }
    }
  }

  async end(): Promise<void> {
    await this.#spool.close();
    this.#folder.remove();
  }
}

describe('spooling, whatever happens', () => {
  it('has every acknowledged delivery in the log exactly once or set aside, in order, with its received time', async () => {
    let [spooled, whileCounting] = [0, 0];
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const simulation = await Simulation.begun();
        try {
          for (const step of all) await simulation.run(step);
          await simulation.finish();
          await simulation.check();
          spooled += simulation.spooled;
          whileCounting += simulation.whileCounting;
        } finally {
          await simulation.end();
        }
      }),
      { numRuns: runs(40) },
    );
    // A simulation that spools nothing says nothing, nor does one whose starts find nothing to count.
    expect(spooled).to.be.at.least(runs(40) * 3);
    expect(whileCounting).to.be.at.least(runs(40) / 2);
  }).timeout(300_000);
});
