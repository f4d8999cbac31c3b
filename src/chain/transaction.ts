import * as t from 'io-ts';
import { guarded } from '../domain/guarded.ts';

const hexText = (name: string, pattern: RegExp) =>
  guarded(name, (u): u is `0x${string}` => typeof u === 'string' && pattern.test(u));

/** A number as nodes write it. */
const Quantity = hexText('quantity', /^0x[\da-f]{1,64}$/i);

/** A number of a block or of a chain: so many digits a number holds exactly. */
export const SmallQuantity = hexText('small quantity', /^0x[\da-f]{1,13}$/i);
const Hash = hexText('hash', /^0x[\da-f]{64}$/i);
const ChainAddress = hexText('address', /^0x[\da-f]{40}$/i);
const Bytes = hexText('bytes', /^0x(?:[\da-f]{2})*$/i);
const Receiver = t.union([ChainAddress, t.null]);

const Log = t.intersection([
  t.type({ address: ChainAddress, topics: t.array(Hash), data: Bytes }),
  // Of a block that the chain gave up, or of another transaction: a receipt has none of these.
  t.partial({
    removed: t.unknown,
    transactionHash: t.unknown,
    blockNumber: t.unknown,
    blockHash: t.unknown,
    logIndex: t.unknown,
  }),
]);

/** What a node says of a transaction that is in a block; of what it says, this is looked at. */
export const Receipt = t.intersection([
  t.type({ transactionHash: Hash, blockNumber: SmallQuantity, status: Quantity, logs: t.array(Log) }),
  t.partial({ blockHash: t.unknown }),
]);

export type Receipt = t.TypeOf<typeof Receipt>;

/** The transaction itself; `to` is null where it makes a contract. */
export const Transaction = t.type({ hash: Hash, from: ChainAddress, to: Receiver, value: Quantity, input: Bytes });

export type Transaction = t.TypeOf<typeof Transaction>;

/** What is in a block names it. */
const Placed = t.intersection([t.type({ blockNumber: SmallQuantity }), t.partial({ blockHash: t.unknown })]);

type Block = { readonly number: number; readonly hash: string | null };

const blockOf = (said: unknown): Block | null =>
  Placed.is(said)
    ? { number: Number(said.blockNumber), hash: typeof said.blockHash === 'string' ? said.blockHash : null }
    : null;

const isOther = (said: unknown, own: string): boolean =>
  typeof said === 'string' && said.toLowerCase() !== own.toLowerCase();

/** Two blocks of one height are what a chain that is giving one up looks like: their hashes are compared where both are told. */
const isOtherBlock = (a: Block, b: Block): boolean =>
  a.number !== b.number || (a.hash !== null && b.hash !== null && isOther(a.hash, b.hash));

/** Whether a node says of a transaction that it is in a block and that it is in none, or in two. */
export const isContradicted = (receipt: unknown, transaction: unknown): boolean => {
  const [mined, sent] = [blockOf(receipt), blockOf(transaction)];
  return receipt === null
    ? sent !== null
    : mined !== null && (transaction === null || (sent !== null && isOtherBlock(sent, mined)));
};

/** Whether a receipt has logs that are not its own: removed ones, those of another transaction or block, or one twice. */
export const hasForeignLogs = (receipt: Receipt): boolean => {
  const own = blockOf(receipt);
  const places = new Set<unknown>();
  return receipt.logs.some((log) => {
    const { removed, logIndex, transactionHash } = log;
    const [block, isAgain] = [blockOf(log), logIndex !== undefined && places.has(logIndex)];
    places.add(logIndex);
    return (
      (removed !== undefined && removed !== false) ||
      isAgain ||
      isOther(transactionHash, receipt.transactionHash) ||
      (block !== null && own !== null && isOtherBlock(block, own))
    );
  });
};

/** Whether a text can be a transaction's hash on such a chain. */
export const isHash = Hash.is;
