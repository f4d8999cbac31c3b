import * as t from 'io-ts';
import { BaseUnitsText, DecimalText } from '../decimal.ts';
import { ownStream, type StreamName } from '../ids.ts';
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

const transactionName = ({ chainId, txnHash }: Pick<Transfer, 'chainId' | 'txnHash'>): string =>
  `${chainId}-${hexKey(txnHash)}`;

/** The stream of all that is seen of one transaction. */
export const transactionStream = (transaction: Pick<Transfer, 'chainId' | 'txnHash'>): StreamName =>
  ownStream('transfer', transactionName(transaction));

/** Every fact that one observation may have otherwise than another of the same moment. */
const partsOf = ({
  transferId,
  status,
  block,
  observedAt,
  baseUnits,
  amount,
  confirmations,
}: TransferObservedData): readonly string[] => [
  transferId,
  status,
  String(block),
  observedAt,
  baseUnits ?? '',
  amount ?? '',
  String(confirmations),
];

export const TRANSFER_OBSERVED: OwnKind<'TransferObserved', TransferObservedData> = {
  type: 'TransferObserved',
  data: Observed,
  stream: 'transfer',
  about: transactionName,
  parts: partsOf,
  formerParts: ({ transferId, status, block, observedAt }) => [transferId, status, String(block), observedAt],
};
