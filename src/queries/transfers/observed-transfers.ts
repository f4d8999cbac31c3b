import * as E from 'fp-ts/lib/Either.js';
import type { Position, StreamName } from '../../domain/ids.ts';
import { KnownTransfers } from '../../domain/known-transfers.ts';
import { readOwnEvent } from '../../domain/own-event/own-event.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { TransferId } from '../../domain/transfer.ts';
import type { ExpectedRevision } from '../../event-store/event-store.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { Observations } from './observations.ts';

/** Transfers that are gone through without a pause: a transaction may have very many, and deliveries have their turn in between. */
const TRANSFERS_AT_ONCE = 50;

/** The stream of a transaction up to a revision, and the transfers in it. */
export type Observed = {
  readonly revision: ExpectedRevision;
  readonly position: Position | null;
  readonly known: KnownTransfers;
  readonly observations: Observations;
};

/**
 * What was read and noted of transactions, so that a file with many transfers of one asks for it once. Each takes one or two
 * KB, and a file may have a hundred thousand.
 */
export type ObservedTransfers = Map<StreamName, Observed>;

/** Forgets what is known of all transactions but one, of which more may come; of all where there is none. */
export const keepOnly = (observed: ObservedTransfers, kept: StreamName | null): void => {
  for (const stream of observed.keys()) if (stream !== kept) observed.delete(stream);
};

/**
 * Reads what was seen of a transaction.
 *
 * @param taken the transfers that the source has told of already
 * @param ownTurn waits for a turn that no other transaction has (`oneATurn`)
 */
export const observedIn = async (
  { store }: Pick<QueryDependencies, 'store'>,
  stream: StreamName,
  taken: Iterable<TransferId>,
  ownTurn: () => Promise<void>,
): Promise<E.Either<QueryFailure, Observed>> => {
  const observations = new Observations();
  let last: RecordedEvent | undefined;
  await ownTurn();
  for await (const page of store.streamPages(stream)) {
    if (E.isLeft(page)) return page;
    for (const recorded of page.right) {
      last = recorded;
      const read = readOwnEvent(recorded);
      if (E.isLeft(read) || read.right._tag !== 'TransferObserved') continue;
      observations.add({ transfer: read.right.data, eventId: recorded.id });
    }
    await ownTurn();
  }
  const known = new KnownTransfers([], taken);
  for (const [at, transfer] of observations.latest.entries()) {
    if (at % TRANSFERS_AT_ONCE === TRANSFERS_AT_ONCE - 1) await ownTurn();
    known.add(transfer);
  }
  return E.right({ revision: last?.revision ?? 'none', position: last?.position ?? null, known, observations });
};
