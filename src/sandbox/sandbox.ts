import * as E from 'fp-ts/lib/Either.js';
import type { Pause, Wait } from '../concurrency/wait.ts';
import { instantOf } from '../domain/instant.ts';
import { member } from '../domain/json.ts';
import { courier, type CourierDeps, type Deliver, type Retries } from './courier.ts';
import { DeliveryLog } from './delivery-log.ts';
import { Expectation } from './expectation.ts';
import type { Fault } from './fault.ts';
import { offRampOrder } from './off-ramp-order.ts';
import { onRampOrder } from './on-ramp-order.ts';
import { MoneyBook } from './money/money-book.ts';
import { moneyOf, type Money, type MoneyMeans, type MoneyQuestion } from './money/money.ts';
import { moneyOrder } from './money/money-order.ts';
import { OrderBook } from './order-book.ts';
import type { AskedOrder } from './order-request.ts';
import { createPacer, unpaced, type Pacer } from './pacer.ts';
import type { Sign } from './parcel.ts';
import { awaitsExpiry } from './path.ts';
import { PLAYED_PATHS } from './played-paths.ts';
import { Random } from './random.ts';
import type { Post } from './post.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import { tellEvents, type LiveOrder } from './tell-events.ts';
import { PENDING_AT_MOST_MS, timeline } from './timeline.ts';

export type SandboxDeps = Pick<CourierDeps, 'onGivenUp'> & {
  /** Everything that the sandbox makes up follows from it. */
  readonly seed: string;
  readonly clock: SandboxClock;
  /** The time at receivers, in milliseconds since the Unix epoch: whatever the sandbox's clock says, they live now. */
  readonly wallMs: () => number;
  /** A clock that only measures, in milliseconds. */
  readonly monotonicMs: () => number;
  readonly wait: Wait;
  /** Where webhooks go; null where no callback URL is configured, and none are sent. */
  readonly callback: { readonly post: Post; readonly sign: Sign } | null;
  readonly retries: Retries;
  /** How many orders of a run are on their way at the same time. */
  readonly ordersAtOnce: number;
};

/** Orders that are played one after the other, on every path in turn. */
export type Run = {
  /** How many; null: without end. */
  readonly orders: number | null;
  /** Webhooks a second; null: as many as the target takes. */
  readonly rate: number | null;
  /** They were created within so many milliseconds before now; 0: they happen now. */
  readonly withinMs: number;
  readonly faults: ReadonlySet<Fault>;
};

type Awaiting = LiveOrder & {
  readonly dueAtMs: number;
  readonly delivered: Promise<void>;
  readonly faults: ReadonlySet<Fault>;
};

const MOST_DELIVERIES = 10_000;
const MOST_ORDERS = 1_000;
/** Orders that are in bank files and on chain. */
const MOST_MONEY_ORDERS = 20_000;
const BURST = 100;

/** Where no callback URL is configured, events happen all the same. */
const noWebhooks: Deliver = async (_, pacer) => {
  await pacer.turn();
  return false;
};

/** The provider's side of orders: it makes them up, moves them on its clock, and delivers what happens to them. */
export class Sandbox {
  readonly deliveries = new DeliveryLog(MOST_DELIVERIES);
  readonly expectation = new Expectation();
  readonly orders = new OrderBook(MOST_ORDERS);
  readonly #money = new MoneyBook(MOST_MONEY_ORDERS);
  readonly #deps: SandboxDeps;
  readonly #random: Random;
  readonly #wait: Pause;
  readonly #tell: ReturnType<typeof tellEvents>;
  readonly #awaiting = new Map<string, Awaiting>();
  readonly #ending = new AbortController();
  #lastOrder = 0;
  #played = 0;
  #runs = 0;

