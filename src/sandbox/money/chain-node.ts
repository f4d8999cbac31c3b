import { isJsonArray, member, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { blockAt, type ChainMovement } from './chain-movements.ts';

/** Blocks after which nobody doubts a transaction; the newest block is so many behind the last one. */
const CONFIRMATIONS = 200;

/** Of ERC-20: the topic of `Transfer(address,address,uint256)`, and the selector of `transfer`. */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const TRANSFER_CALL = '0xa9059cbb';

const METHOD_NOT_FOUND = -32_601;

const hex = (value: bigint | number): string => `0x${value.toString(16)}`;
const word = (digits: string): string => digits.padStart(64, '0');
const addressWord = (address: string): string => word(address.slice(2).toLowerCase());
const unitsWord = (units: bigint): string => word(units.toString(16));

const logsOf = ({ token, succeeded, from, to, baseUnits, txnHash, block }: ChainMovement): readonly JsonObject[] =>
  token === null || !succeeded
    ? []
    : [
        {
          address: token.toLowerCase(),
          topics: [TRANSFER_TOPIC, `0x${addressWord(from)}`, `0x${addressWord(to)}`],
          data: `0x${unitsWord(baseUnits)}`,
          transactionHash: txnHash,
          blockNumber: hex(block),
          logIndex: '0x0',
        },
      ];

const receiptOf = (movement: ChainMovement): JsonObject => ({
  transactionHash: movement.txnHash,
  blockNumber: hex(movement.block),
  status: movement.succeeded ? '0x1' : '0x0',
  from: movement.from,
  to: movement.token ?? movement.to,
  logs: [...logsOf(movement)],
});

const transactionOf = (movement: ChainMovement): JsonObject => {
  const { txnHash, block, token, from, to, baseUnits } = movement;
  return {
    hash: txnHash,
    blockNumber: hex(block),
    from,
    to: token ?? to,
    value: token === null ? hex(baseUnits) : '0x0',
    input: token === null ? '0x' : `${TRANSFER_CALL}${addressWord(to)}${unitsWord(baseUnits)}`,
  };
};

/** A node of one chain: what it answers to a call of JSON-RPC 2.0. What no transaction of its has is null. */
export const chainNode = (chainId: number, movements: readonly ChainMovement[], nowMs: number) => {
  const byHash = new Map(movements.map((movement) => [movement.txnHash.toLowerCase(), movement]));
  const newest = Math.max(blockAt(nowMs), ...movements.map(({ block }) => block)) + CONFIRMATIONS;
  return (call: JsonObject): JsonObject => {
    const params = member(call, 'params');
    const [given]: readonly JsonValue[] = params !== undefined && isJsonArray(params) ? params : [];
    const movement = typeof given === 'string' ? (byHash.get(given.toLowerCase()) ?? null) : null;
    const results = new Map<JsonValue | undefined, JsonValue>([
      ['eth_chainId', hex(chainId)],
      ['eth_blockNumber', hex(newest)],
      ['eth_getTransactionReceipt', movement === null ? null : receiptOf(movement)],
      ['eth_getTransactionByHash', movement === null ? null : transactionOf(movement)],
    ]);
    const result = results.get(member(call, 'method'));
    const head = { jsonrpc: '2.0', id: member(call, 'id') ?? null };
    return result === undefined
      ? { ...head, error: { code: METHOD_NOT_FOUND, message: 'this node answers no such method' } }
      : { ...head, result };
  };
};
