import * as E from 'fp-ts/lib/Either.js';
import type { Mined } from '../../chain/transfers-of.ts';
import { atMost } from '../../concurrency/at-most.ts';
import { oneATurn } from '../../concurrency/one-a-turn.ts';
import type { EventForStream } from '../../domain/new-event.ts';
import { isRevision, type Position, type StreamName } from '../../domain/ids.ts';
import { ownEvent } from '../../domain/own-event/own-event.ts';
import type { Author } from '../../domain/own-event/own-metadata.ts';
import { transactionStream, TRANSFER_OBSERVED } from '../../domain/own-event/transfer-events.ts';
import { comparePositions } from '../../domain/position.ts';
import type { Instant } from '../../domain/instant.ts';
import {
  BY_NODE,
  FINAL_CONFIRMATIONS,
  type ChainId,
  type SourcedTransfer,
  type Transfer,
  type TxnHash,
} from '../../domain/transfer.ts';
import type { AppendError } from '../../event-store/event-store.ts';
import { appendOwn } from '../../ledger/append-own.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import type { Observations } from './observations.ts';
import { observedIn, type Observed, type ObservedTransfers } from './observed-transfers.ts';

type Deps = Pick<QueryDependencies, 'store'>;

/** What an import came to; `position` includes all of it. */
export type TransfersImported = {
  readonly transfers: number;
  readonly newTransfers: number;
  readonly position: Position | null;
};

const STREAMS_AT_ONCE = 32;
const MOST_TRIES = 5;
/** Events that are appended at once: a transaction may have very many, and deliveries have their turn in between. */
const EVENTS_AT_ONCE = 100;
/** Transfers whose events are made without a pause. */
const NOTED_A_TURN = 50;

/**
 * What a chain's node says of a transaction as a whole: where it is, null where it is in no block. `head`: the newest block
 * of the chain then.
 */
type WholeTransaction = { readonly head: number; readonly at: Instant; readonly mined: Mined | null };

/** What a source tells of one transaction; `whole`: null where there may be more in it. */
type Told = {
  readonly stream: StreamName;
  readonly transfers: readonly SourcedTransfer[];
  readonly whole: WholeTransaction | null;
};

/** Whether a transfer was in a block that can still be given up. A node may have forgotten what is deeper. */
const mayBeDropped = ({ block }: Transfer, head: number): boolean =>
  block !== null && head >= block && head - block + 1 < FINAL_CONFIRMATIONS;

/**
 * Whether a transfer that a node does not tell may be in a transaction all the same: an explorer tells of coins that a
 * contract moved, of which no receipt says anything. What a node told itself it would tell again.
 */
const mayBeUntold = ({ transferId, block }: Transfer, mined: Mined | null, observations: Observations): boolean =>
  mined?.status === 'success' && mined.block === block && !observations.wasTold(transferId, BY_NODE);

/** What was seen before and is not there now was in a block that the chain has given up. */
const droppedOf = ({ known, observations }: Observed, { head, at, mined }: WholeTransaction): readonly Transfer[] =>
  observations.latest
    .filter(({ transferId }) => !known.taken.has(transferId))
    .filter((before) => mayBeDropped(before, head) && !mayBeUntold(before, mined, observations))
    .map((before) => ({
      ...before,
      block: null,
      confirmations: null,
      status: 'dropped',
      observedAt: at,
      source: BY_NODE,
    }));

type Head = Pick<Observed, 'revision' | 'position'>;

/** Appends some hundred events at a time: all that a node has of one transaction may be more than fits into one append. */
const appendSome = async (
  { store }: Deps,
  head: Head,
  events: readonly EventForStream[],
): Promise<E.Either<AppendError, Head>> => {
  let { revision, position } = head;
  for (let from = 0; from < events.length; from += EVENTS_AT_ONCE) {
    const [one, ...more] = events.slice(from, from + EVENTS_AT_ONCE);
    if (one === undefined) break;
    const appended = await appendOwn(store, revision, [one, ...more])();
    if (E.isLeft(appended)) return appended;
    const last = appended.right.revision + more.length;
    if (isRevision(last)) revision = last;
    position = appended.right.position;
  }
  return E.right({ revision, position });
};

type Noted = { readonly added: number; readonly position: Position | null };

