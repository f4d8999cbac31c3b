import { Big } from 'big.js';
import { branded } from '../domain/brand.ts';
import { parseDecimal, type Decimal } from '../domain/decimal.ts';
import type { Flow } from '../domain/flow.ts';
import { instantOf } from '../domain/instant.ts';
import { ExactNumber, isJsonNumber, isJsonObject, member, numberText, type JsonObject } from '../domain/json.ts';
import { pickCustomer } from './customer.ts';
import { pickFiat } from './figures.ts';
import type { Random } from './random.ts';
import { randomDigits, randomUuid, randomWallet } from './random-ids.ts';
import { pickCurrency, pickRate, pickToken, type Token } from './token.ts';

/** What a new order is to be. */
export type OrderRequest = {
  readonly flow: Flow;
  /**
   * Whether it deals in a native token: others are in progress on the blockchain for a while (docs/spec/provider.md,
   * On-ramp statuses).
   */
  readonly native: boolean;
  readonly createdAtMs: number;
  /** Members as they are to stand in the payloads; they were checked. */
  readonly fields: JsonObject;
};

/** What orders of both flows have in common: what is given, and made up where nothing is. */
export type OrderBasics = {
  readonly orderId: string;
  readonly token: Token;
  readonly currency: string;
  readonly rate: Big;
  readonly fiat: Big;
  readonly wallet: string;
  readonly customer: JsonObject;
  readonly createdAt: string;
  /** The merchant's own metaData, which is echoed. */
  readonly customPairs: JsonObject;
  readonly hasCustomPairs: boolean;
  /** Given members that go into every payload as they are. */
  readonly others: JsonObject;
};

/** A JSON number with exactly these digits. */
export const exactNumber = (value: Big): ExactNumber => new ExactNumber(value.toFixed());

export const textIn = (fields: JsonObject, name: string): string | null => {
  const value = member(fields, name);
  return typeof value === 'string' ? value : null;
};

/** The value of a member that is a number, or a string with one in it. */
export const decimalIn = (fields: JsonObject, name: string): Decimal | null => {
  const value = member(fields, name);
  return isJsonNumber(value) || typeof value === 'string'
    ? parseDecimal(typeof value === 'string' ? value : numberText(value))
    : null;
};

/** A result as a decimal. */
export const decimalOf = (value: Big): Decimal => branded<Decimal>(value.toFixed());

const merged = (usual: JsonObject, given: JsonObject[string] | undefined): JsonObject =>
  given !== undefined && isJsonObject(given) ? { ...usual, ...given } : usual;

/**
 * Makes up what is not given. Every random choice is made, needed or not, so that a given member changes no other one.
 *
 * @param all the sandbox's randomness, which all orders share
 * @param random the order's own
 */
export const orderBasics = (all: Random, random: Random, request: OrderRequest): OrderBasics => {
  const { flow, native, createdAtMs, fields } = request;
  const usual = {
    orderId: randomUuid(random),
    token: pickToken(random, native),
    currency: pickCurrency(random),
    isLowerCase: random.onceIn(2),
    fiat: pickFiat(random),
    wallet: randomWallet(random),
    customer: pickCustomer(all, random, flow),
    customPairs: {
      merchantReference: `INV-${randomDigits(random, 8)}`,
      channel: random.pick(['web', 'android', 'ios']),
    },
  };
  const currency = textIn(fields, 'currency') ?? (usual.isLowerCase ? usual.currency.toLowerCase() : usual.currency);
  const customPairs = member(fields, 'metaData');
  const isGiven = customPairs !== undefined && isJsonObject(customPairs);
  const { metaData: _metaData, utr: _utr, txnHash: _txnHash, ...others } = fields;
  const customer = merged(usual.customer, member(fields, 'customer'));
  return {
    orderId: textIn(fields, 'orderId') ?? usual.orderId,
    token: usual.token,
    currency,
    rate: pickRate(random, usual.token, currency),
    fiat: new Big(decimalIn(fields, 'fiat') ?? usual.fiat),
    wallet: usual.wallet,
    customer,
    createdAt: instantOf(createdAtMs),
    customPairs: isGiven ? customPairs : usual.customPairs,
    hasCustomPairs: isGiven || random.onceIn(2),
    others: 'customer' in others ? { ...others, customer } : others,
  };
};
