import { either as E } from 'fp-ts';
import { wait } from '../../concurrency/wait.ts';
import type { Position, StreamName } from '../../domain/ids.ts';
import { comparePositions } from '../../domain/position.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { LogReader } from './log-reader.ts';

export type TailEvents = {
  /** Told of each event as the server gives it, own and others'. */
  readonly onEvents: (events: readonly RecordedEvent[]) => void;
  /** Told why events are not seen at present; null: all that there are were told, and further ones are as they come. */
  readonly onState: (problem: string | null) => void;
};

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 500;

const CLOSED = 'it is closed';
const CONNECTING = 'the connection is not there yet';

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
  readonly #reader: LogReader;
  readonly #events: TailEvents;
  readonly #closing = new AbortController();
  readonly #watches = new Map<string, Set<(seen: Seen) => void>>();
  readonly #running: Promise<void>;
  readonly #first = Promise.withResolvers<void>();
  #last: Position | null = null;
  #problem: string | null = CONNECTING;
  #isLevel = false;

  constructor(reader: LogReader, events: TailEvents) {
    this.#reader = reader;
    this.#events = events;
    this.#running = this.#run();
  }

  /** Why there is no connection at the moment; null where there is one. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Whether all was seen that there is. After a gap that takes longer than the connection. */
  get isLevel(): boolean {
    return this.#isLevel;
  }

  /** The position of the last event that was seen; only while the tail is level it is the head. */
  get last(): Position | null {
    return this.#last;
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
    let from: Position | null | undefined;
    while (!isClosing()) {
      if (from === undefined) {
        const head = await this.#reader.head();
        if (E.isRight(head)) from = head.right;
        else this.#lost(head.left.detail);
        if (head._tag === 'Right' && head.right !== null) this.reached(head.right);
      }
      if (from !== undefined && !isClosing()) {
        const onStands = (): void => {
          pauseMs = FIRST_PAUSE_MS;
          this.#problem = null;
        };
        for await (const batch of this.#reader.follow(from, signal, { onStands, onLevel: () => this.#level() })) {
          if (E.isLeft(batch)) {
            this.#lost(batch.left.detail);
            break;
          }
          from = batch.right.at(-1)?.position ?? from;
          this.#show(batch.right);
        }
      }
      this.#first.resolve();
      if (!isClosing()) await wait(pauseMs, signal);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
    [this.#problem, this.#isLevel] = [CLOSED, false];
    this.#releaseAll();
  }

  #show(events: readonly RecordedEvent[]): void {
    for (const event of events) {
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

  /** Who waits must look for themselves: what comes next may be behind a gap of time. */
  #lost(problem: string): void {
    [this.#problem, this.#isLevel] = [problem, false];
    this.#releaseAll();
    this.#first.resolve();
    this.#events.onState(problem);
  }

  #releaseAll(): void {
    for (const watching of this.#watches.values()) for (const resolve of watching) resolve('unknown');
  }
}
