import { branded } from '../../src/domain/brand.ts';
import type { BaseUnits } from '../../src/domain/decimal.ts';
import { instantOf } from '../../src/domain/instant.ts';
import type { Address, ChainId, SourcedTransfer, TxnHash } from '../../src/domain/transfer.ts';

/** A transfer as a source has it; by default one of a token, that succeeded. */
export const sourced = (over: Partial<SourcedTransfer> = {}): SourcedTransfer => ({
  chainId: branded<ChainId>(137),
  txnHash: branded<TxnHash>(`0x${'ab'.repeat(32)}`),
  block: 52,
  confirmations: null,
  status: 'success',
  token: branded<Address>('0xdac1'),
  from: null,
  to: branded<Address>('0xc0'),
  baseUnits: branded<BaseUnits>('1'),
  amount: null,
  observedAt: instantOf(0),
  source: 'file',
  ...over,
});
