import type { Delivery } from './ingest-mode.ts';

const ON_RAMP_WALK = ['fiatPending', 'orderReceived', 'fiatReceived', 'completed'] as const;
const OFF_RAMP_WALK = ['pending', 'orderReceived', 'CryptoReceived', 'PayoutSuccess'] as const;

type Token = { readonly symbol: string; readonly address: string; readonly chainId: number };

const TOKENS: readonly [Token, ...Token[]] = [
  { symbol: 'MATIC', address: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', chainId: 137 },
  { symbol: 'USDT', address: '0xdac17f958d2ee523a2206206994597c13d831ec7', chainId: 1 },
  { symbol: 'USDC', address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', chainId: 8453 },
];
const CURRENCIES = ['INR', 'EUR', 'AED', 'inr'] as const;
const NAMES = ['Asha Rao', 'Vikram Shah', 'Meera Iyer', 'Jonas Weber', 'Leila Haddad'] as const;

/** The final mix of MurmurHash3: a bijection on 32 bits, so different orders never share a number. */
const scattered = (n: number): number => {
  let x = Math.imul(n ^ (n >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
};

const hex8 = (n: number): string => scattered(n).toString(16).padStart(8, '0');

/** 40 hex digits for wallets, 64 for hashes. */
const hex = (n: number, digits: number): string => {
  let text = '';
  for (let part = 1; text.length < digits; part += 1) text += hex8(scattered(n) + part);
  return text.slice(0, digits);
};

const pick = <A>(from: readonly [A, ...A[]], n: number): A => from[n % from.length] ?? from[0];

/** Identifiers look random, as the provider's do: an index of them does not grow at its end only. */
export const orderId = (run: string, order: number): string =>
  `${hex8(order)}-${run.slice(0, 4)}-4${run.slice(4, 7)}-a${run.slice(7, 10)}-${run.slice(10, 22)}`;

const instant = (startedAt: number, order: number): string => new Date(startedAt + (order % 86_400_000)).toISOString();

const onRamp = (run: string, startedAt: number, { order, step }: Delivery): object => {
  const token = pick(TOKENS, order);
  const completed = step === ON_RAMP_WALK.length - 1;
  const units = 1_000 + (scattered(order) % 9_000_000);
  return {
    fiat: 500 + (order % 90_000) + 0.5,
    receiverWalletAddress: `0x${hex(order, 40)}`,
    buyTokenSymbol: token.symbol,
    buyTokenAddress: token.address,
    orderId: orderId(run, order),
    status: ON_RAMP_WALK[step],
    currency: pick(CURRENCIES, order >>> 3),
    chainId: token.chainId,
    customer: {
      id: hex(order >>> 2, 24),
      email: `customer.${hex8(order >>> 2)}@example.com`,
      phone: {},
      created_at: '2025-11-28T12:45:17.000Z',
    },
    txnHash: completed ? `0x${hex(order, 64)}` : '',
    transferredAmount: `${units / 1_000_000}`,
    transferredAmountWei: `${units}000000000000`,
    createdAt: instant(startedAt, order),
    eventType: 'onramp',
    metaData: {
      ...(completed ? { conversionRate: '90.2', commission: '2.5' } : {}),
      merchantReference: `INV-${order}`,
      basket: hex(order, 32),
      channel: 'mobile checkout, version 4.18.2, Android 15',
      returnUrl: `https://shop.example.com/checkout/return?basket=${hex(order, 32)}`,
    },
  };
};

const offRamp = (run: string, startedAt: number, { order, step }: Delivery): object => {
  const token = pick(TOKENS, order);
  return {
    fiat: 500 + (order % 90_000) + 0.25,
    senderWalletAddress: `0x${hex(order, 40)}`,
    sellTokenSymbol: token.symbol,
    sellTokenAddress: token.address,
    orderId: orderId(run, order),
    status: OFF_RAMP_WALK[step],
    currency: 'INR',
    chainId: token.chainId,
    customer: {
      id: hex(order >>> 2, 24),
      name: pick(NAMES, order >>> 2),
      email: `customer.${hex8(order >>> 2)}@example.com`,
      phone: { countrycode: '+91', number: `9${String(scattered(order >>> 2) % 1_000_000_000).padStart(9, '0')}` },
      created_at: '2025-11-28T12:45:17.000Z',
    },
    created_at: instant(startedAt, order),
    updated_at: '0001-01-01T00:00:00Z',
    tenantId: '',
    transactionId: `TRAREF${hex8(order)}`,
    tokensDeducted: 5 + (order % 4_000) / 4,
    tds: (order % 400) / 4,
    source: '',
    ...(step === OFF_RAMP_WALK.length - 1 ? { utr: `UTR${hex8(order)}${order}` } : {}),
    eventType: 'offramp',
    metaData: {
      merchantReference: `WDR-${order}`,
      channel: 'mobile wallet, version 4.18.2, Android 15',
      beneficiary: hex(order, 32),
    },
  };
};

/**
 * The JSON that the provider would send, about 820 bytes, all of them ASCII. An order has the same facts at each of its
 * steps; orders of both flows take turns.
 *
 * @param run 22 hex digits or more that set the orders of this run apart from those of any other
 * @param startedAt when the orders were created, in ms since 1970
 */
export const orderPayload = (run: string, startedAt: number, delivery: Delivery): string =>
  JSON.stringify(delivery.order % 2 === 0 ? onRamp(run, startedAt, delivery) : offRamp(run, startedAt, delivery));
