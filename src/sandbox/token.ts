import { Big } from 'big.js';
import type { Random } from './random.ts';

/** A token that the sandbox deals in. All of them have 18 decimals, so that an amount in wei is the amount times 10^18. */
export type Token = {
  readonly symbol: string;
  readonly address: string;
  readonly chainId: number;
  /** In US dollars, roughly. */
  readonly price: string;
  /** How many decimals an order's amount has. */
  readonly places: number;
};

/** Digits of the smallest unit, wei. */
export const WEI_PLACES = 18;

const NATIVE_ADDRESS = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

const NATIVE: readonly [Token, ...Token[]] = [
  { symbol: 'MATIC', address: NATIVE_ADDRESS, chainId: 137, price: '0.52', places: 6 },
  { symbol: 'MATIC', address: NATIVE_ADDRESS, chainId: 80001, price: '0.52', places: 2 },
  { symbol: 'BNB', address: NATIVE_ADDRESS, chainId: 56, price: '590', places: 8 },
  { symbol: 'ETH', address: NATIVE_ADDRESS, chainId: 1, price: '2950', places: 10 },
];

const OTHERS: readonly [Token, ...Token[]] = [
  { symbol: 'USDT', address: '0x55d398326f99059fF775485246999027B3197955', chainId: 56, price: '1', places: 4 },
  { symbol: 'USDC', address: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', chainId: 56, price: '1', places: 6 },
  { symbol: 'DAI', address: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063', chainId: 137, price: '1', places: 6 },
];

/**
 * A native token, or another: with those an order is in progress on the blockchain for a while (docs/spec/provider.md,
 * On-ramp statuses).
 */
export const pickToken = (random: Random, native: boolean): Token => random.pick(native ? NATIVE : OTHERS);

/** What a US dollar costs, roughly; first the currency of the interface's samples. */
const CURRENCIES: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['INR', '83.1'],
  ['INR', '83.1'],
  ['EUR', '0.92'],
  ['AED', '3.67'],
];

export const pickCurrency = (random: Random): string => random.pick(CURRENCIES)[0];

/** What a token costs at the moment, with two decimals as finance people see it: within four percent of its usual price. */
export const pickRate = (random: Random, { price }: Token, currency: string): Big => {
  const [, dollar] = CURRENCIES.find(([code]) => code === currency.toUpperCase()) ?? ['USD', '1'];
  const usual = new Big(price).times(dollar);
  const rate = usual
    .times(9_600 + random.below(801))
    .times('0.0001')
    .round(2, Big.roundHalfEven);
  return rate.gt(0) ? rate : new Big('0.01');
};
