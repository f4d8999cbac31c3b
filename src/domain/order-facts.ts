import { upperAscii } from './letter-case.ts';
import { branded } from './brand.ts';
import { parseBaseUnits, parseDecimal, type BaseUnits, type Decimal } from './decimal.ts';
import type { Flow } from './flow.ts';
import type { OrderId, Utr } from './ids.ts';
import { instantOf, isRealTime, parseInstant, type Instant } from './instant.ts';
import { isJsonNumber, isJsonObject, member, numberText, type JsonObject, type JsonValue } from './json.ts';
import { keyOf } from './order-key.ts';
import type { OffRampPayload, OnRampPayload, OrderPayload } from './payload.ts';

export type CustomerFacts = {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly phone: JsonObject | null;
};

/**
 * What one event says of its order, as today's rules read it. A field that may be absent is null in three cases: it is
 * absent or null; it is an empty string where a number, a time or a hash is expected; it is of another type than the
 * interface says. In the last case `unreadable` names it by its path.
 */
export type OrderFacts = {
  readonly flow: Flow;
  readonly orderId: OrderId;
  readonly status: string;
  readonly utr: Utr | null;
  readonly fiat: Decimal;
  /** In upper case. */
  readonly currency: string;
  readonly tokenSymbol: string;
  readonly tokenAddress: string;
  readonly chainId: Decimal;
  readonly walletAddress: string;
  readonly createdAt: Instant;
  readonly customer: CustomerFacts;
  readonly metaData: JsonObject | null;
  /** The provider's time of change; null for the zero timestamp. */
  readonly updatedAt: Instant | null;
  readonly txnHash: string | null;
  readonly transferredAmount: Decimal | null;
  readonly transferredAmountWei: BaseUnits | null;
  readonly conversionRate: Decimal | null;
  readonly commission: Decimal | null;
  readonly transactionId: string | null;
  readonly tenantId: string | null;
  readonly tokensDeducted: Decimal | null;
  readonly tds: Decimal | null;
  readonly unreadable: readonly string[];
};

/** Reads members of a payload, and collects the paths of those that are there but can't be read. */
class Members {
  readonly unreadable: string[] = [];

  /** Reads a member that may be absent or null. `path` is its name in the whole payload, `key` its name in the object. */
  read<A>(object: JsonObject, path: string, parse: (value: JsonValue) => A | null, key = path): A | null {
    const value = member(object, key);
    return value === undefined || value === null ? null : this.#noted(path, parse(value));
  }

  /** Reads a member that is a string. An empty string counts as absent. */
  readFilled<A>(object: JsonObject, path: string, parse: (value: JsonValue) => A | null, key = path): A | null {
    const value = member(object, key);
    return value === undefined || value === null || value === '' ? null : this.#noted(path, parse(value));
  }

  /**
   * Reads a member that the payload's codec requires. The codec has checked it, so `otherwise` is never the answer; it is
   * there because this function must not throw.
   */
  required<A>(path: string, read: A | null, otherwise: A): A {
    return this.#noted(path, read) ?? otherwise;
  }

  #noted<A>(path: string, read: A | null): A | null {
    if (read === null) this.unreadable.push(path);
    return read;
  }
}

const text = (value: JsonValue): string | null => (typeof value === 'string' ? value : null);
const object = (value: JsonValue): JsonObject | null => (isJsonObject(value) ? value : null);
const number = (value: JsonValue): Decimal | null => (isJsonNumber(value) ? parseDecimal(numberText(value)) : null);
const decimalText = (value: JsonValue): Decimal | null => (typeof value === 'string' ? parseDecimal(value) : null);
const baseUnitsText = (value: JsonValue): BaseUnits | null =>
  typeof value === 'string' ? parseBaseUnits(value) : null;
const instant = (value: JsonValue): Instant | null => (typeof value === 'string' ? parseInstant(value) : null);

const ZERO = branded<Decimal>('0');

const customerFacts = (members: Members, payload: OrderPayload): CustomerFacts => {
  const { customer } = payload;
  const email = members.read(customer, 'customer.email', text, 'email');
  const name = members.read(customer, 'customer.name', text, 'name');
  const phone = members.read(customer, 'customer.phone', object, 'phone');
  if (phone !== null) {
    members.read(phone, 'customer.phone.countrycode', text, 'countrycode');
    members.read(phone, 'customer.phone.number', text, 'number');
  }
  members.read(customer, 'customer.created_at', text, 'created_at');
  return { id: customer.id, email, name, phone };
};

