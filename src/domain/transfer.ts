import { branded, type Brand } from './brand.ts';
import type { BaseUnits, Decimal } from './decimal.ts';
import { guarded, guardedText, oneOf } from './guarded.ts';
import { isSha256 } from './ids.ts';
import type { Instant } from './instant.ts';

/** The number of an EVM chain (EIP-155), from 1. */
export type ChainId = Brand<number, 'ChainId'>;

const isChainId = (value: number): value is ChainId => Number.isSafeInteger(value) && value > 0;

export const ChainIdNumber = guarded('chain id', (u): u is ChainId => typeof u === 'number' && isChainId(u));

/** A chain's number in decimal digits; null for anything else. */
export const parseChainId = (text: string): ChainId | null => {
  const value = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  return isChainId(value) ? value : null;
};

/** Hash of a transaction as its source spells it, never empty; letter case means nothing: compare by `hexKey`. */
export type TxnHash = Brand<string, 'TxnHash'>;

/** Address of a wallet or a token contract as its source spells it, never empty; compare by `hexKey`. */
export type Address = Brand<string, 'Address'>;

/** Letters, digits and what some chains put between them; long enough for every chain's hashes and addresses. */
const NAME_ON_CHAIN = /^[\w.:-]{1,128}$/;

/** Null for what can't be a transaction's hash. */
export const parseTxnHash = (text: string): TxnHash | null =>
  NAME_ON_CHAIN.test(text) ? branded<TxnHash>(text) : null;

export const TxnHashText = guardedText('transaction hash', (text): text is TxnHash => parseTxnHash(text) !== null);

/** Null for what can't be an address. Checksums in the letters' case are not looked at. */
export const parseAddress = (text: string): Address | null =>
  NAME_ON_CHAIN.test(text) ? branded<Address>(text) : null;

export const AddressText = guardedText('address', (text): text is Address => parseAddress(text) !== null);

/** One spelling of a hash or an address: equal ones are equal texts. */
export const hexKey = (name: string): string => name.toLowerCase();

/**
 * Where a transfer stands. `dropped`: it was seen in a block that the chain has given up since (a reorganisation), and is
 * in none now: no money moved.
 */
export type TransferStatus = 'success' | 'failed' | 'dropped';

/** So many blocks no chain gives up again: what they confirm is not looked up any more. */
export const FINAL_CONFIRMATIONS = 128;

/** The source of what a node of the chain said. */
export const BY_NODE = 'rpc';

export const TransferStatusText = oneOf<TransferStatus>('transfer status', ['success', 'failed', 'dropped']);

/**
 * What names a transfer among all: a digest, 64 lower-case hex digits, over chain, hash, token and recipient, and
 * over how many of the same were known of its transaction before it, which may hold several.
 */
export type TransferId = Brand<string, 'TransferId'>;

export const TransferIdText = guardedText('transfer id', (text): text is TransferId => isSha256(text));

/** A movement of tokens on a chain, as it was seen last (docs/spec/statements.md, A transfer). */
export type Transfer = {
  readonly transferId: TransferId;
  readonly chainId: ChainId;
  readonly txnHash: TxnHash;
  /** The number of its block; null where the source does not say. */
  readonly block: number | null;
  /** How many blocks confirmed it when it was observed, its own counted; null where the source does not say. */
  readonly confirmations: number | null;
  readonly status: TransferStatus;
  /** The token's contract; null for the chain's own coin. */
  readonly token: Address | null;
  /** Null where the source does not say. */
  readonly from: Address | null;
  readonly to: Address;
  /** Null where the source gives the amount in tokens alone, and nothing says how many decimals the token has. */
  readonly baseUnits: BaseUnits | null;
  /** The amount in tokens where the source gives it so; null where it gives base units. Never are both null. */
  readonly amount: Decimal | null;
  readonly observedAt: Instant;
  /** Where it was seen: `explorer`, `rpc`, or what a file says. */
  readonly source: string;
};

/** A transfer as a source has it, which does not say which of several in a transaction it is (`KnownTransfers` does). */
export type SourcedTransfer = Omit<Transfer, 'transferId'>;
