import { parseBaseUnits } from '../domain/decimal.ts';
import type { Instant } from '../domain/instant.ts';
import {
  BY_NODE,
  parseAddress,
  type ChainId,
  type SourcedTransfer,
  type TransferStatus,
  type TxnHash,
} from '../domain/transfer.ts';
import type { Receipt, Transaction } from './transaction.ts';

type Moved = { readonly token: string | null; readonly from: string; readonly to: string; readonly value: bigint };

/** Where and when a transaction was seen. */
export type Sighting = {
  readonly chainId: ChainId;
  readonly txnHash: TxnHash;
  /** The newest block of the chain. */
  readonly head: number;
  readonly observedAt: Instant;
};

/** Where a transaction is on its chain, and what became of it there. */
export type Mined = { readonly block: number; readonly status: Exclude<TransferStatus, 'dropped'> };

export const minedOf = ({ blockNumber, status }: Receipt): Mined => ({
  block: Number(blockNumber),
  status: BigInt(status) === 1n ? 'success' : 'failed',
});

/** Of ERC-20: the topic of `Transfer(address,address,uint256)`, and the selectors of `transfer` and `transferFrom`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const TRANSFER_CALL = '0xa9059cbb';
const TRANSFER_FROM_CALL = '0x23b872dd';

const WORD = 64;
const ADDRESS_IN_WORD = /^0{24}([\da-f]{40})$/i;

/** The words of 32 bytes that data are made of, in hex; null where they are not that many. */
const wordsOf = (hex: string, many: number): readonly string[] | null =>
  hex.length === many * WORD ? Array.from({ length: many }, (_, i) => hex.slice(i * WORD, (i + 1) * WORD)) : null;

/** Null where a word is no address. */
const addressIn = (word: string | undefined): string | null => {
  const [, digits] = ADDRESS_IN_WORD.exec(word ?? '') ?? [];
  return digits === undefined ? null : `0x${digits.toLowerCase()}`;
};

/** What sender, receiver and amount in words say was moved; none where one of them can't be that. */
const inWords = (token: string, from: string | null, to: string | null, amount: string | undefined): readonly Moved[] =>
  from === null || to === null || amount === undefined ? [] : [{ token, from, to, value: BigInt(`0x${amount}`) }];

/** The transfer that a log tells of; none where it is of anything else, an NFT's among them: their ids are indexed. */
const ofLog = ({ address, topics, data }: Receipt['logs'][number]): readonly Moved[] => {
  const [signature, from, to, ...more] = topics;
  if (signature?.toLowerCase() !== TRANSFER || more.length > 0) return [];
  const [amount] = wordsOf(data.slice(2), 1) ?? [];
  return inWords(address, addressIn(from?.slice(2)), addressIn(to?.slice(2)), amount);
};

/** What a call of a token's contract was to move; none where it is another call. */
const ofCall = ({ from, to, input }: Transaction): readonly Moved[] => {
  if (to === null) return [];
  const [selector, rest] = [input.slice(0, TRANSFER_CALL.length).toLowerCase(), input.slice(TRANSFER_CALL.length)];
  if (selector === TRANSFER_CALL) {
    const [receiver, amount] = wordsOf(rest, 2) ?? [];
    return inWords(to, from, addressIn(receiver), amount);
  }
  if (selector !== TRANSFER_FROM_CALL) return [];
  const [sender, receiver, amount] = wordsOf(rest, 3) ?? [];
  return inWords(to, addressIn(sender), addressIn(receiver), amount);
};

const ofCoin = ({ from, to, value }: Transaction): readonly Moved[] =>
  to === null || BigInt(value) === 0n ? [] : [{ token: null, from, to, value: BigInt(value) }];

/** What a transaction that failed was to move; nothing of its coin to whom it called, where its call is not known. */
const ofFailed = (transaction: Transaction): readonly Moved[] => {
  const moved = [...ofCoin(transaction), ...ofCall(transaction)];
  const { from, to } = transaction;
  return moved.length > 0 || to === null ? moved : [{ token: null, from, to, value: 0n }];
};

/**
 * The transfers of a transaction: its own coin, and tokens by the logs of their contracts (ERC-20). One that failed has no
 * logs: then it is what it was to move (docs/spec/statements.md, Looking up transfers).
 */
export const transfersOf = (
  receipt: Receipt,
  transaction: Transaction,
  { chainId, txnHash, head, observedAt }: Sighting,
): readonly SourcedTransfer[] => {
  const { block, status } = minedOf(receipt);
  const moved = status === 'success' ? [...ofCoin(transaction), ...receipt.logs.flatMap(ofLog)] : ofFailed(transaction);
  return moved.flatMap(({ token: contract, from, to: receiver, value }): readonly SourcedTransfer[] => {
    const [to, baseUnits] = [parseAddress(receiver), parseBaseUnits(value.toString())];
    if (to === null || baseUnits === null) return [];
    return [
      {
        chainId,
        txnHash,
        token: contract === null ? null : parseAddress(contract),
        to,
        block,
        confirmations: Math.max(1, head - block + 1),
        status,
        from: parseAddress(from),
        baseUnits,
        amount: null,
        observedAt,
        source: BY_NODE,
      },
    ];
  });
};
