import * as E from 'fp-ts/lib/Either.js';
import type { ChainFailure, ChainLookup } from '../../chain/chain-lookup.ts';
import { atMost } from '../../concurrency/at-most.ts';
import { parseDecimal } from '../../domain/decimal.ts';
import type { Position } from '../../domain/ids.ts';
import type { Author } from '../../domain/own-event/own-metadata.ts';
import { comparePositions } from '../../domain/position.ts';
import {
  BY_NODE,
  FINAL_CONFIRMATIONS,
  hexKey,
  parseTxnHash,
  type ChainId,
  type Transfer,
  type TxnHash,
} from '../../domain/transfer.ts';
import { EVERY_ORDER } from '../../read-models/order-filter.ts';
import type { SeenTransfer } from '../../read-models/bank-questions.ts';
import type { OrderPlace, OrdersQuestion, Page } from '../../read-models/read-models.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { noteTransactions, type LookedUp } from './note-transfers.ts';

/** What a look at the chains came to (docs/spec/statements.md, Looking up transfers). */
export type TransfersSynced = {
  /** Transactions that were looked up; those that are final already are not. */
  readonly looked: number;
  /** How many of them are in a block. */
  readonly found: number;
  readonly missing: number;
  readonly newTransfers: number;
  /** What includes it includes all that was noted; null where nothing was. */
  readonly position: Position | null;
};

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'now'>;
type Asked<A> = Promise<E.Either<QueryFailure | ChainFailure, A>>;

const PAGE = 500;
const LOOKED_UP_AT_ONCE = 8;
const MOST_TRANSFERS = 500;

const isFinal = ({ source, status, confirmations }: Transfer): boolean =>
  source === BY_NODE && status !== 'dropped' && (confirmations ?? 0) >= FINAL_CONFIRMATIONS;

type Seen = E.Either<QueryFailure, Page<SeenTransfer>>;

type Looked = LookedUp & { readonly found: boolean };

/** Whether all that was seen of a transaction is final; there may be more of it than a page. */
const isSettled = async ({ readModels }: Deps, chainId: ChainId, txnHash: TxnHash): Asked<boolean> => {
  let after: Position | null = null;
  for (;;) {
    const page: Seen = await readModels.transfers({ chainId, txnHash, after, limit: MOST_TRANSFERS })();
    if (E.isLeft(page)) return page;
    const seen: readonly SeenTransfer[] = page.right.data;
    if ((seen.length === 0 && after === null) || !seen.every(isFinal)) return E.right(false);
    after = seen.at(-1)?.position ?? null;
    if (!page.right.more || after === null) return E.right(true);
  }
};

/** Looks a transaction up; null where nothing new can be said of it any more. */
const look = async (deps: Deps, chains: ChainLookup, chainId: ChainId, txnHash: TxnHash): Asked<Looked | null> => {
  const settled = await isSettled(deps, chainId, txnHash);
  if (E.isLeft(settled)) return settled;
  if (settled.right) return E.right(null);
  const at = deps.now();
  const seen = await chains.lookUp(chainId, txnHash, at);
  if (E.isLeft(seen)) return seen;
  const { transfers, head, mined } = seen.right;
  return E.right({ chainId, txnHash, transfers: transfers ?? [], whole: { head, at, mined }, found: mined !== null });
};

const NOTHING: TransfersSynced = { looked: 0, found: 0, missing: 0, newTransfers: 0, position: null };

/** Looks some transactions up, and notes what is new of them. */
const syncHashes = async (
  deps: Deps,
  chains: ChainLookup,
  {
    chainId,
    hashes,
    author,
  }: { readonly chainId: ChainId; readonly hashes: readonly TxnHash[]; readonly author: Author },
): Asked<TransfersSynced> => {
  const looked = await atMost(LOOKED_UP_AT_ONCE, hashes, (txnHash) => look(deps, chains, chainId, txnHash));
  if (E.isLeft(looked)) return looked;
  const seen = looked.right.filter((one) => one !== null);
  const noted = await noteTransactions(deps, seen, author);
  if (E.isLeft(noted)) return noted;
  const found = seen.filter((one) => one.found).length;
  const { newTransfers, position } = noted.right;
  return E.right({ looked: seen.length, found, missing: seen.length - found, newTransfers, position });
};

const plus = (a: TransfersSynced, b: TransfersSynced): TransfersSynced => ({
  looked: a.looked + b.looked,
  found: a.found + b.found,
  missing: a.missing + b.missing,
  newTransfers: a.newTransfers + b.newTransfers,
  position: comparePositions(b.position, a.position) > 0 ? b.position : a.position,
});

/**
 * Looks up the transaction of every order on a chain that has a node, page by page: what was noted stays where a node fails.
 *
 * @param onLooked told between two pages what it came to so far
 */
export const syncTransfers = async (
  deps: Deps,
  chains: ChainLookup,
  author: Author,
  onLooked: (soFar: TransfersSynced) => void,
): Asked<TransfersSynced> => {
  let all = NOTHING;
  for (const chainId of chains.chainIds) {
    const filter = { ...EVERY_ORDER, chainId: parseDecimal(String(chainId)) };
    const done = new Set<string>();
    let after: OrderPlace | null = null;
    for (let more = true; more;) {
      const question: OrdersQuestion = { filter, after, limit: PAGE, now: deps.now(), counted: false };
      const asked = await deps.readModels.orders(question)();
      if (E.isLeft(asked)) return asked;
      const orders = asked.right.data;
      const hashes: TxnHash[] = [];
      for (const { txnHash: text } of orders) {
        const txnHash = text === null ? null : parseTxnHash(text);
        if (txnHash === null || done.has(hexKey(txnHash))) continue;
        done.add(hexKey(txnHash));
        hashes.push(txnHash);
      }
      const synced = await syncHashes(deps, chains, { chainId, hashes, author });
      if (E.isLeft(synced)) return synced;
      all = plus(all, synced.right);
      after = orders.at(-1) ?? null;
      more = asked.right.more && after !== null;
      if (more) onLooked(all);
    }
  }
  return E.right(all);
};
