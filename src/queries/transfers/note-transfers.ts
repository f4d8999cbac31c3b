import { setImmediate as turn } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { atMost } from '../../concurrency/at-most.ts';
import type { EventForStream } from '../../domain/new-event.ts';
import { isRevision, ownStream, type Position, type StreamName } from '../../domain/ids.ts';
import { ownEvent, readOwnEvent } from '../../domain/own-event/own-event.ts';
import type { Author } from '../../domain/own-event/own-metadata.ts';
import { TRANSFER_OBSERVED } from '../../domain/own-event/transfer-events.ts';
import { comparePositions } from '../../domain/position.ts';
import { FINAL_CONFIRMATIONS, type Transfer, type TransferId } from '../../domain/transfer.ts';
import type { ExpectedRevision } from '../../event-store/event-store.ts';
import { appendOwn } from '../../ledger/append-own.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

type Deps = Pick<QueryDependencies, 'store'>;

/** What an import came to; `position` includes all of it. */
export type TransfersImported = {
  readonly transfers: number;
  readonly newTransfers: number;
  readonly position: Position | null;
};

const STREAMS_AT_ONCE = 32;
const MOST_TRIES = 5;
/** Events that are read at once: a transaction may have very many, and deliveries have their turn in between. */
const EVENTS_AT_ONCE = 100;

/** The stream of a transaction up to a revision, and how each transfer in it was seen last. */
type Observed = {
  readonly revision: ExpectedRevision;
  readonly position: Position | null;
  readonly latest: Map<TransferId, Transfer>;
};

/** What was read and noted of transactions, so that a file with many transfers of one asks for it once. */
export type ObservedTransfers = Map<StreamName, Observed>;

const isFinal = ({ confirmations }: Transfer): boolean => (confirmations ?? 0) >= FINAL_CONFIRMATIONS;

/** Whether an observation says anything that the newest one before does not. */
const saysNew = (transfer: Transfer, before: Transfer | undefined): boolean =>
  before === undefined ||
  (isFinal(transfer) && !isFinal(before)) ||
  before.status !== transfer.status ||
  (transfer.block !== null && before.block !== transfer.block) ||
  (transfer.baseUnits !== null && before.baseUnits !== transfer.baseUnits);

const observedIn = async ({ store }: Deps, stream: StreamName): Promise<E.Either<QueryFailure, Observed>> => {
  const events = await store.readStream(stream)();
  if (E.isLeft(events)) return events;
  const latest = new Map<TransferId, Transfer>();
  for (const [at, recorded] of events.right.entries()) {
    if (at % EVENTS_AT_ONCE === EVENTS_AT_ONCE - 1) await turn();
    const read = readOwnEvent(recorded);
    if (E.isRight(read) && read.right._tag === 'TransferObserved')
      latest.set(read.right.data.transferId, read.right.data);
  }
  const last = events.right.at(-1);
  return E.right({ revision: last?.revision ?? 'none', position: last?.position ?? null, latest });
};

type Noted = { readonly added: number; readonly position: Position | null };

/** Notes the transfers of one transaction that are new, or that are seen otherwise than before. */
const note = async (
  deps: Deps,
  observed: ObservedTransfers,
  [stream, transfers]: readonly [StreamName, readonly Transfer[]],
  author: Author,
): Promise<E.Either<QueryFailure, Noted>> => {
  for (let tries = 1; ; tries += 1) {
    const known = observed.get(stream);
    const before = known === undefined ? await observedIn(deps, stream) : E.right(known);
    if (E.isLeft(before)) return before;
    const { revision, position, latest } = before.right;
    observed.set(stream, before.right);
    const fresh = transfers.filter((transfer) => saysNew(transfer, latest.get(transfer.transferId)));
    const [one, ...more] = fresh.map((transfer): EventForStream => ownEvent(TRANSFER_OBSERVED, transfer, author));
    if (one === undefined) return E.right({ added: 0, position });
    const appended = await appendOwn(deps.store, revision, [one, ...more])();
    if (E.isRight(appended)) {
      const added = fresh.filter(({ transferId }) => !latest.has(transferId)).length;
      for (const transfer of fresh) latest.set(transfer.transferId, transfer);
      const last = appended.right.revision + more.length;
      if (isRevision(last)) observed.set(stream, { revision: last, position: appended.right.position, latest });
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

/**
 * Notes transfers that were seen on chain; those that are known as they are add nothing.
 *
 * @param observed what is known of their transactions by now, and then of more; for one import after the other of one file
 */
export const noteTransfers = async (
  deps: Deps,
  transfers: readonly Transfer[],
  author: Author,
  observed: ObservedTransfers = new Map(),
): Promise<E.Either<QueryFailure, TransfersImported>> => {
  const byStream = [...Map.groupBy(transfers, (transfer) => ownStream('transfer', TRANSFER_OBSERVED.about(transfer)))];
  const noted = await atMost(STREAMS_AT_ONCE, byStream, (its) => note(deps, observed, its, author));
  if (E.isLeft(noted)) return noted;
  const position = noted.right.reduce<Position | null>(
    (last, { position: its }) => (comparePositions(its, last) > 0 ? its : last),
    null,
  );
  const newTransfers = noted.right.reduce((sum, { added }) => sum + added, 0);
  return E.right({ transfers: transfers.length, newTransfers, position });
};
