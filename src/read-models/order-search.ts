import { isJsonNumber, member, numberText, type JsonObject } from '../domain/json.ts';
import { isPersonalKey } from '../domain/personal-key.ts';
import { phoneNumber } from '../domain/phone-number.ts';
import { shortDigestBehind } from '../domain/short-digest.ts';
import type { ProjectedOrder } from './projected-order.ts';

/** A search for orders (docs/spec/http.md, Search). */
export type OrderSearch = {
  readonly text: string;
  /** Whether the caller may see personal data: who may not is shown nothing that is found by it. */
  readonly personal: boolean;
  /** Whether something in the text is masked wherever it stands: an address, or a member of JSON that names a person. */
  readonly holdsMasked: boolean;
  /** Only by what the match shows of orders: whoever may not read them learns nothing of the rest. Left out: by all of it. */
  readonly inMatch?: true;
};

const digitsOf = (text: string): string => (/^\d*$/.test(text) ? text : text.replaceAll(/\D/g, ''));

/** The one spelling in which texts are indexed, and compared where letter case makes no difference. */
const folded = (text: string): string => text.toLowerCase();

/** The term of an order with this reference, where nothing but references is searched. */
export const utrTerm: (utr: string) => number = shortDigestBehind('utr ');

/** The term of a text of some kind: none of another kind has it, whatever is in the text. */
const termOf = (kind: string): ((text: string) => number) => {
  const term = shortDigestBehind(`${kind} `);
  return (text) => term(folded(text));
};

/** Texts that are shown to everybody as they are: utr, hash, wallet. */
const openTerm = termOf('open');
/** The transaction id, which the match shows too, but for what is masked in it. */
const transactionTerm = termOf('transaction');
/** Texts that are shown to whoever reads orders, but for what is masked in them. */
const textTerm = termOf('text');
/** Texts that are shown to those alone who may see personal data. */
const personalTerm = termOf('personal');

const phonePart = (phone: JsonObject, key: string): string => {
  const part = member(phone, key);
  if (typeof part === 'string') return part;
  return isJsonNumber(part) ? numberText(part) : '';
};

/** The digits of a customer's number, with and without the country code. */
const phoneNumbers = (phone: JsonObject | null): readonly string[] => {
  if (phone === null) return [];
  const written = phonePart(phone, 'number').trim();
  const [code, number] = [digitsOf(phonePart(phone, 'countrycode')), digitsOf(written)];
  if (number === '') return [];
  if (code === '') return [number];
  // The number may repeat the country code.
  const isWhole = written.startsWith('+') && number.startsWith(code);
  return isWhole ? [number, number.slice(code.length)] : [number, code + number];
};

/** A text that stands directly in the metadata, and whether its key names personal data. */
type MetaText = { readonly text: string; readonly isPersonal: boolean };

const metaTexts = (metaData: JsonObject): readonly MetaText[] => {
  const texts: MetaText[] = [];
  for (const [key, text] of Object.entries(metaData)) {
    if (typeof text === 'string' && text !== '') texts.push({ text, isPersonal: isPersonalKey(key) });
  }
  return texts;
};

/** So many are compared with each other in less time than a set takes. */
const FEW_TERMS = 32;

const distinct = (terms: readonly number[]): readonly number[] =>
  terms.length > FEW_TERMS ? [...new Set(terms)] : terms.filter((term, i) => terms.indexOf(term) === i);

/**
 * Everything that an order is indexed by, but for its id, which is a key of its own: short digests of texts, each once, by who
 * may find it. Nobody is led to an order by what they may not see: comparing it then would find nothing, and take longer
 * where there is something to compare.
 */
export const searchTerms = ({ state, otherUtrs }: ProjectedOrder): readonly number[] => {
  const { txnHash, transactionId, walletAddress, customer, payouts, metaData } = state;
  const terms: number[] = [];
  const add = (term: (text: string) => number, text: string | null): void => {
    if (text !== null && text !== '') terms.push(term(text));
  };
  // The match shows none but those of payouts.
  for (const utr of otherUtrs) terms.push(utrTerm(utr));
  for (const { utr } of payouts) {
    if (utr === null) continue;
    terms.push(utrTerm(utr));
    add(openTerm, utr);
  }
  add(openTerm, txnHash);
  add(openTerm, walletAddress);
  add(transactionTerm, transactionId);
  add(textTerm, customer.id);
  add(personalTerm, customer.email);
  for (const number of phoneNumbers(customer.phone)) add(personalTerm, number);
  for (const { text, isPersonal } of metaTexts(metaData)) add(isPersonal ? personalTerm : textTerm, text);
  return distinct(terms);
};

/** The terms under which what a search finds is indexed, for who asks. */
export const searchedTerms = ({ text, personal, holdsMasked, inMatch }: OrderSearch): ReadonlySet<number> => {
  const terms = new Set([openTerm(text)]);
  if (personal || !holdsMasked) terms.add(transactionTerm(text));
  if (inMatch === true) return terms;
  terms.add(utrTerm(text));
  if (personal || !holdsMasked) terms.add(textTerm(text));
  if (personal) {
    terms.add(personalTerm(text));
    const phone = phoneNumber(text);
    if (phone !== null) terms.add(personalTerm(phone.digits));
  }
  return terms;
};

const hasNumber = (phone: JsonObject | null, text: string): boolean => {
  const asked = phoneNumber(text);
  return asked !== null && phoneNumbers(phone).includes(asked.digits);
};

const isAlike = (a: string | null, b: string): boolean => a !== null && folded(a) === folded(b);

/**
 * Whether a search finds an order; by personal data, and by what is masked of other texts, only for those who may see it:
 * whoever may not could guess it.
 */
export const isFoundBy = (
  { state, otherUtrs }: ProjectedOrder,
  { text, personal, holdsMasked, inMatch }: OrderSearch,
): boolean => {
  const { orderId, txnHash, transactionId, walletAddress, customer, payouts, metaData } = state;
  const isShown = personal || !holdsMasked;
  const isInMatch =
    orderId === text ||
    payouts.some(({ utr }) => utr === text) ||
    isAlike(txnHash, text) ||
    isAlike(walletAddress, text) ||
    (isShown && transactionId === text);
  if (isInMatch || inMatch === true) return isInMatch;
  return (
    otherUtrs.some((utr) => utr === text) ||
    (isShown && customer.id === text) ||
    (personal && isAlike(customer.email, text)) ||
    (personal && hasNumber(customer.phone, text)) ||
    metaTexts(metaData).some((meta) => (meta.isPersonal ? personal : isShown) && meta.text === text)
  );
};
