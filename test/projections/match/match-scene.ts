import { matchAll } from '../../../projections/match/match-all.ts';
import type { MatchItem } from '../../../projections/match/match-item.ts';
import type { MatchLine, MatchTransfer } from '../../../projections/match/match-index.ts';
import type { MatchOrder } from '../../../projections/match/match-order.ts';
import { USUAL_MATCH_SETTINGS, type MatchSettings } from '../../../src/domain/match-settings.ts';
import type { MatchSources } from '../../../projections/match/memory-index.ts';
import { branded } from '../../../src/domain/brand.ts';
import { businessCalendar, type BusinessDay } from '../../../src/domain/business-day.ts';
import type { BaseUnits, Decimal } from '../../../src/domain/decimal.ts';
import type { OrderId, Utr } from '../../../src/domain/ids.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { sha256 } from '../../../src/domain/sha256.ts';
import type { AccountName, CurrencyCode, LineId } from '../../../src/domain/statement-line.ts';
import type { Address, ChainId, TransferId, TxnHash } from '../../../src/domain/transfer.ts';

export const utcCalendar = businessCalendar('UTC');

export const day = (text: string): BusinessDay => branded<BusinessDay>(text);
export const decimal = (text: string): Decimal => branded<Decimal>(text);
const orderId = (text: string): OrderId => branded<OrderId>(text);
const lineId = (text: string): LineId => branded<LineId>(sha256(text));

const DAY = day('2026-03-10');
const WALLET = '0x00000000000000000000000000000000000000aa';
const TOKEN = '0x00000000000000000000000000000000000000bb';

const payout = (utr: string | null, state: 'deemed' | 'failed' | 'paid') => ({
  utr: utr === null ? null : branded<Utr>(utr),
  state,
});

/** An off-ramp order that was paid out with a utr, or without one. */
export const paidOut = (id: string, utr: string | null, over: Partial<MatchOrder> = {}): MatchOrder => ({
  orderId: orderId(id),
  flow: 'offramp',
  status: 'PayoutSuccess',
  phase: 'settled',
  currency: 'INR',
  fiat: decimal('100.00'),
  tds: null,
  commission: null,
  transactionId: null,
  payouts: [payout(utr, 'paid')],
  chainId: decimal('137'),
  txnHash: null,
  tokenAddress: TOKEN,
  walletAddress: WALLET,
  tokens: null,
  baseUnits: null,
  createdDay: day('2026-03-09'),
  settledDay: DAY,
  ...over,
});

/** One whose payout failed. */
export const failedPayout = (id: string, utr: string | null, over: Partial<MatchOrder> = {}): MatchOrder =>
  paidOut(id, utr, {
    status: 'fiatFailed',
    phase: 'failed',
    payouts: [payout(utr, 'failed')],
    settledDay: null,
    ...over,
  });

/** One whose payout the bank has not confirmed. */
export const deemedPayout = (id: string, utr: string | null): MatchOrder =>
  failedPayout(id, utr, { status: 'fiatDeemed', phase: 'deemed', payouts: [payout(utr, 'deemed')] });

/** An on-ramp order that is completed. */
export const completed = (id: string, txnHash: string | null, over: Partial<MatchOrder> = {}): MatchOrder =>
  paidOut(id, null, {
    flow: 'onramp',
    status: 'completed',
    payouts: [],
    txnHash,
    tokens: decimal('0.01'),
    baseUnits: branded<BaseUnits>('10000000000000000'),
    ...over,
  });

/** A debit of 100.00 INR. */
export const debit = (name: string, over: Partial<Omit<MatchLine, 'lineId'>> = {}): MatchLine => ({
  lineId: lineId(name),
  account: branded<AccountName>('ACC-1'),
  currency: branded<CurrencyCode>('INR'),
  bookedOn: DAY,
  amount: decimal('100.00'),
  direction: 'out',
  reversal: false,
  references: [],
  text: '',
  ...over,
});

export const currency = (text: string): CurrencyCode => branded<CurrencyCode>(text);

/** What fits an order that is completed. */
export const transferOf = (txnHash: string, over: Partial<MatchTransfer> = {}): MatchTransfer => ({
  transferId: branded<TransferId>(sha256(txnHash)),
  chainId: branded<ChainId>(137),
  txnHash: branded<TxnHash>(txnHash),
  status: 'success',
  token: branded<Address>(TOKEN),
  to: branded<Address>(WALLET),
  baseUnits: branded<BaseUnits>('10000000000000000'),
  amount: null,
  observedAt: instantOf(Date.parse('2026-03-11T10:00:00Z')),
  ...over,
});

/** The items of some orders, lines, transfers and decisions. */
export const itemsOf = (sources: Partial<MatchSources>, settings: Partial<MatchSettings> = {}): readonly MatchItem[] =>
  matchAll(
    { orders: [], lines: [], transfers: [], decisions: [], ...sources },
    { ...USUAL_MATCH_SETTINGS, ...settings },
    utcCalendar,
  );
