import * as t from 'io-ts';
import { BaseUnitsText, DecimalText } from '../decimal.ts';
import { InstantText } from '../instant.ts';
import {
  AddressText,
  ChainIdNumber,
  hexKey,
  TransferIdText,
  TransferStatusText,
  TxnHashText,
  type Transfer,
} from '../transfer.ts';
import type { OwnKind } from './own-kind.ts';

/** Data of a `TransferObserved`: a transfer as it was seen. */
export type TransferObservedData = Transfer;

const Observed: { readonly is: t.Is<TransferObservedData> } = t.type({
  transferId: TransferIdText,
  chainId: ChainIdNumber,
  txnHash: TxnHashText,
  block: t.union([t.number, t.null]),
  confirmations: t.union([t.number, t.null]),
  status: TransferStatusText,
  token: t.union([AddressText, t.null]),
  from: t.union([AddressText, t.null]),
  to: AddressText,
  baseUnits: t.union([BaseUnitsText, t.null]),
  amount: t.union([DecimalText, t.null]),
  observedAt: InstantText,
  source: t.string,
});

export const TRANSFER_OBSERVED: OwnKind<'TransferObserved', TransferObservedData> = {
  type: 'TransferObserved',
  data: Observed,
  stream: 'transfer',
  about: ({ chainId, txnHash }) => `${chainId}-${hexKey(txnHash)}`,
  parts: ({ transferId, status, block, observedAt }) => [transferId, status, String(block), observedAt],
};
