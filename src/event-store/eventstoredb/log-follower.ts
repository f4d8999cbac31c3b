import { START, streamNameFilter } from '@eventstore/db-client';
import type { AllStreamSubscription, Position as WirePosition } from '@eventstore/db-client';
import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../domain/ids.ts';
import { comparePositions } from '../../domain/position.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { Connection } from './connection.ts';
import { guardedSubscription } from './guarded-client.ts';
import { ownEvents, type Batch } from './own-events.ts';
import { unavailable } from './store-failure.ts';
import type { StreamNames } from './stream-names.ts';
import { whereverLed } from './wherever-led.ts';
import { wirePosition } from './wire-event.ts';

/** Events that wait for a slow consumer, in the client; what is behind them waits on the server. */
const BUFFERED = 512;
/** Checkpoints come each time that so many times 32 records were looked at. */
const CHECKPOINT_INTERVAL = 64;

const cancellable = (subscription: AllStreamSubscription) =>
  Object.assign(subscription, { cancel: () => subscription.unsubscribe() });

/** Whether events follow each other in the log behind a position. */
const areBehind = (after: Position | null, events: readonly RecordedEvent[]): boolean =>
  events.every(({ position }, i) => comparePositions(position, events[i - 1]?.position ?? after) > 0);

type FollowOptions = {
  readonly of?: string;
  readonly onStands?: () => void;
  readonly onLevel?: () => void;
  readonly upTo?: Position | null;
};

const UNCONFIRMED = new Error('a subscription was not confirmed in time');

const NEVER = new AbortController().signal;

/** Follows the ledger's events in a server's log, by subscriptions. */
export class LogFollower {
  readonly #connection: Connection;
  readonly #names: StreamNames;
  readonly #quietMs: number;

  /** @param quietMs a subscription that is not confirmed by then is given up, and so is one up to somewhere that says nothing for twice as long */
  constructor(connection: Connection, names: StreamNames, quietMs: number) {
    this.#connection = connection;
    this.#names = names;
    this.#quietMs = quietMs;
  }

  /**
   * The ledger's events behind a position, and then those that are appended, in batches that are never empty. The server
   * filters by the names of streams. Its end without an error is a Left too: a subscription never ends by itself.
   *
   * @param after null: from the start
   * @param of what the names of the streams begin with that are wanted: all of the ledger's
   * @param onStands told when the server has confirmed the subscription
   * @param onLevel told when all was given, and dealt with, that was there before it
   * @param upTo ends it once the server has looked at everything up to there
   */
  async *follow(
    after: Position | null,
    signal: AbortSignal,
    { of = '', onStands = () => undefined, onLevel = () => undefined, upTo = null }: FollowOptions = {},
  ): AsyncGenerator<Batch, void, undefined> {
    const prefixes = this.#names.prefixes(of);
    const enough = Promise.withResolvers<void>();
    const caughtUp = Promise.withResolvers<void>();
    const state = { isEnough: false };
    const end = (): void => {
      state.isEnough = true;
      enough.resolve();
    };
    // These come beside the events and run ahead of their consumer (facts, Seen): what arrived before is still given.
    // While catching up a checkpoint has prepare 0: it lies before the event whose commit position it names.
    let words = 0;
    const lookedAt = ({ commit, prepare }: WirePosition): void => {
      words += 1;
      if (upTo !== null && (commit > BigInt(upTo) || (commit === BigInt(upTo) && prepare === commit))) end();
    };
    const open = () => {
      const subscription = guardedSubscription(
        this.#connection.client().subscribeToAll(
          {
            fromPosition: after === null ? START : wirePosition(after),
            // A follower may have caught up with itself, and not be there yet.
            requiresLeader: upTo !== null,
            filter: streamNameFilter({
              prefixes,
              checkpointInterval: CHECKPOINT_INTERVAL,
              checkpointReached: (_subscription, position) => lookedAt(position),
            }),
          },
          { highWaterMark: BUFFERED },
        ),
      );
      // Without a quorum calls are taken and stay unanswered, and the server is not dead: keep-alive does not end them.
      const unconfirmed = setTimeout(() => subscription.destroy(UNCONFIRMED), this.#quietMs);
      subscription.on('confirmation', () => {
        clearTimeout(unconfirmed);
        onStands();
      });
      subscription.on('close', () => clearTimeout(unconfirmed));
      subscription.on('caughtUp', () => {
        caughtUp.resolve();
        if (upTo !== null) end();
      });
      return cancellable(subscription);
    };
    let last = after;
    for await (const batch of whereverLed(open, {
      // Up to somewhere there is always something to tell: checkpoints, where no events.
      quietMs: upTo === null ? null : 2 * this.#quietMs,
      heard: () => words,
      isClosed: this.#connection.isClosed,
      signal,
      enough: enough.promise,
      level: { at: caughtUp.promise, onReached: onLevel },
    })) {
      const own = ownEvents(this.#names, batch);
      if (E.isLeft(own)) {
        yield own;
        return;
      }
      if (!areBehind(last, own.right)) {
        // One that came before would be counted twice, or an order be shown as it once was.
        yield E.left(unavailable('a subscription went back in the log'));
        return;
      }
      last = own.right.at(-1)?.position ?? last;
      if (own.right.length > 0) yield own;
    }
    if (!signal.aborted && !state.isEnough) yield E.left(unavailable('a subscription ended without a word'));
  }

  /** Everything behind a position up to another, in batches that are never empty. */
  async *between(after: Position | null, upTo: Position, of = ''): AsyncGenerator<Batch, void, undefined> {
    for await (const batch of this.follow(after, NEVER, { of, upTo })) {
      if (E.isLeft(batch)) {
        yield batch;
        return;
      }
      const within = batch.right.filter(({ position }) => comparePositions(position, upTo) <= 0);
      if (within.length > 0) yield E.right(within);
      if (within.length < batch.right.length || within.at(-1)?.position === upTo) return;
    }
  }
}
