import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { inBaseUnits } from '../../chain/read-transfers.ts';
import { atMost } from '../../concurrency/at-most.ts';
import { ownStream, type Position } from '../../domain/ids.ts';
import { ownEvent, readOwnEvent } from '../../domain/own-event/own-event.ts';
import type { Author } from '../../domain/own-event/own-metadata.ts';
import { TRANSFER_OBSERVED } from '../../domain/own-event/transfer-events.ts';
import type { EventForStream } from '../../domain/new-event.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import { comparePositions } from '../../domain/position.ts';
import { FINAL_CONFIRMATIONS, hexKey, parseAddress, parseChainId, type Transfer } from '../../domain/transfer.ts';
import { appendOwn } from '../../ledger/append-own.ts';
import { EVERY_ORDER } from '../../read-models/order-filter.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { orderSearch } from '../orders/order-filter-parameters.ts';
import { parameter, type Query } from '../parameters/parameters.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import type { FileFailed, OpenedTransferFile } from '../statements/statement-files.ts';

/** The parameters of an import of transfers. */
export const TRANSFER_IMPORT_PARAMETERS = {
  chainId: parameter('The chain, where the file names none.', {
    expected: 'the number of a chain',
    schema: { type: 'integer', minimum: 1 },
    read: parseChainId,
  }),
  token: parameter("The token's contract, where the file names none.", {
    expected: 'an address',
    schema: { type: 'string', minLength: 1, maxLength: 128 },
    read: parseAddress,
  }),
  decimals: parameter('How many decimals the token has, where the file does not say.', {
    expected: 'a whole number from 0 to 36',
    schema: { type: 'integer', minimum: 0, maximum: 36 },
    read: (text) => (/^\d{1,2}$/.test(text) && Number(text) <= 36 ? Number(text) : null),
  }),
} as const;

/** A file of transfers may have so many bytes. */
export const MOST_TRANSFER_BYTES = 16 * 1_048_576;

/** What an import came to; `position` includes all of it. */
export type TransfersImported = {
  readonly transfers: number;
  readonly newTransfers: number;
  readonly position: Position | null;
};

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'now'>;
type ImportDeps = Deps & Pick<QueryDependencies, 'statementFiles'>;

const STREAMS_AT_ONCE = 32;
/** Transfers that are in memory, and appended, at once; no transaction has as many. */
const TRANSFERS_AT_ONCE = 250;
const MOST_TRIES = 5;
/** Orders that are asked how many decimals a token has. */
const MOST_ASKED = 20;

/** Decimals of a token by an order that was settled with one of its transfers; null where none tells. */
const decimalsOf = async ({ readModels, now }: Deps, transfers: readonly Transfer[]): Promise<number | null> => {
  for (const { txnHash, token } of transfers) {
    const filter = { ...EVERY_ORDER, q: orderSearch(txnHash, 'guarded') };
    const found = await readModels.orders({ filter, after: null, limit: 5, now: now(), counted: false })();
    if (E.isLeft(found)) return null;
    for (const order of found.right.data) {
      const { address, amount, baseUnits } = order.token;
      if (amount === null || baseUnits === null || hexKey(address) !== hexKey(token ?? '')) continue;
      for (let decimals = 0; decimals <= 36; decimals += 1)
        if (inBaseUnits(amount, decimals) === baseUnits) return decimals;
    }
  }
  return null;
};

const tokenKey = ({ chainId, token }: Transfer): string => `${chainId} ${hexKey(token ?? '')}`;

/** Decimals of the tokens of which the file says none, where the ledger's own orders can tell. */
const knownDecimals = async (
  deps: Deps,
  opened: OpenedTransferFile,
): Promise<E.Either<FileFailed, ReadonlyMap<string, number>>> => {
  const unknown = new Map<string, Transfer[]>();
  for (let from = 0; from < opened.count; from += TRANSFERS_AT_ONCE) {
    const transfers = await opened.transfers(from, TRANSFERS_AT_ONCE)();
    if (E.isLeft(transfers)) return transfers;
    for (const transfer of transfers.right) {
      if (transfer.baseUnits !== null) continue;
      const some = unknown.get(tokenKey(transfer)) ?? [];
      if (some.length < MOST_ASKED) unknown.set(tokenKey(transfer), [...some, transfer]);
    }
  }
  const known = new Map<string, number>();
  for (const [key, its] of unknown) {
    const decimals = await decimalsOf(deps, its);
    if (decimals !== null) known.set(key, decimals);
  }
  return E.right(known);
};

/** A transfer with its base units, where the decimals of its token are known. */
const withUnits =
  (known: ReadonlyMap<string, number>) =>
  (transfer: Transfer): Transfer => {
    const decimals = known.get(tokenKey(transfer));
    if (transfer.baseUnits !== null || transfer.amount === null || decimals === undefined) return transfer;
    return { ...transfer, baseUnits: inBaseUnits(transfer.amount, decimals) };
  };

