import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { parseDecimal, isNegative } from './decimal.ts';
import type { Flow } from './flow.ts';
import { isOrderId, type OrderId } from './ids.ts';
import { parseInstant } from './instant.ts';
import {
  isJsonNumber,
  isJsonObject,
  member,
  numberText,
  type JsonNumber,
  type JsonObject,
  type JsonValue,
} from './json.ts';
import type { Reason } from './reason.ts';

/**
 * The wire's codecs: what must be readable for a delivery to be an order event (docs/spec/domain.md, What must be
 * readable). They check and keep; nothing is converted, and members beyond them stay as they came. A codec's name says
 * what is expected, since it ends up in the reasons of a quarantined delivery; its schema says the same to the OpenAPI
 * document.
 */
class Checked<A> extends t.Type<A> {
  readonly schema: JsonObject;

  constructor(expected: string, is: t.Is<A>, schema: JsonObject) {
    super(expected, is, (u, c) => (is(u) ? t.success(u) : t.failure(u, c)), t.identity);
    this.schema = schema;
  }
}

const checked = <A>(expected: string, is: t.Is<A>, schema: JsonObject): t.Type<A> =>
  new Checked(expected, is, { description: expected, ...schema });

const isText = (u: unknown): u is string => typeof u === 'string' && u !== '' && !u.includes('\0');

/** A double between these is written without an exponent and with few digits. Its text need not be checked. */
const [LEAST_PLAIN, MOST_PLAIN] = [1e-6, 1e21];

const isReadableNumber = (u: unknown): u is JsonNumber => {
  if (typeof u === 'number' && (u === 0 || (Math.abs(u) >= LEAST_PLAIN && Math.abs(u) < MOST_PLAIN))) return true;
  return isJsonNumber(u) && parseDecimal(numberText(u)) !== null;
};

const isFiat = (u: unknown): u is JsonNumber =>
  typeof u === 'number' ? u >= 0 && isReadableNumber(u) : isReadableNumber(u) && !isNegativeNumber(u);

const isNegativeNumber = (value: JsonNumber): boolean => {
  const decimal = parseDecimal(numberText(value));
  return decimal !== null && isNegative(decimal);
};

const OrderIdText = checked(
  'a well-formed string of 1 to 200 characters without U+0000',
  (u): u is OrderId => typeof u === 'string' && isOrderId(u),
  { type: 'string', minLength: 1, maxLength: 200 },
);
const Text = checked('a non-empty string without U+0000', isText, { type: 'string', minLength: 1 });
const AnyString = checked('a string', (u): u is string => typeof u === 'string', { type: 'string' });
const Fiat = checked('a number of 0 or more with at most 78 digits before and 36 after the point', isFiat, {
  type: 'number',
  minimum: 0,
});
const ChainId = checked('a number with at most 78 digits before and 36 after the point', isReadableNumber, {
  type: 'number',
});
const Timestamp = checked(
  'an ISO 8601 timestamp',
  (u): u is string => typeof u === 'string' && parseInstant(u) !== null,
  { type: 'string' },
);
const Utr = checked('a string, null or nothing', (u): u is string | null => u === null || typeof u === 'string', {
  type: ['string', 'null'],
});
const AnyObject = checked('an object', isJsonObject, { type: 'object' });

const Customer = t.intersection([AnyObject, t.type({ id: AnyString })]);

const ofBothFlows = {
  orderId: OrderIdText,
  status: Text,
  fiat: Fiat,
  currency: Text,
  chainId: ChainId,
  customer: Customer,
};

/** A member that may be absent has to stand in `t.partial`: `is` of a `t.type` refuses an object without it. */
const OptionalMembers = t.partial({ utr: Utr });

/** What both payloads have in common. A payload whose flow is unknown is checked against this alone. */
const SomePayload = t.intersection([AnyObject, t.type(ofBothFlows), OptionalMembers]);

/** docs/spec/provider.md, On-ramp payload. */
export const OnRampPayload = t.intersection(
  [
    AnyObject,
    t.type({
      ...ofBothFlows,
      eventType: t.literal('onramp'),
      receiverWalletAddress: AnyString,
      buyTokenSymbol: AnyString,
      buyTokenAddress: AnyString,
      createdAt: Timestamp,
    }),
    OptionalMembers,
  ],
  'OnRampPayload',
);

/** docs/spec/provider.md, Off-ramp payload. */
export const OffRampPayload = t.intersection(
  [
    AnyObject,
    t.type({
      ...ofBothFlows,
      eventType: t.literal('offramp'),
      senderWalletAddress: AnyString,
      sellTokenSymbol: AnyString,
      sellTokenAddress: AnyString,
      created_at: Timestamp,
    }),
    OptionalMembers,
  ],
  'OffRampPayload',
);

export type OnRampPayload = t.TypeOf<typeof OnRampPayload>;
export type OffRampPayload = t.TypeOf<typeof OffRampPayload>;

/** A payload from which an order event can be made, with every member that came. */
export type OrderPayload = OnRampPayload | OffRampPayload;

const CODECS: Readonly<Record<Flow, t.Decoder<unknown, OrderPayload> & { readonly is: t.Is<OrderPayload> }>> = {
  onramp: OnRampPayload,
  offramp: OffRampPayload,
};

const kindOf = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (isJsonNumber(value)) return 'a number';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

const problem = (expected: string, value: unknown): string => {
  const kind = kindOf(value);
  return expected.startsWith(kind) ? `expected ${expected}` : `expected ${expected}, got ${kind}`;
};

/** The path of an error, made of member names alone: io-ts puts the index of each part of an intersection into it too. */
const pathOf = (context: t.Context): string =>
  context
    .filter((_, i) => i > 0 && !(context[i - 1]?.type instanceof t.IntersectionType))
    .map((entry) => entry.key)
    .join('.');

/** One reason for each path. Where an object is of the wrong type itself, there is no reason for its members. */
const reasonsOf = (errors: t.Errors): readonly Reason[] => {
  const reasons = errors.map(({ context, value }) => ({
    path: pathOf(context),
    message: problem(context.at(-1)?.type.name ?? 'something else', value),
  }));
  return reasons.filter(
    ({ path }, i) =>
      reasons.findIndex((other) => other.path === path) === i &&
      !reasons.some((outer) => path.startsWith(`${outer.path}.`)),
  );
};

/**
 * The order event that a parsed body holds, or what is wrong with it, field by field. `is` of the codec decides, since
 * it builds nothing; only what is refused is validated once more for its reasons.
 */
export const readPayload = (value: JsonValue): E.Either<readonly Reason[], OrderPayload> => {
  if (!isJsonObject(value)) return E.left([{ path: '', message: problem('an object', value) }]);
  const eventType = member(value, 'eventType');
  if (eventType !== 'onramp' && eventType !== 'offramp') {
    const others = E.getOrElseW(reasonsOf)(E.map(() => [])(SomePayload.decode(value)));
    return E.left([{ path: 'eventType', message: problem('"onramp" or "offramp"', eventType) }, ...others]);
  }
  const codec = CODECS[eventType];
  return codec.is(value) ? E.right(value) : E.mapLeft(reasonsOf)(codec.decode(value));
};

/** The order id in a body that is no order event; null where there is none that can be used. */
export const orderIdIn = (value: JsonValue): OrderId | null => {
  const id = isJsonObject(value) ? member(value, 'orderId') : null;
  return typeof id === 'string' && isOrderId(id) ? id : null;
};
