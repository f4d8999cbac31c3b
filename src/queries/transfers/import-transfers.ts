import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { inBaseUnits } from '../../chain/token-amount.ts';
import type { Position } from '../../domain/ids.ts';
import type { Author } from '../../domain/own-event/own-metadata.ts';
import { transactionStream } from '../../domain/own-event/transfer-events.ts';
import { comparePositions } from '../../domain/position.ts';
import { tokenKey } from '../../domain/token-key.ts';
import { parseAddress, parseChainId, type SourcedTransfer } from '../../domain/transfer.ts';
import { EVERY_ORDER } from '../../read-models/order-filter.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { orderSearch } from '../orders/order-filter-parameters.ts';
import { parameter, type Query } from '../parameters/parameters.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import type { FileFailed, OpenedTransferFile } from '../statements/statement-files.ts';
import { noteTransfers, type TransfersImported } from './note-transfers.ts';
import { keepOnly, type ObservedTransfers } from './observed-transfers.ts';

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

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'now'>;
type ImportDeps = Deps & Pick<QueryDependencies, 'statementFiles'>;

/** Transfers that are read at once. */
const TRANSFERS_AT_ONCE = 250;
/** So many of one transaction wait for the others that the file has of it; what has more is noted in parts. */
const MOST_OF_ONE = 500;
/** Orders that are asked how many decimals a token has. */
const MOST_ASKED = 20;

/** Decimals of a token by an order that was settled with one of its transfers; null where none tells. */
const decimalsOf = async ({ readModels, now }: Deps, transfers: readonly SourcedTransfer[]): Promise<number | null> => {
  for (const { txnHash, token } of transfers) {
    const filter = { ...EVERY_ORDER, q: orderSearch(txnHash, 'guarded') };
    const found = await readModels.orders({ filter, after: null, limit: 5, now: now(), counted: false })();
    if (E.isLeft(found)) return null;
    for (const order of found.right.data) {
      const { address, amount, baseUnits } = order.token;
      if (amount === null || baseUnits === null || tokenKey(address) !== tokenKey(token)) continue;
      for (let decimals = 0; decimals <= 36; decimals += 1)
        if (inBaseUnits(amount, decimals) === baseUnits) return decimals;
    }
  }
  return null;
};

const tokenOnChain = ({ chainId, token }: SourcedTransfer): string => `${chainId} ${tokenKey(token)}`;

/** Decimals of the tokens of which the file says none, where the ledger's own orders can tell. */
const knownDecimals = async (
  deps: Deps,
  opened: OpenedTransferFile,
): Promise<E.Either<FileFailed, ReadonlyMap<string, number>>> => {
  const unknown = new Map<string, SourcedTransfer[]>();
  for (let from = 0; from < opened.count; from += TRANSFERS_AT_ONCE) {
    const transfers = await opened.transfers(from, TRANSFERS_AT_ONCE)();
    if (E.isLeft(transfers)) return transfers;
    for (const transfer of transfers.right) {
      if (transfer.baseUnits !== null) continue;
      const some = unknown.get(tokenOnChain(transfer)) ?? [];
      if (some.length < MOST_ASKED) unknown.set(tokenOnChain(transfer), [...some, transfer]);
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
  (transfer: SourcedTransfer): SourcedTransfer => {
    const decimals = known.get(tokenOnChain(transfer));
    if (transfer.baseUnits !== null || transfer.amount === null || decimals === undefined) return transfer;
    return { ...transfer, baseUnits: inBaseUnits(transfer.amount, decimals) };
  };

/**
 * Some transfers of a file without those of the last transaction, of which more may come: which of those that are known the
 * file means is told by all that it has of a transaction (docs/spec/statements.md, A transfer).
 */
const wholeOnes = (
  transfers: readonly SourcedTransfer[],
): { readonly whole: readonly SourcedTransfer[]; readonly begun: readonly SourcedTransfer[] } => {
  const last = transfers.at(-1);
  const begins =
    last === undefined ? 0 : transfers.findIndex((one) => transactionStream(one) === transactionStream(last));
  return transfers.length - begins > MOST_OF_ONE
    ? { whole: transfers, begun: [] }
    : { whole: transfers.slice(0, begins), begun: transfers.slice(begins) };
};

const noteAll = async (
  deps: Deps,
  opened: OpenedTransferFile,
  author: Author,
): Promise<E.Either<QueryFailure, TransfersImported>> => {
  const known = await knownDecimals(deps, opened);
  if (E.isLeft(known)) return known;
  const observed: ObservedTransfers = new Map();
  let newTransfers = 0;
  let last: Position | null = null;
  let waiting: readonly SourcedTransfer[] = [];
  for (let from = 0; from < opened.count; from += TRANSFERS_AT_ONCE) {
    const transfers = await opened.transfers(from, TRANSFERS_AT_ONCE)();
    if (E.isLeft(transfers)) return transfers;
    const read = [...waiting, ...transfers.right.map(withUnits(known.right))];
    const isEnd = from + TRANSFERS_AT_ONCE >= opened.count;
    const { whole, begun } = isEnd ? { whole: read, begun: [] } : wholeOnes(read);
    waiting = begun;
    const noted = await noteTransfers(deps, whole, author, observed);
    if (E.isLeft(noted)) return noted;
    // Those of one transaction stand together: of what was noted no more can come but of the last one.
    const latest = read.at(-1);
    keepOnly(observed, latest === undefined ? null : transactionStream(latest));
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