const isFinal = ({ confirmations }: Transfer): boolean => (confirmations ?? 0) >= FINAL_CONFIRMATIONS;

/** Whether an observation says anything that the newest one before does not. */
const saysNew = (transfer: Transfer, before: Transfer | undefined): boolean =>
  before === undefined ||
  (isFinal(transfer) && !isFinal(before)) ||
  before.status !== transfer.status ||
  (transfer.block !== null && before.block !== transfer.block) ||
  (transfer.baseUnits !== null && before.baseUnits !== transfer.baseUnits);

type OfHash = { readonly added: number; readonly position: Position | null };

const observedIn = (events: readonly RecordedEvent[]): readonly Transfer[] =>
  events.flatMap((recorded) => {
    const read = readOwnEvent(recorded);
    return E.isRight(read) && read.right._tag === 'TransferObserved' ? read.right.data : [];
  });

/** Notes the transfers of one transaction that are new, or that are seen otherwise than before. */
const note = async (
  { store }: Deps,
  transfers: readonly Transfer[],
  author: Author,
): Promise<E.Either<QueryFailure, OfHash>> => {
  const [first] = transfers;
  if (first === undefined) return E.right({ added: 0, position: null });
  const stream = ownStream('transfer', TRANSFER_OBSERVED.about(first));
  for (let tries = 1; ; tries += 1) {
    const events = await store.readStream(stream)();
    if (E.isLeft(events)) return events;
    const before = observedIn(events.right);
    const fresh = transfers.filter((transfer) =>
      saysNew(
        transfer,
        before.findLast(({ transferId }) => transferId === transfer.transferId),
      ),
    );
    const last = events.right.at(-1);
    const [one, ...more] = fresh.map((transfer): EventForStream => ownEvent(TRANSFER_OBSERVED, transfer, author));
    if (one === undefined) return E.right({ added: 0, position: last?.position ?? null });
    const appended = await appendOwn(store, last?.revision ?? 'none', [one, ...more])();
    const isNew = fresh.filter(({ transferId }) => !before.some((known) => known.transferId === transferId)).length;
    if (E.isRight(appended)) return E.right({ added: isNew, position: appended.right.position });
    const { left } = appended;
    if (left._tag === 'StoreUnavailable') return E.left(left);
    if (tries === MOST_TRIES || left._tag === 'AppendRefused')
      return E.left({ _tag: 'StoreUnavailable', detail: 'the transfer could not be appended' });
  }
};

/** Notes transfers that were seen on chain; those that are known as they are add nothing. */
export const noteTransfers = async (
  deps: Deps,
  transfers: readonly Transfer[],
  author: Author,
): Promise<E.Either<QueryFailure, TransfersImported>> => {
  const byHash = [...Map.groupBy(transfers, ({ chainId, txnHash }) => `${chainId} ${hexKey(txnHash)}`).values()];
  const noted = await atMost(STREAMS_AT_ONCE, byHash, (its) => note(deps, its, author));
  if (E.isLeft(noted)) return noted;
  const position = noted.right.reduce<Position | null>(
    (last, { position: its }) => (comparePositions(its, last) > 0 ? its : last),
    null,
  );
  const newTransfers = noted.right.reduce((sum, { added }) => sum + added, 0);
  return E.right({ transfers: transfers.length, newTransfers, position });
};

const noteAll = async (
  deps: Deps,
  opened: OpenedTransferFile,
  author: Author,
): Promise<E.Either<QueryFailure, TransfersImported>> => {
  const known = await knownDecimals(deps, opened);
  if (E.isLeft(known)) return known;
  let newTransfers = 0;
  let last: Position | null = null;
  for (let from = 0; from < opened.count; from += TRANSFERS_AT_ONCE) {
    const transfers = await opened.transfers(from, TRANSFERS_AT_ONCE)();
    if (E.isLeft(transfers)) return transfers;
    const noted = await noteTransfers(deps, transfers.right.map(withUnits(known.right)), author);
    if (E.isLeft(noted)) return noted;
    newTransfers += noted.right.newTransfers;
    if (comparePositions(noted.right.position, last) > 0) last = noted.right.position;
  }
  return E.right({ transfers: opened.count, newTransfers, position: last });
};

/**
 * Imports an explorer's file, or NDJSON of transfers. One that can't be read to its end adds nothing; one that was cut off
 * while it was noted is finished by importing it again.
 */
export const importTransfers =
  (
    deps: ImportDeps,
    { chainId, token, decimals }: Query<typeof TRANSFER_IMPORT_PARAMETERS>,
    bytes: Uint8Array,
    author: Author,
  ): TE.TaskEither<QueryFailure, TransfersImported> =>
  async () => {
    const opened = await deps.statementFiles.openTransfers(bytes, { chainId, token, decimals, now: deps.now() })();
    if (E.isLeft(opened)) return opened;
    try {
      return await noteAll(deps, opened.right, author);
    } finally {
      await opened.right.close();
    }
  };
