import { either as E } from 'fp-ts';
import type { Delivery, VerifiedDelivery } from '../domain/delivery.ts';
import { parseInstant, type Instant } from '../domain/instant.ts';
import { readContent } from '../domain/read-content.ts';
import { sha256 } from '../domain/sha256.ts';
import type { Spool, SpooledDelivery } from '../event-store/spool.ts';
import { describeFailure, type Recorded, type RecordFailure } from './recorded.ts';
import { spoolBackOff } from './spool-back-off.ts';
import type { SpoolEvent } from './spool-event.ts';

export type DrainDeps = {
  readonly record: (delivery: Delivery) => Promise<E.Either<RecordFailure, Recorded>>;
  readonly spool: Spool;
  /** Resolves after so many ms, or when the signal is aborted; never rejects. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** At least 0 and below 1. */
  readonly random: () => number;
  readonly now: () => Instant;
  readonly onEvent: (event: SpoolEvent) => void;
  readonly onSetAside: (key: string, verified: VerifiedDelivery, problem: string) => void;
  /** Told each time that what waits can't be read. */
  readonly onUnreadable: (detail: string) => void;
};

export type Draining = {
  /** Says that something waits. */
  readonly wake: () => void;
  /** Waits for the delivery that is being appended; the others stay in the spool. */
  readonly close: () => Promise<void>;
};

/** Why what came out of the spool is not what was received; null where it is. */
const damageOf = ({ verified: { body, bodySha256, receivedAt } }: SpooledDelivery): string | null => {
  if (sha256(body) !== bodySha256) return 'the spool is damaged: the body is not the one that was received';
  return parseInstant(receivedAt) === receivedAt ? null : 'the spool is damaged: the received time is none';
};

/** Whether no later try can succeed. */
const isForGood = ({ _tag }: RecordFailure): boolean => _tag === 'AppendRefused' || _tag === 'UnreadableEvent';

/** Reading and appending what waits keeps the thread busy: deliveries that come meanwhile are received in between. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/**
 * Appends what waits in a spool: strictly in order of arrival, one at a time, each with its original received time, until
 * none is left. What the store will never take is set aside; anything else that fails is tried again.
 */
export const startDraining = (deps: DrainDeps): Draining => {
  const { record, spool, wait, random, now, onEvent, onSetAside, onUnreadable } = deps;
  const closing = new AbortController();
  let underWay: Promise<void> | null = null;
  // A function, since the signal changes while others are waited for.
  const isClosing = (): boolean => closing.signal.aborted;

  const setAside = (entry: SpooledDelivery, problem: string): void => {
    spool.setAside(entry.seq, { problem, at: now() });
    onSetAside(entry.key, entry.verified, problem);
  };

  /** Whether a delivery's turn is over. */
  const append = async (entry: SpooledDelivery): Promise<boolean> => {
    const { seq, verified } = entry;
    const damage = damageOf(entry);
    if (damage !== null) {
      setAside(entry, damage);
      return true;
    }
    const recorded = await record({ verified, content: readContent(verified.body) });
    if (E.isRight(recorded)) {
      spool.done(seq);
      return true;
    }
    if (!isForGood(recorded.left)) return false;
    setAside(entry, describeFailure(recorded.left));
    return true;
  };

  /** Ends when nothing waits, in the very moment in which it sees that: whatever comes afterwards wakes it. */
  const drain = async (): Promise<void> => {
    let [deliveries, failures] = [0, 0];
    for (;;) {
      await turn();
      if (isClosing()) return;
      const next = spool.next();
      if (E.isRight(next) && next.right === null) {
        underWay = null;
        if (deliveries > 0) onEvent({ _tag: 'Drained', deliveries });
        return;
      }
      if (E.isLeft(next)) onUnreadable(next.left.detail);
      const isOver = E.isRight(next) && next.right !== null && (await append(next.right));
      if (isOver) [deliveries, failures] = [deliveries + 1, 0];
      else {
        failures += 1;
        if (!isClosing()) await wait(spoolBackOff(failures, random), closing.signal);
      }
    }
  };

  const wake = (): void => {
    if (!isClosing()) underWay ??= drain();
  };
  // What waited when the ledger was stopped.
  wake();

  return {
    wake,
    close: async () => {
      closing.abort();
      await underWay;
    },
  };
};
