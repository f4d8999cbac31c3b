import * as E from 'fp-ts/lib/Either.js';
import { wait } from '../../concurrency/wait.ts';
import type { Position, StreamName } from '../../domain/ids.ts';
import { comparePositions } from '../../domain/position.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { Mark } from './head-hint.ts';
import type { LogFollower } from './log-follower.ts';
import type { OwnHead } from './own-head.ts';
import { unavailable } from './store-failure.ts';

export type TailEvents = {
  /** Told of each event as the server gives it, own and others'. */
  readonly onEvents: (events: readonly RecordedEvent[]) => void;
  /** Told why events are not seen at present; null: all that there are were told, and further ones are as they come. */
  readonly onState: (problem: string | null) => void;
};

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 500;

const CLOSED = unavailable('it is closed').detail;
const CONNECTING = unavailable('the connection is not there yet').detail;

/** What the tail says of a place in a stream: the event that stands there, or that it can't tell. */
export type Seen = RecordedEvent | 'unknown';

/** Who waits for a place to be seen. */
export type Watch = { readonly seen: Promise<Seen>; readonly stop: () => void };

const placeKey = (stream: StreamName, revision: number): string => `${revision}@${stream}`;

/**
 * The ledger's own subscription at the end of the log. It shows each append as the log holds it, which proves whose event
 * stands at a revision (facts: two writers of one id both get success), tells the head, and what other ledgers append.
 */
export class LiveTail {
  readonly #follower: LogFollower;
  readonly #ownHead: OwnHead;
  readonly #events: TailEvents;
  readonly #closing = new AbortController();
  readonly #watches = new Map<string, Set<(seen: Seen) => void>>();
  readonly #running: Promise<void>;
  readonly #first = Promise.withResolvers<void>();
  #last: Position | null = null;
  #problem: string | null = CONNECTING;
  #isLevel = false;
  /** Where the tail began to look this time: what the ledger wrote before has to be looked for. */
  #began: Position | null = null;
  #knowsBefore = false;

  constructor(follower: LogFollower, ownHead: OwnHead, events: TailEvents) {
    this.#follower = follower;
    this.#ownHead = ownHead;
    this.#events = events;
    this.#running = this.#run();
  }

  /** Why there is no connection at the moment; null where there is one. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Whether `last` is the last event of the ledger: the tail is level, and what was before it is known. */
  get knowsHead(): boolean {
    return this.#isLevel && this.#knowsBefore;
  }

  /** The position of the last event of the ledger that was seen or found. */
  get last(): Position | null {
    return this.#last;
  }

  /** Everything of the ledger up to there was there before the tail, or was shown by it. */
  get passed(): Position | null {
    return comparePositions(this.#last, this.#began) > 0 ? this.#last : this.#began;
  }

  /** The last event of the ledger, as somebody has looked for it; null: there was none. */
  found(position: Position | null): void {
    this.#knowsBefore = true;
    if (position !== null) this.reached(position);
  }

  /** Resolves after the first try to connect, whatever came of it. */
  get tried(): Promise<void> {
    return this.#first.promise;
  }

  /** An event was appended or read that the subscription has yet to show. */
  reached(position: Position): void {
    if (comparePositions(position, this.#last) > 0) this.#last = position;
  }

  /** Watches a place from now on; to be asked before the append is sent. */
  watch(stream: StreamName, revision: number): Watch {
    if (!this.#isLevel) return { seen: Promise.resolve('unknown'), stop: () => undefined };
    const key = placeKey(stream, revision);
    const { promise, resolve } = Promise.withResolvers<Seen>();
    const watching = this.#watches.get(key) ?? new Set();
    watching.add(resolve);
    this.#watches.set(key, watching);
    return {
      seen: promise,
      stop: () => {
        watching.delete(resolve);
        if (watching.size === 0) this.#watches.delete(key);
      },
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const isClosing = (): boolean => signal.aborted;
    let pauseMs = FIRST_PAUSE_MS;
    const onStands = (): void => {
      pauseMs = FIRST_PAUSE_MS;
      this.#problem = null;
    };
    let shown: Mark | null | undefined;
    const goOn = async (): Promise<void> => {
      const place = await this.#placeBehind(shown);
      if (E.isLeft(place)) {
        this.#lost(place.left.detail);
        return;
      }
      shown = place.right;
      this.#began = shown?.position ?? null;
      // There is nothing before the start.
      this.#knowsBefore ||= shown === null;
      if (isClosing()) return;
      for await (const batch of this.#follower.follow(this.#began, signal, {
        onStands,
        onLevel: () => this.#level(),
      })) {
        if (E.isLeft(batch)) {
          this.#lost(batch.left.detail);
          break;
        }
        const last = batch.right.at(-1);
        if (last !== undefined) shown = { position: last.position, id: last.id };
        this.#show(batch.right);
      }
    };
    while (!isClosing()) {
      // Whatever a server sends, the next try may go well; a tail that ended by a fault would never say so.
      await goOn().catch((error: unknown) => this.#lost(unavailable(String(error)).detail));
      this.#first.resolve();
      if (!isClosing()) await wait(pauseMs, signal);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
    [this.#problem, this.#isLevel] = [CLOSED, false];
    this.#releaseAll();
  }

  /**
   * Where to go on: behind what was shown last, so that nothing is left out, or at the end of the log. A store may have been
   * put back from a backup while it was away: its log then ends before that place, or has another event there, and who
   * waited behind it would see nothing, or what comes as a log that goes back, for ever.
   *
   * @param shown undefined: nothing was looked for yet; null: the log was empty
   */
  async #placeBehind(shown: Mark | null | undefined): ReturnType<OwnHead['end']> {
    if (shown === undefined) return this.#ownHead.end();
    if (shown === null) return E.right(null);
    const has = await this.#ownHead.has(shown);
    if (E.isLeft(has)) return has;
    return has.right ? E.right(shown) : this.#ownHead.end();
  }

  #show(events: readonly RecordedEvent[]): void {
    for (const event of events) {
      this.#knowsBefore = true;
      this.reached(event.position);
      const key = placeKey(event.stream, event.revision);
      for (const resolve of this.#watches.get(key) ?? []) resolve(event);
    }
    this.#events.onEvents(events);
  }

  #level(): void {
    this.#isLevel = true;
    this.#first.resolve();
    this.#events.onState(null);
  }

  /** Who waits must look for themselves: what comes next may be behind a gap of time, or in a log that became shorter. */
  #lost(problem: string): void {
    [this.#problem, this.#isLevel] = [problem, false];
    [this.#last, this.#knowsBefore] = [null, false];
    this.#releaseAll();
    this.#first.resolve();
    this.#events.onState(problem);
  }

  #releaseAll(): void {
    for (const watching of this.#watches.values()) for (const resolve of watching) resolve('unknown');
  }
}