  constructor(deps: SandboxDeps) {
    const { clock, callback } = deps;
    this.#deps = deps;
    this.#random = new Random(deps.seed);
    this.#wait = (ms) => deps.wait(ms, this.#ending.signal);
    const deliver =
      callback === null
        ? noWebhooks
        : courier({
            post: callback.post.post,
            log: this.deliveries,
            now: () => instantOf(Math.floor(clock.now())),
            wait: this.#wait,
            random: this.#random.derived('retries'),
            ending: () => this.#ending.signal.aborted,
            onGivenUp: deps.onGivenUp,
          });
    this.#tell = tellEvents({
      random: this.#random,
      sign: callback?.sign ?? (() => ''),
      deliver,
      retries: deps.retries,
      wait: this.#wait,
    });
  }

  /** Creates an order and delivers its webhooks; `delivered` resolves when each was taken, or given up. */
  place(asked: AskedOrder): E.Either<string, { readonly orderId: string; readonly delivered: Promise<void> }> {
    const orderId = member(asked.fields, 'orderId');
    if (typeof orderId === 'string' && this.orders.has(orderId)) {
      return E.left(`orderId: there is an order ${JSON.stringify(orderId)} already`);
    }
    const { order, delivered } = this.#create(asked, 0, unpaced);
    return E.right({ orderId: order.orderId, delivered });
  }

  /** Plays orders; resolves when the last one's webhooks are through. */
  async play({ orders, rate, withinMs, faults }: Run): Promise<void> {
    const { monotonicMs, ordersAtOnce } = this.#deps;
    const together = faults.has('burst') ? BURST : 1;
    const pacer = rate === null ? unpaced : createPacer(rate, together, monotonicMs, this.#wait);
    const most = orders ?? Number.POSITIVE_INFINITY;
    let begun = 0;
    const walker = async (): Promise<void> => {
      for (; begun < most && !this.#ending.signal.aborted;) {
        const played = PLAYED_PATHS[begun % PLAYED_PATHS.length];
        begun += 1;
        if (played === undefined) return;
        await this.#create({ ...played, faults, fields: {} }, withinMs, pacer).delivered;
        this.#played += 1;
        // Where nothing is sent, this loop waits for nothing else, and the rest of the process would stand still.
        if (this.#deps.callback === null) await this.#wait(0);
      }
    };
    this.#runs += 1;
    await Promise.all(Array.from({ length: ordersAtOnce }, walker));
    this.#runs -= 1;
  }

  /**
   * What bank and chains have of the orders, and what a ledger must find that took it all (docs/spec/sandbox.md, Bank and
   * chain).
   */
  money(means: Pick<MoneyMeans, 'faults' | 'dayOf'>, question: MoneyQuestion): Money {
    const nowMs = this.#deps.wallMs();
    return moneyOf({ ...means, orders: this.#money.all(), random: this.#random, nowMs }, question);
  }

  /** Changes whenever bank and chains have something new. */
  get moneyVersion(): number {
    return this.#money.version;
  }

  /** Orders that runs have played to their end, and whether one is going on. */
  get progress(): { readonly running: boolean; readonly ordersPlayed: number } {
    return { running: this.#runs > 0, ordersPlayed: this.#played };
  }

  /**
   * Sends the expiries that are due: of orders that stayed pending for more than three hours (docs/spec/provider.md,
   * Transitions).
   */
  async sendDue(): Promise<void> {
    const nowMs = this.#deps.clock.now();
    const due = [...this.#awaiting.values()].filter(({ dueAtMs }) => nowMs > dueAtMs);
    for (const { order } of due) this.#awaiting.delete(order.orderId);
    await Promise.all(
      due.map(async ({ delivered, faults, ...live }) => {
        await delivered;
        this.orders.note(live.order, 'expired');
        const events = [{ status: 'expired', utr: null, atMs: nowMs }];
        await this.#tell(live, { events, faults, pacer: unpaced });
      }),
    );
  }

  /** Moves the clock, and sends what is due then. */
  advance(byMs: number): Promise<void> {
    this.#deps.clock.advance(byMs);
    return this.sendDue();
  }

  /** Sends nothing more; what is on its way is cut off. */
  end(): void {
    this.#ending.abort();
    this.#deps.callback?.post.close();
  }

  #create(
    { flow, path, faults, fields }: AskedOrder,
    withinMs: number,
    pacer: Pacer,
  ): LiveOrder & { readonly delivered: Promise<void> } {
    this.#lastOrder += 1;
    const random = this.#random.derived(`order/${this.#lastOrder}`);
    const utr = member(fields, 'utr');
    const { createdAtMs, events } = timeline(
      {
        path,
        utr: typeof utr === 'string' || utr === null ? utr : undefined,
        nowMs: Math.floor(this.#deps.clock.now()),
        withinMs,
      },
      random.derived('time'),
    );
    const request = { flow, native: path.every(({ status }) => status !== 'InProgress'), createdAtMs, fields };
    const order = (flow === 'onramp' ? onRampOrder : offRampOrder)(this.#random, random, request);
    const live = { order, tally: this.expectation.follow(order) };
    const delivered = this.#tell(live, { events, faults, pacer });
    this.orders.note(order, events.at(-1)?.status ?? '');
    this.#money.note(moneyOrder(order, events, Math.floor(this.#deps.wallMs())));
    if (awaitsExpiry(flow, path) && !faults.has('no-expiry')) {
      const dueAtMs = Date.parse(order.createdAt) + PENDING_AT_MOST_MS;
      this.#awaiting.set(order.orderId, { ...live, dueAtMs, delivered, faults });
    }
    return { ...live, delivered };
  }
}
