import { branded } from './brand.ts';
import { sha256 } from './sha256.ts';
import { hexKey, type Transfer, type TransferId } from './transfer.ts';

/** What a transfer is told from others by. */
type TransferParts = Pick<Transfer, 'chainId' | 'txnHash' | 'token' | 'to'>;

/**
 * Names transfers: by chain, hash, token and recipient, and by how many of the same came before in their transaction. The
 * amount is no part of it, since sources write it in different ways. Call it with the transfers of one source in their order.
 */
export const transferNamer = (): ((transfer: TransferParts) => TransferId) => {
  const seen = new Map<string, number>();
  return ({ chainId, txnHash, token, to }) => {
    const content = JSON.stringify([chainId, hexKey(txnHash), token === null ? null : hexKey(token), hexKey(to)]);
    const before = seen.get(content) ?? 0;
    seen.set(content, before + 1);
    return branded<TransferId>(sha256(JSON.stringify([content, before])));
  };
};
