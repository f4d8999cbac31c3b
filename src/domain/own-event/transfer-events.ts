import * as t from 'io-ts';
import { sha256 } from '../sha256.ts';
import type { OwnKind } from './own-kind.ts';

/** Data of a `TransferObserved`. */
export type TransferObservedData = { readonly chainId: number; readonly txnHash: string };

export const TRANSFER_OBSERVED: OwnKind<'TransferObserved', TransferObservedData> = {
  type: 'TransferObserved',
  data: t.type({ chainId: t.number, txnHash: t.string }),
  stream: 'transfer',
  about: ({ chainId, txnHash }) => `${chainId}-${txnHash}`,
  parts: (data) => [sha256(JSON.stringify(data))],
};