type OfFlow = Pick<
  OrderFacts,
  | 'tokenSymbol'
  | 'tokenAddress'
  | 'walletAddress'
  | 'createdAt'
  | 'updatedAt'
  | 'txnHash'
  | 'transferredAmount'
  | 'transferredAmountWei'
  | 'transactionId'
  | 'tenantId'
  | 'tokensDeducted'
  | 'tds'
>;

const realTime = (time: Instant | null): Instant | null => (time !== null && isRealTime(time) ? time : null);

const onRampFacts = (members: Members, payload: OnRampPayload): OfFlow => {
  const updatedAt = member(payload, 'updated_at');
  return {
    tokenSymbol: payload.buyTokenSymbol,
    tokenAddress: payload.buyTokenAddress,
    walletAddress: payload.receiverWalletAddress,
    createdAt: members.required('createdAt', parseInstant(payload.createdAt), instantOf(0)),
    // The interface has no such field for the on-ramp. Some payloads bring it all the same: a time in it is taken, and
    // anything else is no anomaly.
    updatedAt: updatedAt === undefined ? null : realTime(instant(updatedAt)),
    txnHash: members.readFilled(payload, 'txnHash', text),
    transferredAmount: members.readFilled(payload, 'transferredAmount', decimalText),
    transferredAmountWei: members.readFilled(payload, 'transferredAmountWei', baseUnitsText),
    transactionId: null,
    tenantId: null,
    tokensDeducted: null,
    tds: null,
  };
};

const offRampFacts = (members: Members, payload: OffRampPayload): OfFlow => ({
  tokenSymbol: payload.sellTokenSymbol,
  tokenAddress: payload.sellTokenAddress,
  walletAddress: payload.senderWalletAddress,
  createdAt: members.required('created_at', parseInstant(payload.created_at), instantOf(0)),
  updatedAt: realTime(members.readFilled(payload, 'updated_at', instant)),
  txnHash: null,
  transferredAmount: null,
  transferredAmountWei: null,
  transactionId: members.read(payload, 'transactionId', text),
  tenantId: members.read(payload, 'tenantId', text),
  tokensDeducted: members.read(payload, 'tokensDeducted', number),
  tds: members.read(payload, 'tds', number),
});

/** Reads what an event's payload says (docs/spec/provider.md). */
export const factsOf = (payload: OrderPayload): OrderFacts => {
  const members = new Members();
  const metaData = members.read(payload, 'metaData', object);
  // The rate and the commission stand in the completed event; elsewhere such a key is a custom pair
  // (docs/spec/provider.md, Rules, 3).
  const ofCompletion = (field: string): Decimal | null =>
    payload.eventType === 'onramp' && payload.status === 'completed' && metaData !== null
      ? members.readFilled(metaData, `metaData.${field}`, decimalText, field)
      : null;
  const key = keyOf(payload);
  const fiat = members.required('fiat', parseDecimal(numberText(payload.fiat)), ZERO);
  const chainId = members.required('chainId', parseDecimal(numberText(payload.chainId)), ZERO);
  const of = payload.eventType === 'onramp' ? onRampFacts(members, payload) : offRampFacts(members, payload);
  // Member by member: what is spread into an object takes as long to copy as all of this to read.
  return {
    flow: payload.eventType,
    orderId: key.orderId,
    status: key.status,
    utr: key.utr,
    fiat,
    currency: upperAscii(payload.currency),
    tokenSymbol: of.tokenSymbol,
    tokenAddress: of.tokenAddress,
    chainId,
    walletAddress: of.walletAddress,
    createdAt: of.createdAt,
    customer: customerFacts(members, payload),
    metaData,
    updatedAt: of.updatedAt,
    txnHash: of.txnHash,
    transferredAmount: of.transferredAmount,
    transferredAmountWei: of.transferredAmountWei,
    conversionRate: ofCompletion('conversionRate'),
    commission: ofCompletion('commission'),
    transactionId: of.transactionId,
    tenantId: of.tenantId,
    tokensDeducted: of.tokensDeducted,
    tds: of.tds,
    unreadable: members.unreadable,
  };
};
