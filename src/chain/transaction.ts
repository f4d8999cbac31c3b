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

const Log = t.type({ address: ChainAddress, topics: t.array(Hash), data: Bytes });

/** What a node says of a transaction that is in a block; of what it says, this is looked at. */
export const Receipt = t.type({
  transactionHash: Hash,
  blockNumber: SmallQuantity,
  status: Quantity,
  logs: t.array(Log),
});

export type Receipt = t.TypeOf<typeof Receipt>;

/** The transaction itself; `to` is null where it makes a contract. */
export const Transaction = t.type({ hash: Hash, from: ChainAddress, to: Receiver, value: Quantity, input: Bytes });

export type Transaction = t.TypeOf<typeof Transaction>;

/** Whether a text can be a transaction's hash on such a chain. */
export const isHash = Hash.is;