/** Notes the transfers of one transaction that are new, or that are seen otherwise than before. */
const note = async (
  deps: Deps,
  observed: ObservedTransfers,
  { stream, transfers, whole }: Told,
  author: Author,
  ownTurn: () => Promise<void>,
): Promise<E.Either<QueryFailure, Noted>> => {
  // What the same source told of the transaction before; what is told now may be named otherwise after a lost race.
  const toldBefore = [...(observed.get(stream)?.known.taken ?? [])];
  for (let tries = 1; ; tries += 1) {
    const before = observed.get(stream);
    const read = before === undefined ? await observedIn(deps, stream, toldBefore, ownTurn) : E.right(before);
    if (E.isLeft(read)) return read;
    const { revision, position, known, observations } = read.right;
    observed.set(stream, read.right);
    const named = known.named(transfers);
    const gone = whole === null ? [] : droppedOf(read.right, whole);
    const fresh: { readonly transfer: Transfer; readonly noted: EventForStream }[] = [];
    for (const [at, transfer] of [...named, ...gone].entries()) {
      if (at % NOTED_A_TURN === 0) await ownTurn();
      if (!observations.isNew(transfer)) continue;
      const noted = ownEvent(TRANSFER_OBSERVED, transfer, author);
      if (observations.isToBeNoted({ transfer, eventId: noted.event.id })) fresh.push({ transfer, noted });
    }
    const events = fresh.map(({ noted }) => noted);
    const appended = await appendSome(deps, { revision, position }, events);
    if (E.isRight(appended)) {
      const added = fresh.filter(({ transfer }) => !observations.has(transfer.transferId)).length;
      for (const { transfer, noted } of fresh) observations.add({ transfer, eventId: noted.event.id });
      observed.set(stream, { ...appended.right, known, observations });
      return E.right({ added, position: appended.right.position });
    }
    // Somebody else may have written to it: it is read anew.
    observed.delete(stream);
    const { left } = appended;
    if (left._tag === 'StoreUnavailable') return E.left(left);
    if (tries === MOST_TRIES || left._tag === 'AppendRefused')
      return E.left({ _tag: 'StoreUnavailable', detail: 'the transfer could not be appended' });
  }
};

const noteAll = async (
  deps: Deps,
  told: readonly Told[],
  author: Author,
  observed: ObservedTransfers,
): Promise<E.Either<QueryFailure, TransfersImported>> => {
  const ownTurn = oneATurn();
  const noted = await atMost(STREAMS_AT_ONCE, told, (its) => note(deps, observed, its, author, ownTurn));
  if (E.isLeft(noted)) return noted;
  const position = noted.right.reduce<Position | null>(
    (last, { position: its }) => (comparePositions(its, last) > 0 ? its : last),
    null,
  );
  const newTransfers = noted.right.reduce((sum, { added }) => sum + added, 0);
  const transfers = told.reduce((sum, its) => sum + its.transfers.length, 0);
  return E.right({ transfers, newTransfers, position });
};

/**
 * Notes transfers that a file has; those that are known as they are add nothing.
 *
 * @param observed what is known of their transactions by now, and then of more; for one import after the other of one file
 */
export const noteTransfers = (
  deps: Deps,
  transfers: readonly SourcedTransfer[],
  author: Author,
  observed: ObservedTransfers = new Map(),
): Promise<E.Either<QueryFailure, TransfersImported>> => {
  const told = [...Map.groupBy(transfers, transactionStream)].map(([stream, its]): Told => ({
    stream,
    transfers: its,
    whole: null,
  }));
  return noteAll(deps, told, author, observed);
};

/** A transaction that was looked up; without transfers where it is in no block. */
export type LookedUp = {
  readonly chainId: ChainId;
  readonly txnHash: TxnHash;
  readonly transfers: readonly SourcedTransfer[];
  readonly whole: WholeTransaction;
};

/** Notes transactions as their chains have them: of what was seen and is there no more, that it was dropped. */
export const noteTransactions = (
  deps: Deps,
  looked: readonly LookedUp[],
  author: Author,
): Promise<E.Either<QueryFailure, TransfersImported>> => {
  const told = looked.map(({ transfers, whole, ...of }): Told => ({ stream: transactionStream(of), transfers, whole }));
  return noteAll(deps, told, author, new Map());
};
