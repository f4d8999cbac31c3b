import { sha256 } from '../../src/domain/sha256.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { at } from './naive-json.ts';
import { scriptedUpstream } from './scripted-upstream.ts';

type Sent = { readonly to: string; readonly value?: string; readonly input?: string; readonly fails?: true };

/** A small node of JSON-RPC on loopback that answers what a transaction is looked up by. */
export type EvmNode = {
  readonly url: string;
  /** Puts a transaction into a block of its own; its hash. `logs`: of its receipt. */
  readonly send: (sent: Sent, logs?: readonly JsonObject[]) => string;
  /** Gives up the block of a transaction. */
  readonly drop: (hash: string) => void;
  readonly mine: (blocks: number) => void;
  readonly close: () => Promise<void>;
};

const hex = (number: number): string => `0x${number.toString(16)}`;

/** @param from who sends all transactions */
export const evmNode = async (chainId: number, from: string): Promise<EvmNode> => {
  const known = new Map<string, { readonly receipt: JsonObject; readonly transaction: JsonObject }>();
  let head = 1;
  const answer = (asked: unknown): unknown => {
    const found = known.get(String(at(asked, 'params', '0')));
    switch (at(asked, 'method')) {
      case 'eth_chainId':
        return hex(chainId);
      case 'eth_blockNumber':
        return hex(head);
      case 'eth_getTransactionReceipt':
        return found?.receipt ?? null;
      default:
        return found?.transaction ?? null;
    }
  };
  const { url, close } = await scriptedUpstream(({ body }) => {
    const asked: unknown = JSON.parse(body);
    return { body: JSON.stringify({ jsonrpc: '2.0', id: at(asked, 'id'), result: answer(asked) }) };
  });
  return {
    url,
    send: ({ to, value = '0x0', input = '0x', fails }, logs = []) => {
      head += 1;
      const hash = `0x${sha256(`${head} ${to}`)}`;
      const receipt = { transactionHash: hash, blockNumber: hex(head), status: fails ? '0x0' : '0x1', logs: [...logs] };
      known.set(hash, { receipt, transaction: { hash, from, to, value, input } });
      return hash;
    },
    drop: (hash) => known.delete(hash),
    mine: (blocks) => {
      head += blocks;
    },
    close,
  };
};
