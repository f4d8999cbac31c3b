import * as E from 'fp-ts/lib/Either.js';
import type { Delivery, VerifiedDelivery } from '../domain/delivery.ts';
import type { SecretId } from '../domain/ids.ts';
import { parseInstant, type Instant } from '../domain/instant.ts';
import { readContent } from '../domain/read-content.ts';
import { sha256 } from '../domain/sha256.ts';
import type { Spool, SpooledDelivery } from '../event-store/spool.ts';
import { describeFailure, type Recorded, type RecordFailure } from './recorded.ts';

export type AppendSpooledDeps = {
  readonly record: (delivery: Delivery) => Promise<E.Either<RecordFailure, Recorded>>;
  readonly spool: Spool;
  /** The secret that signed a delivery, of those that are accepted and those that prove old events; null where none did. */
  readonly signerOf: (verified: VerifiedDelivery) => SecretId | null;
  readonly now: () => Instant;
  readonly onSetAside: (key: string, verified: VerifiedDelivery, problem: string) => void;
  /** Told first that the store answered, whatever it said. */
  readonly onAnswer: () => void;
};

/** No secret of now proves the delivery. That may pass: a file of secrets that can't be read for a while takes all of them out. */
type Unproved = { readonly _tag: 'Unproved' };

/** Why a delivery goes on waiting. */
export type WaitingFor = RecordFailure | Unproved;

/** What operators are told of it. */
export const describeWaiting = (failure: WaitingFor): string =>
  failure._tag === 'Unproved'
    ? 'no secret that is configured, retired ones included, proves its signature'
    : describeFailure(failure);

/** What became of a delivery that waited: the store took it, it was set aside, or it goes on waiting. */
type SpooledFate =
  | { readonly _tag: 'Taken' }
  | { readonly _tag: 'SetAside' }
  | { readonly _tag: 'Waits'; readonly failure: WaitingFor };

/** Why what came out of the spool is not what was received; null where it is. */
const damageOf = ({ verified: { body, bodySha256, receivedAt } }: SpooledDelivery): string | null => {
  if (sha256(body) !== bodySha256) return 'the spool is damaged: the body is not the one that was received';
  return parseInstant(receivedAt) === receivedAt ? null : 'the spool is damaged: the received time is none';
};

/** Whether no later try can succeed. */
const isForGood = ({ _tag }: RecordFailure): boolean => _tag === 'AppendRefused' || _tag === 'UnreadableEvent';

/** Takes a delivery out of the spool's way: it is kept, with what is wrong, and not tried again. */
export const setAside = (
  { spool, now, onSetAside }: Pick<AppendSpooledDeps, 'spool' | 'now' | 'onSetAside'>,
  entry: SpooledDelivery,
  problem: string,
): void => {
  spool.setAside(entry, { problem, at: now() });
  onSetAside(entry.key, entry.verified, problem);
};

/**
 * Appends a delivery that waited, with its original received time; what is damaged, and what the store will never take, is
 * set aside. Its signature is proved once more: whoever can write the spool's file can make a delivery, and not a signature.
 */
export const appendSpooled = async (deps: AppendSpooledDeps, entry: SpooledDelivery): Promise<SpooledFate> => {
  const damage = damageOf(entry);
  if (damage !== null) {
    setAside(deps, entry, damage);
    return { _tag: 'SetAside' };
  }
  const secretId = deps.signerOf(entry.verified);
  if (secretId === null) return { _tag: 'Waits', failure: { _tag: 'Unproved' } };
  const verified = { ...entry.verified, secretId };
  const recorded = await deps.record({ verified, content: readContent(verified.body) });
  if (E.isLeft(recorded) && recorded.left._tag === 'StoreUnavailable') return { _tag: 'Waits', failure: recorded.left };
  deps.onAnswer();
  if (E.isRight(recorded)) {
    deps.spool.done(entry);
    return { _tag: 'Taken' };
  }
  if (!isForGood(recorded.left)) return { _tag: 'Waits', failure: recorded.left };
  setAside(deps, entry, describeFailure(recorded.left));
  return { _tag: 'SetAside' };
};
