import { branded } from './brand.ts';
import { sha256 } from './sha256.ts';
import { tokenKey } from './token-key.ts';
import { hexKey, type SourcedTransfer, type TransferId } from './transfer.ts';

/**
 * The id of a transfer that nothing was known of: over chain, hash, token and recipient, and over how many of these its
 * transaction has already. The amount is no part of it, since sources write it in different ways, and some first without
 * base units; which transfer is meant where there are several is told by `KnownTransfers`.
 */
export const transferId = (
  { chainId, txnHash, token, to }: Pick<SourcedTransfer, 'chainId' | 'txnHash' | 'token' | 'to'>,
  before: number,
): TransferId => {
  const key = tokenKey(token);
  const content = JSON.stringify([chainId, hexKey(txnHash), key === '' ? null : key, hexKey(to)]);
  return branded<TransferId>(sha256(JSON.stringify([content, before])));
};
