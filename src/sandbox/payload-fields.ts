import * as E from 'fp-ts/lib/Either.js';
import { isNegative, parseBaseUnits, parseDecimal } from '../domain/decimal.ts';
import type { Flow } from '../domain/flow.ts';
import { isOrderId } from '../domain/ids.ts';
import { parseInstant } from '../domain/instant.ts';
import { isJsonNumber, isJsonObject, member, numberText, type JsonObject, type JsonValue } from '../domain/json.ts';

/** What the value of a field must be, so that what is sent is what docs/spec/provider.md says. */
type Kind = { readonly expected: string; readonly holds: (value: JsonValue) => boolean };

const decimalOf = (value: JsonValue) => (isJsonNumber(value) ? parseDecimal(numberText(value)) : null);

const text: Kind = { expected: 'a string', holds: (value) => typeof value === 'string' };
const code: Kind = {
  expected: 'a string that is not empty',
  holds: (value) => typeof value === 'string' && value !== '',
};
const orderId: Kind = {
  expected: 'a string of 1 to 200 characters',
  holds: (value) => typeof value === 'string' && isOrderId(value),
};
const number: Kind = { expected: 'a number', holds: (value) => decimalOf(value) !== null };
const amount: Kind = {
  expected: 'a number that is not negative',
  holds: (value) => {
    const decimal = decimalOf(value);
    return decimal !== null && !isNegative(decimal);
  },
};
const decimalText: Kind = {
  expected: 'a string with a decimal number in it',
  holds: (value) => typeof value === 'string' && parseDecimal(value) !== null,
};
const digits: Kind = {
  expected: 'a string of digits',
  holds: (value) => typeof value === 'string' && parseBaseUnits(value) !== null,
};
const timestamp: Kind = {
  expected: 'an ISO 8601 timestamp',
  holds: (value) => typeof value === 'string' && parseInstant(value) !== null,
};
const object: Kind = { expected: 'an object', holds: isJsonObject };
const textOrNull: Kind = { expected: 'a string or null', holds: (value) => value === null || text.holds(value) };

const hasTexts = (value: JsonObject, names: readonly string[]): boolean =>
  names.every((name) => ['string', 'undefined'].includes(typeof member(value, name)));

const customer: Kind = {
  expected: 'an object with the members of the interface',
  holds: (value) => {
    if (!isJsonObject(value) || !hasTexts(value, ['id', 'email', 'created_at', 'name'])) return false;
    const phone = member(value, 'phone');
    return phone === undefined || (isJsonObject(phone) && hasTexts(phone, ['countrycode', 'number']));
  },
};

const OF_BOTH: Readonly<Record<string, Kind>> = {
  fiat: amount,
  orderId,
  currency: code,
  chainId: number,
  customer,
  metaData: object,
};

const FIELDS: Readonly<Record<Flow, Readonly<Record<string, Kind>>>> = {
  onramp: {
    ...OF_BOTH,
    receiverWalletAddress: text,
    buyTokenSymbol: text,
    buyTokenAddress: text,
    txnHash: text,
    transferredAmount: decimalText,
    transferredAmountWei: digits,
    createdAt: timestamp,
  },
  offramp: {
    ...OF_BOTH,
    senderWalletAddress: text,
    sellTokenSymbol: text,
    sellTokenAddress: text,
    created_at: timestamp,
    updated_at: timestamp,
    tenantId: text,
    transactionId: text,
    tokensDeducted: number,
    tds: number,
    source: text,
    utr: textOrNull,
  },
};

/** Members that follow from flow and path. */
const DERIVED: Readonly<Record<Flow, readonly string[]>> = {
  onramp: ['status', 'eventType', 'utr'],
  offramp: ['status', 'eventType'],
};

/**
 * Checks fields that are to stand in an order's payloads against the tables of docs/spec/provider.md; others than those
 * are let through, as the provider might add some. What is wrong is said in one line.
 */
export const checkFields = (flow: Flow, fields: JsonObject): E.Either<string, JsonObject> => {
  for (const [name, value] of Object.entries(fields)) {
    if (DERIVED[flow].includes(name)) return E.left(`${name}: it follows from flow and path; leave it out`);
    const kind = Object.hasOwn(FIELDS[flow], name) ? FIELDS[flow][name] : undefined;
    if (kind !== undefined && !kind.holds(value)) return E.left(`${name}: expected ${kind.expected}`);
  }
  return E.right(fields);
};
