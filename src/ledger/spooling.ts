import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { inTime } from '../concurrency/in-time.ts';
import type { Wait } from '../concurrency/wait.ts';
import type { Delivery, VerifiedDelivery } from '../domain/delivery.ts';
import type { SecretId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import type { Readiness, StoreUnavailable } from '../event-store/event-store.ts';
import type { Spool, SpoolFailed, SpoolFull, SpoolState } from '../event-store/spool.ts';
import { KeyTurns } from './key-turns.ts';
import { describeFailure, type Recorded, type RecordFailure } from './recorded.ts';
import { startDraining } from './spool-drain.ts';
import type { SpoolEvent } from './spool-event.ts';
import { orderNamed, spoolKey } from './spool-key.ts';
import type { Spooled } from './spooled.ts';

export type SpoolingDeps = {
  /** `recordDelivery` over the event store. */
  readonly record: (delivery: Delivery) => TE.TaskEither<RecordFailure, Recorded>;
  /** Stays open as long as this goes on; who opened it closes it. */
  readonly spool: Spool;
  /** The secret of now that proves a delivery which waited; null where none does. */
  readonly signerOf: (verified: VerifiedDelivery) => SecretId | null;
  /** Whether the connection to the store is there. */
  readonly storeReadiness: () => Readiness;
  /** A delivery that has no answer of the store so many ms after it came, its turn among those of its order included, is spooled. */
  readonly answerWithinMs: number;
  /** The clock that this goes by: milliseconds since some moment, without a jump. */
  readonly elapsed: () => number;
  readonly inTime: typeof inTime;
  readonly wait: Wait;
  /** At least 0 and below 1. */
  readonly random: () => number;
  readonly now: () => Instant;
  readonly onEvent: (event: SpoolEvent) => void;
};

export type Spooling = {
  /** Records a delivery, or spools it. A Right is durable (docs/spec/domain.md, Promises, 1). */
  readonly record: (delivery: Delivery) => TE.TaskEither<RecordFailure, Recorded | Spooled>;
  /** Whether a delivery could be accepted now, by the store or by the spool. */
  readonly readiness: () => Readiness;
  /** Whether the store takes deliveries, by its last answer while some wait for it: one may be read and take none. */
  readonly storeReadiness: () => Readiness;
  readonly state: () => SpoolState;
  /** Says that the connection to the store is there again: what waits is tried at once. */
  readonly storeIsBack: () => void;
  /** Says that the connection to the store broke: what it has not answered yet is spooled at once. */
  readonly storeIsBroken: () => void;
  /** Waits a little for what is being appended; the others stay in the spool. */
  readonly close: () => Promise<void>;
};

const LATE: E.Either<StoreUnavailable, never> = E.left({
  _tag: 'StoreUnavailable',
  detail: 'the event store gave no answer in time',
});

const OUT_OF_TIME = 'earlier deliveries of the order took the time that it has';

/** The time was up before the store had all of it: that says nothing of the store. */
const TURN_LATE: typeof LATE = E.left({
  _tag: 'StoreUnavailable',
  detail: OUT_OF_TIME,
});

const isLate = (recorded: E.Either<RecordFailure, Recorded>): boolean => recorded === LATE || recorded === TURN_LATE;

type Result = E.Either<RecordFailure, Recorded | Spooled>;

/** @param why what kept the store from taking it */
const answerOf = (delivery: Delivery, kept: E.Either<SpoolFull | SpoolFailed, void>, why: string): Result =>
  E.isRight(kept)
    ? E.right({ outcome: 'spooled', orderId: orderNamed(delivery) })
    : E.left({ _tag: 'StoreUnavailable', detail: `${why}; the spool: ${kept.left.detail}` });

/**
 * Takes deliveries while the event store is away, and appends them when it is back, those of one order in order of
 * arrival (docs/spec/receiving.md, Replies).
 *
 * An order that has a delivery in the spool keeps spooling until that one's turn is over, so that none overtakes
 * another. While the store is known to be away all are spooled without asking it: what waits is tried again and again,
 * and says when it is back. With nothing in the spool that could be tried each delivery asks, since nobody else would;
 * unless the connection is broken, which sends it to the spool at once.
 *
 * Behind a start the spool says of every order that it may wait, until what it held is counted: all are spooled then, and
 * appended when their turn comes.
 *
 * The time that a delivery has begins when it is there: where those of its order before it take all of it, it is spooled
 * behind them unasked.
 *
 * A delivery that the store has not answered in time, or that it has when the connection breaks, is spooled too, while its
 * append goes on: the spool sends the identical event at the identical revision, and whichever comes second finds the first
 * (docs/decisions/0007-a-repeat-of-an-append.md).
 */
export const startSpooling = (deps: SpoolingDeps): Spooling => {
  const { record, spool, storeReadiness, answerWithinMs, elapsed, inTime, now, onEvent } = deps;
  /** What is known of the store being away: its last answer, where that was none. */
  let away: StoreUnavailable | null = null;

  /** Whether the store took something while its connection was said to be broken: reading from it may be what fails. */
  let takesAnyway = false;

  /** Whether it was told that the spool refuses, in an outage of the store that goes on. */
  let spoolRefuses = false;

  const hearSpool = (kept: E.Either<SpoolFull | SpoolFailed, void>): void => {
    if (E.isLeft(kept) === spoolRefuses) return;
    spoolRefuses = !spoolRefuses;
    onEvent(E.isLeft(kept) ? { _tag: 'SpoolRefuses', detail: kept.left.detail } : { _tag: 'SpoolTakes' });
  };

  const hear = (heard: StoreUnavailable | null): void => {
    if (heard === null) spoolRefuses = false;
    if (heard !== null && away === null) onEvent({ _tag: 'StoreAway', detail: heard.detail });
    if (heard === null && away !== null) onEvent({ _tag: 'StoreBack' });
    away = heard;
    takesAnyway = heard === null && !storeReadiness().ready;
  };

  const onSetAside = (key: string, { bodySha256, requestId }: VerifiedDelivery, problem: string): void =>
    onEvent({ _tag: 'SetAside', key, bodySha256, requestId, problem });

  /** While what waits can't be read, nobody tries it: deliveries ask the store themselves. */
  const onUnreadable = (detail: string): void => {
    away = null;
    onEvent({ _tag: 'SpoolUnreadable', detail });
  };

  const turns = new KeyTurns(spool.holds);

  const draining = startDraining({
    ...deps,
    record: (delivery) => record(delivery)(),
    onSetAside,
    onStore: hear,
    onUnreadable,
  });

  spool.onWaiting(draining.wake);

  const knownAway = (): StoreUnavailable | null => (spool.state().depth > 0 ? away : null);

  const storeTakes = (): Readiness => {
    const unavailable = knownAway();
    return unavailable === null ? storeReadiness() : { ready: false, detail: unavailable.detail };
  };

  const knownBroken = (): StoreUnavailable | null => {
    const connection = storeReadiness();
    if (!connection.ready) return takesAnyway ? null : { _tag: 'StoreUnavailable', detail: connection.detail };
    takesAnyway = false;
    return null;
  };

  const keep = async (delivery: Delivery, why: string): Promise<Result> => {
    const kept = await spool.put(delivery.verified, spoolKey(delivery))();
    hearSpool(kept);
    return answerOf(delivery, kept, why);
  };

  const keepAside = async (delivery: Delivery, problem: string): Promise<Result> => {
    const key = spoolKey(delivery);
    const kept = await spool.putAside(delivery.verified, key, { problem, at: now() })();
    hearSpool(kept);
    if (E.isRight(kept)) onSetAside(key, delivery.verified, problem);
    return answerOf(delivery, kept, problem);
  };

  /** Those whose delivery the store has: each is told when the connection breaks. */
  const waitingForStore = new Set<() => void>();

  /** @param late what it comes to where the time is up */
  const answerInTime = async (
    recording: Promise<E.Either<RecordFailure, Recorded>>,
    ms: number,
    late: typeof LATE,
  ): Promise<E.Either<RecordFailure, Recorded>> => {
    const broken = Promise.withResolvers<typeof LATE>();
    const give = (): void => broken.resolve(LATE);
    waitingForStore.add(give);
    const answer = await inTime(ms, Promise.race([recording, broken.promise]), late);
    waitingForStore.delete(give);
    // What has come while this thread was busy is not late: it is looked at once more.
    return isLate(answer) ? inTime(1, recording, answer) : answer;
  };

  const recordOrKeep = async (
    delivery: Delivery,
    key: string,
    arrivedAt: number,
    hasWaited: boolean,
  ): Promise<Result> => {
    if (spool.holds(key)) return keep(delivery, 'earlier deliveries of the order wait for their turn');
    const unavailable = (away === null ? null : knownAway()) ?? knownBroken();
    const left = hasWaited ? answerWithinMs - (elapsed() - arrivedAt) : answerWithinMs;
    const isTimeUp = left <= 0;
    if (unavailable !== null || isTimeUp) {
      if (unavailable !== null) hear(unavailable);
      const kept = await keep(delivery, unavailable?.detail ?? OUT_OF_TIME);
      // Where there is no room, only the store could take it.
      if (E.isRight(kept)) return kept;
    }
    const recording = record(delivery)();
    const recorded = await answerInTime(recording, isTimeUp ? answerWithinMs : left, hasWaited ? TURN_LATE : LATE);
    if (recorded !== TURN_LATE) {
      hear(E.isLeft(recorded) && recorded.left._tag === 'StoreUnavailable' ? recorded.left : null);
    }
    if (E.isRight(recorded)) {
      draining.storeTook();
      return recorded;
    }
    if (recorded.left._tag === 'StoreUnavailable') {
      const kept = await keep(delivery, recorded.left.detail);
      return E.isRight(kept) || !isLate(recorded) ? kept : recording;
    }
    return recorded.left._tag === 'AppendRefused' ? keepAside(delivery, describeFailure(recorded.left)) : recorded;
  };

  return {
    record: (delivery) => () => {
      const [key, arrivedAt] = [spoolKey(delivery), elapsed()];
      return turns.take(key, (hasWaited) => recordOrKeep(delivery, key, arrivedAt, hasWaited));
    },
    readiness: () => {
      const { isCounting, ready: spooled } = spool.state();
      // Until it is known whose deliveries wait, the store is not asked.
      if (isCounting && !spooled.ready) return spooled;
      const store = storeTakes();
      if (store.ready) return store;
      return spooled.ready ? spooled : { ready: false, detail: `${store.detail}; the spool: ${spooled.detail}` };
    },
    storeReadiness: storeTakes,
    state: spool.state,
    storeIsBack: draining.storeIsBack,
    storeIsBroken: () => {
      // A store that takes what it is sent all the same will answer.
      if (!takesAnyway) for (const give of waitingForStore) give();
    },
    close: draining.close,
  };
};
