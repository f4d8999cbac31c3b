import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { Recent } from '../../domain/recent.ts';
import { nestsWithin } from '../../domain/nesting.ts';
import { parseNatively } from '../../domain/parse-json.ts';
import { isKeyOfAMatch } from '../../domain/key-of-a-match.ts';
import { isPersonalKey } from '../../domain/personal-key.ts';
import { readExactly } from '../../domain/read-exactly.ts';
import { isEmailAddress, withMaskedEmails } from './email-addresses.ts';
import { hasPersonalMember } from './pieces-of-json.ts';
import { isShortAndNoJson } from './short-json.ts';

const MASK = '***';

/** A utr, a wallet or a hash has no blank in it. */
const BLANK = /\s/;

/** Nor is one without a digit, which any person's name is; it is what such a thing is told by where people are spoken of. */
const DIGIT = /\d/;

/** A key that reads like a field's name, not like a phone or account number or a person. */
const FIELD_NAME = /^[A-Za-z_$][\w$-]*$/;

/** One that reads like no account's or document's number either (`DE8937…`, `K1234567`). */
const PLAIN_NAME = /^[A-Za-z_$](?:[A-Za-z_$-]|\d{1,2}(?!\d))*$/;

/** What the keys above a value say about it. */
type Place = {
  /** `all`: inside the customer, where nothing but id and creation time is shown. */
  readonly personal: 'no' | 'yes' | 'all';
  /** `all`: a utr, wallet or hash of the interface itself, whatever is in it. */
  readonly kept: 'no' | 'yes' | 'all';
};

const TOP: Place = { personal: 'no', kept: 'no' };
const CUSTOMER: Place = { personal: 'all', kept: 'no' };
const OF_THE_INTERFACE: Place = { personal: 'no', kept: 'all' };

/** What orders are matched and found by, under the provider's names and ours: it is the same text wherever it stands. */
const MATCHED: ReadonlySet<string> = new Set([
  'utr',
  'transactionHash',
  'txnHash',
  'walletAddress',
  'receiverWalletAddress',
  'senderWalletAddress',
]);

/** What a key says of what stands under it, at the top, and below what is personal. */
type Under = {
  readonly top: Place;
  readonly personal: Place;
  readonly isFieldName: boolean;
  readonly isPlainName: boolean;
};

const underKey = (key: string): Under => {
  const isPersonal = isPersonalKey(key);
  // Somebody's address as a key names no utr, whatever words are in it.
  const kept = !isPersonal && !key.includes('@') && isKeyOfAMatch(key) ? 'yes' : 'no';
  return {
    top: { personal: isPersonal ? 'yes' : 'no', kept },
    personal: { personal: 'yes', kept },
    isFieldName: FIELD_NAME.test(key),
    isPlainName: PLAIN_NAME.test(key),
  };
};

/** Merchants' own keys are among them, thousands in one body; longer ones are looked at each time. */
const MOST_KEYS = 20_000;
const LONGEST_KEY = 100;

/** What keys say, which are the same in every order: finding it takes ten times as long as the rest of a mask. */
const under = new Recent<string, Under>(MOST_KEYS);

const saidBy = (key: string): Under => {
  const known = under.get(key);
  if (known !== undefined) return known;
  const said = underKey(key);
  if (key.length <= LONGEST_KEY) under.put(key, said);
  return said;
};

const placeUnder = (place: Place, key: string): Place =>
  place.personal === 'all' ? place : saidBy(key)[place.personal === 'yes' ? 'personal' : 'top'];

const placeAtTop = (key: string): Place => (MATCHED.has(key) ? OF_THE_INTERFACE : placeUnder(TOP, key));

/** Levels of JSON in a text that are looked into, as of a body. */
const DEEPEST = 64;

