import * as E from 'fp-ts/lib/Either.js';
import type { Instant } from '../domain/instant.ts';
import { hexKey, type ChainId, type SourcedTransfer, type TxnHash } from '../domain/transfer.ts';
import { callNode, type NodeMeans } from './json-rpc.ts';
import { hasForeignLogs, isContradicted, isHash, Receipt, SmallQuantity, Transaction } from './transaction.ts';
import { minedOf, transfersOf, type Mined } from './transfers-of.ts';

/** No node of a chain answers. The detail names a node by its place among those of the chain: its address may hold a key. */
export type ChainFailure = { readonly _tag: 'ChainFailure'; readonly chainId: ChainId; readonly detail: string };

/**
 * What a chain says of a transaction: where it is and its transfers, or null where it is in no block; and how far the chain
 * is. Coins that a contract moved are no part of what a node tells.
 */
export type OnChain = { readonly head: number } & (
  | { readonly mined: Mined; readonly transfers: readonly SourcedTransfer[] }
  | { readonly mined: null; readonly transfers: null }
);

/** Looks transactions up on the chains that are configured. */
export type ChainLookup = {
  readonly chainIds: readonly ChainId[];
  readonly lookUp: (chainId: ChainId, txnHash: TxnHash, at: Instant) => Promise<E.Either<ChainFailure, OnChain>>;
};

type Said<A> = Promise<E.Either<string, A>>;

/** One node. Which chain it is of is asked once, the newest block again only where a transaction is in a later one. */
const nodeOf = (means: NodeMeans, chainId: ChainId, url: string) => {
  const quantity = async (method: string): Said<number> => {
    const said = await callNode(means, url, { method, params: [] });
    if (E.isLeft(said)) return said;
    return SmallQuantity.is(said.right) ? E.right(Number(said.right)) : E.left(`its answer to ${method} can't be read`);
  };
  const checked = async (): Said<null> => {
    const said = await quantity('eth_chainId');
    if (E.isLeft(said)) return said;
    return said.right === chainId ? E.right(null) : E.left(`it is a node of chain ${said.right}`);
  };
  let rightChain: Said<null> | null = null;
  let head: Said<number> | null = null;
  const headFrom = async (block: number): Said<number> => {
    head ??= quantity('eth_blockNumber');
    const known = await head;
    if (E.isRight(known) && known.right >= block) return known;
    head = quantity('eth_blockNumber');
    return head;
  };
  const saidOf = async (txnHash: TxnHash): Said<{ readonly receipt: unknown; readonly transaction: unknown }> => {
    const [receipt, transaction] = await Promise.all([
      callNode(means, url, { method: 'eth_getTransactionReceipt', params: [txnHash] }),
      callNode(means, url, { method: 'eth_getTransactionByHash', params: [txnHash] }),
    ]);
    if (E.isLeft(receipt)) return receipt;
    return E.map((sent: unknown) => ({ receipt: receipt.right, transaction: sent }))(transaction);
  };
  return async (txnHash: TxnHash, observedAt: Instant): Said<OnChain> => {
    rightChain ??= checked();
    const chain = await rightChain;
    if (E.isLeft(chain)) return chain;
    // A block may come, or be given up, between the two answers; then both are asked for once more.
    const first = await saidOf(txnHash);
    const said =
      E.isRight(first) && isContradicted(first.right.receipt, first.right.transaction) ? await saidOf(txnHash) : first;
    if (E.isLeft(said)) return said;
    const { receipt, transaction } = said.right;
    if (isContradicted(receipt, transaction))
      return E.left('it says of a transaction that it is in a block and that it is in none, or in two');
    const top = await headFrom(Receipt.is(receipt) ? Number(receipt.blockNumber) : 0);
    if (E.isLeft(top)) return top;
    if (receipt === null || transaction === null) return E.right({ mined: null, transfers: null, head: top.right });
    if (!Receipt.is(receipt) || !Transaction.is(transaction) || hasForeignLogs(receipt))
      return E.left("its receipt of a transaction can't be read");
    if (hexKey(receipt.transactionHash) !== hexKey(txnHash) || hexKey(transaction.hash) !== hexKey(txnHash))
      return E.left('it answers with another transaction');
    const sighting = { chainId, txnHash, head: top.right, observedAt };
    return E.right({
      mined: minedOf(receipt),
      transfers: transfersOf(receipt, transaction, sighting),
      head: top.right,
    });
  };
};

/** Looks up on nodes; where one fails for good, the next of its chain is asked from then on. */
export const chainLookup = (
  means: NodeMeans,
  nodes: readonly { readonly chainId: ChainId; readonly url: string }[],
): ChainLookup => {
  const chains = new Map(
    [...Map.groupBy(nodes, ({ chainId }) => chainId)].map(([chainId, its]) => {
      const asked = its.map(({ url }) => nodeOf(means, chainId, url));
      let from = 0;
      const lookUp = async (txnHash: TxnHash, at: Instant): Promise<E.Either<ChainFailure, OnChain>> => {
        if (!isHash(txnHash)) return E.right({ mined: null, transfers: null, head: 0 });
        const failures: string[] = [];
        for (let node = from; node < asked.length; node += 1) {
          const said = await asked[node]?.(txnHash, at);
          if (said === undefined) break;
          if (E.isRight(said)) return said;
          failures.push(`node ${node + 1}: ${said.left}`);
          from = Math.max(from, Math.min(node + 1, asked.length - 1));
        }
        return E.left({ _tag: 'ChainFailure', chainId, detail: failures.join('; ') });
      };
      return [chainId, lookUp] as const;
    }),
  );
  return {
    chainIds: [...chains.keys()],
    lookUp: async (chainId, txnHash, at) =>
      (await chains.get(chainId)?.(txnHash, at)) ??
      E.left({ _tag: 'ChainFailure', chainId, detail: 'no node is configured' }),
  };
};
