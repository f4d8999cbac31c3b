import { parseBaseUnits, parseDecimal, type BaseUnits, type Decimal } from './decimal.ts';
import type { Flow } from './flow.ts';
import type { OrderId, Utr } from './ids.ts';
import { isRealTime, parseInstant, type Instant } from './instant.ts';
import { isJsonNumber, isJsonObject, member, numberText, type JsonObject, type JsonValue } from './json.ts';
import { keyOf } from './order-key.ts';
import type { OrderPayload } from './payload.ts';

export type CustomerFacts = {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly phone: JsonObject | null;
};

/**
 * What one event says of its order, as today's rules read it. Fields that may be absent are null where they are absent,
 * null or (texts apart) empty, and also where they are of another type, which `unreadable` then names by their path.
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

/** Reads members that may be absent, and gathers the paths of those that are of another type. */
class OptionalMembers {
  readonly unreadable: string[] = [];

  read<A>(object: JsonObject, path: string, parse: (value: JsonValue) => A | null): A | null {
    const value = member(object, path.slice(path.lastIndexOf('.') + 1));
    if (value === undefined || value === null || value === '') return null;
    return this.#noted(path, parse(value));
  }

  /** A string as it came, the empty one too. */
  readText(object: JsonObject, path: string): string | null {
    return member(object, path.slice(path.lastIndexOf('.') + 1)) === '' ? '' : this.read(object, path, text);
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

const required = <A>(value: A | null, field: string): A => {
  if (value === null) throw new TypeError(`payload codec let an unreadable ${field} through`);
  return value;
};

const customerFacts = (members: OptionalMembers, payload: OrderPayload): CustomerFacts => {
  const { customer } = payload;
  const email = members.readText(customer, 'customer.email');
  const name = members.readText(customer, 'customer.name');
  const phone = members.read(customer, 'customer.phone', object);
  if (phone !== null) {
    members.read(phone, 'customer.phone.countrycode', text);
    members.read(phone, 'customer.phone.number', text);
  }
  members.read(customer, 'customer.created_at', text);
  return { id: customer.id, email, name, phone };
};

/** Reads what an event's payload says (interface.md, Resources and their fields). */
export const factsOf = (payload: OrderPayload): OrderFacts => {
  const members = new OptionalMembers();
  const onRamp = payload.eventType === 'onramp';
  const forFlow = <A>(flow: Flow, field: string, parse: (value: JsonValue) => A | null): A | null =>
    payload.eventType === flow ? members.read(payload, field, parse) : null;
  const metaData = members.read(payload, 'metaData', object);
  // The rate and the commission stand in the completed event; elsewhere such a key is a custom pair (interface.md, Rules 3).
  const ofCompletion = (field: string): Decimal | null =>
    onRamp && payload.status === 'completed' && metaData !== null
      ? members.read(metaData, `metaData.${field}`, decimalText)
      : null;
  const updatedAt = members.read(payload, 'updated_at', instant);
  return {
    ...keyOf(payload),
    flow: payload.eventType,
    fiat: required(parseDecimal(numberText(payload.fiat)), 'fiat'),
    currency: payload.currency.toUpperCase(),
    chainId: required(parseDecimal(numberText(payload.chainId)), 'chainId'),
    ...(payload.eventType === 'onramp'
      ? {
          tokenSymbol: payload.buyTokenSymbol,
          tokenAddress: payload.buyTokenAddress,
          walletAddress: payload.receiverWalletAddress,
          createdAt: required(parseInstant(payload.createdAt), 'createdAt'),
        }
      : {
          tokenSymbol: payload.sellTokenSymbol,
          tokenAddress: payload.sellTokenAddress,
          walletAddress: payload.senderWalletAddress,
          createdAt: required(parseInstant(payload.created_at), 'created_at'),
        }),
    customer: customerFacts(members, payload),
    metaData,
    updatedAt: updatedAt !== null && isRealTime(updatedAt) ? updatedAt : null,
    txnHash: forFlow('onramp', 'txnHash', text),
    transferredAmount: forFlow('onramp', 'transferredAmount', decimalText),
    transferredAmountWei: forFlow('onramp', 'transferredAmountWei', baseUnitsText),
    conversionRate: ofCompletion('conversionRate'),
    commission: ofCompletion('commission'),
    transactionId: onRamp ? null : members.readText(payload, 'transactionId'),
    tenantId: onRamp ? null : members.readText(payload, 'tenantId'),
    tokensDeducted: forFlow('offramp', 'tokensDeducted', number),
    tds: forFlow('offramp', 'tds', number),
    unreadable: members.unreadable,
  };
};