/** A text without the blanks and byte order mark around it where it may be JSON of a text, an object or an array. */
const jsonText = (text: string): string | null => {
  const plain = text.trim();
  return /^[[{"]/.test(plain) ? plain : null;
};

/**
 * A text that is JSON, as some payloads hold one in another, masked like what it holds; null for any other text. A member
 * that a later one of its name hides from the parser stands in the text all the same.
 */
const maskedJson = (text: string, place: Place): string | null => {
  const plain = jsonText(text);
  // Nobody looks through what nests deeper than a body may.
  if (plain !== null && !nestsWithin(plain, DEEPEST)) return MASK;
  const value = plain === null || isShortAndNoJson(plain) ? undefined : parseNatively(plain);
  if (plain === null || value === undefined) return null;
  // What the native parser would lose, digits of a number or a member that another hides, is read exactly. What is held
  // is masked once, however it is read: it may be such a text itself, and done twice it would double with each level.
  const { value: held, contradictions } =
    JSON.stringify(value) === plain ? { value, contradictions: [] } : readExactly(plain);
  const shown = JSON.stringify(maskedValue(held, place));
  return contradictions.length === 0 && shown === JSON.stringify(held) ? text : shown;
};

/** What is masked by itself holds one of these: what at signs are written with, or what JSON of more than a word begins with. */
const MAY_HOLD_ADDRESS = /[@\uFF20\uFE6B\u{E0040}%\\&=[{"]/u;

const isKept = (text: string, { personal, kept }: Place): boolean =>
  kept === 'all' || (kept === 'yes' && !BLANK.test(text) && (personal === 'no' || DIGIT.test(text)));

const maskedText = (text: string, place: Place): string => {
  const { personal } = place;
  if (personal === 'no' && !MAY_HOLD_ADDRESS.test(text)) return text;
  const kept = isKept(text, place);
  if (kept || personal === 'no') {
    const json = maskedJson(text, place);
    if (json !== null) return json;
    if (hasPersonalMember(text)) return MASK;
    return personal === 'no' && kept ? text : withMaskedEmails(text);
  }
  return text === '' || isEmailAddress(text) ? withMaskedEmails(text) : MASK;
};

/** Such a key is shown as it is: it has nothing in it that an at sign is written with, and is no number of somebody's where people are spoken of. */
const isShownAsIs = (key: string, { personal }: Place): boolean =>
  personal === 'no' ? saidBy(key).isFieldName : saidBy(key).isPlainName;

const maskedKey = (key: string, place: Place): string => {
  if (isShownAsIs(key, place)) return key;
  // Anything may be a name, as a provider's status is in a report: JSON there is looked into as in a value.
  return place.personal === 'no' ? (maskedJson(key, TOP) ?? withMaskedEmails(key)) : MASK;
};

/** Gives each key a name of its own: two can be masked alike, and their values are kept apart. */
export const distinctNames = (): ((name: string) => string) => {
  const times = new Map<string, number>();
  return (name) => {
    const before = times.get(name) ?? 0;
    times.set(name, before + 1);
    return before === 0 ? name : `${name} (${before + 1})`;
  };
};

/** Its members under the names that they are shown by. */
const renamed = (object: JsonObject, place: Place, entry: (key: string, value: JsonValue) => JsonValue): JsonObject => {
  const named = distinctNames();
  // fromEntries defines members, so a member named __proto__ stays one.
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [named(maskedKey(key, place)), entry(key, value)]),
  );
};

/** The object itself where nothing of it changes, as of most of an order: only what is masked is made anew. */
const mapObject = (
  object: JsonObject,
  place: Place,
  entry: (key: string, value: JsonValue) => JsonValue,
): JsonObject => {
  const keys = Object.keys(object);
  if (!keys.every((key) => isShownAsIs(key, place))) return renamed(object, place, entry);
  let made: Record<string, JsonValue> | null = null;
  for (const key of keys) {
    const value = object[key];
    const shown = value === undefined ? undefined : entry(key, value);
    if (shown === undefined || shown === value) continue;
    // The copy has all members of its own, so a member named __proto__ stays one.
    made ??= { ...object };
    made[key] = shown;
  }
  return made ?? object;
};

const mapArray = (array: readonly JsonValue[], entry: (value: JsonValue) => JsonValue): readonly JsonValue[] => {
  const mapped = array.map(entry);
  return mapped.every((value, i) => value === array[i]) ? array : mapped;
};

const maskedValue = (value: JsonValue, place: Place): JsonValue => {
  if (typeof value === 'string') return maskedText(value, place);
  if (isJsonNumber(value)) return place.personal === 'no' || place.kept !== 'no' ? value : MASK;
  if (typeof value !== 'object' || value === null) return value;
  return isJsonObject(value)
    ? mapObject(value, place, (key, inner) => maskedValue(inner, placeUnder(place, key)))
    : mapArray(value, (inner) => maskedValue(inner, place));
};

const maskedCustomer = (customer: JsonValue): JsonValue =>
  isJsonObject(customer)
    ? mapObject(customer, CUSTOMER, (key, value) =>
        maskedValue(value, key === 'id' || key === 'created_at' ? TOP : CUSTOMER),
      )
    : maskedValue(customer, CUSTOMER);

/**
 * A payload, or an order as it is shown, for a caller without `pii:read` (docs/spec/http.md, Personal data). Masked
 * are: all of `customer` but `id` and `created_at`; e-mail addresses anywhere, in keys too; strings and numbers at any
 * depth, in texts that are JSON too, under keys that name personal data, unless the key nearest to them names a utr, a wallet or a hash. `orderId`
 * is left alone: the caller asked by it. An object of the ledger's own keeps its shape: its personal members are texts,
 * or of any shape.
 */
export function masked<A extends JsonObject>(object: A): A;
export function masked(object: JsonObject): JsonObject {
  return mapObject(object, TOP, (key, value) => {
    if (key === 'orderId') return value;
    return key === 'customer' ? maskedCustomer(value) : maskedValue(value, placeAtTop(key));
  });
}

/** A value of the field of an order that a path like `customer.phone.number` or `walletAddress` names. */
export const maskedFact = (path: string, value: string): string => {
  const [top = '', ...inner] = path.split('.');
  if (top === 'customer' && inner.join('.') !== 'id') return maskedText(value, CUSTOMER);
  return maskedText(value, inner.reduce(placeUnder, placeAtTop(top)));
};

/** A text of a field that names nobody, as a currency or a note, in which anything may stand: an e-mail address, or JSON with more. */
export const maskedPlainText = (text: string): string => maskedText(text, TOP);

/** Such a path itself: the members of a phone have whatever names came. */
export const maskedPath = (path: string): string =>
  path.split('.').every((key) => FIELD_NAME.test(key)) ? path : `${path.split('.').slice(0, 2).join('.')}.${MASK}`;

const ARRAY_INDEX = /^\d{1,4}$/;

/** The path of a member of any body: shown where each part of it reads like a field's name or an array's index, empty for the body itself. */
export const maskedMemberPath = (path: string): string =>
  path === '' || path.split('.').every((key) => FIELD_NAME.test(key) || ARRAY_INDEX.test(key)) ? path : MASK;

const valueOfPlainTexts = (value: JsonValue): JsonValue => {
  if (typeof value === 'string') return maskedPlainText(value);
  if (typeof value !== 'object' || value === null || isJsonNumber(value)) return value;
  return isJsonObject(value) ? maskedPlainTexts(value) : mapArray(value, valueOfPlainTexts);
};

/** An object of such texts alone, whatever its keys: a report, say. */
export function maskedPlainTexts<A extends JsonObject>(object: A): A;
export function maskedPlainTexts(object: JsonObject): JsonObject {
  return mapObject(object, TOP, (_, value) => valueOfPlainTexts(value));
}
