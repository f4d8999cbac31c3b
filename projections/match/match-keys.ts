import { normalised, parseDecimal, type Decimal } from '../../src/domain/decimal.ts';
import { exactOf, minus, plainText, plus, ZERO, type Exact } from '../../src/domain/exact.ts';
import type { BusinessDay } from '../../src/domain/business-day.ts';
import { hexKey } from '../../src/domain/transfer.ts';
import type { MatchLine, MatchTransfer } from './match-index.ts';
import { dueOf, type MatchOrder } from './match-order.ts';
import type { MatchSettings } from '../../src/domain/match-settings.ts';
import { cutKeys, cutWords } from './cut-words.ts';
import { chiefWord, wordsOf } from './words.ts';

const amountOf = (amount: Decimal | null): Exact => (amount === null ? ZERO : exactOf(amount));

/** What the bank is to pay out, or to take in, for an order. */
export const bankAmount = (order: MatchOrder, { offRampFiat }: Pick<MatchSettings, 'offRampFiat'>): Exact => {
  const fiat = exactOf(order.fiat);
  if (order.flow === 'onramp' || offRampFiat === 'net') return fiat;
  return minus(fiat, plus(amountOf(order.tds), amountOf(order.commission)));
};

/** In which direction an order moves money at the bank. */
export const bankDirection = ({ flow }: MatchOrder): 'in' | 'out' => (flow === 'onramp' ? 'in' : 'out');

const dayKey = (currency: string, direction: string, amount: Decimal, day: string): string =>
  JSON.stringify([currency, direction, amount, day]);

/** Equal for orders without a utr and lines without a key that may belong together; null for an order that has one, or is not settled. */
export const orderDayKey = (order: MatchOrder, settings: Pick<MatchSettings, 'offRampFiat'>): string | null => {
  const due = dueOf(order);
  if (due === null || due === 'deemed' || order.settledDay === null) return null;
  if (order.payouts.some(({ utr }) => utr !== null)) return null;
  const amount = plainText(bankAmount(order, settings));
  return dayKey(order.currency, bankDirection(order), amount, order.settledDay);
};

/**
 * UPI has 12 digits, IMPS 12 to 16, NEFT and RTGS 16 to 22 letters and digits. Banks write letters right before them
 * (`UTR412345678901`), most often the name of the way of the payment, which has five at most.
 */
const DIGITS_OF_UTR = /\d{12}/;
const WORD_OF_UTR = /^[A-Za-z\d]{16,27}$/;

/** Whether a word may be a utr, or have one in it. One that begins with the day of the booking is a serial number. */
const mayBeUtr = (word: string, bookedOn: BusinessDay): boolean => {
  if (word.startsWith(bookedOn.replaceAll('-', ''))) return false;
  return DIGITS_OF_UTR.test(word) || (WORD_OF_UTR.test(word) && /\d/.test(word));
};

/**
 * Whether something of a line names a payment, whoever's it is. Banks write utrs where they name their own entry, and
 * in the text, also where they give no reference at all: where one stands there, the line may be somebody else's payment.
 */
const hasKey = ({ references, ownReferences = [], text, atWraps, bookedOn }: MatchLine): boolean => {
  const others = new Set([...ownReferences, ...(atWraps?.words ?? [])]);
  if (references.some((reference) => !others.has(reference))) return true;
  return [...references, text, ...(atWraps?.joints ?? [])].some(
    (said) =>
      wordsOf(said).some((word) => mayBeUtr(word, bookedOn)) || cutKeys(said).some((word) => mayBeUtr(word, bookedOn)),
  );
};

/** @see orderDayKey */
export const lineDayKey = (line: MatchLine): string | null => {
  if (hasKey(line) || line.reversal) return null;
  return dayKey(line.currency, line.direction, normalised(line.amount), line.bookedOn);
};

/** A transaction on its chain, in one spelling. */
const hashKey = (chainId: string, txnHash: string): string => `${chainId} ${hexKey(txnHash)}`;

export const orderHashKey = ({ chainId, txnHash }: MatchOrder): string | null =>
  txnHash === null || txnHash === '' ? null : hashKey(chainId, txnHash);

export const transferHashKey = ({ chainId, txnHash }: MatchTransfer): string =>
  hashKey(parseDecimal(String(chainId)) ?? '', txnHash);

/** Words that a line is found by, each once; also those that it may have in pieces. */
export const lineWords = ({ references, text, atWraps }: MatchLine): readonly string[] => [
  ...new Set(
    [text, ...references, ...(atWraps?.joints ?? [])].flatMap((said) => [...wordsOf(said), ...cutWords(said)]),
  ),
];

/** What an order is found by: its references, and the words that stand for its utrs in texts. */
export const orderReferences = ({ orderId, transactionId, payouts }: MatchOrder): readonly string[] => {
  const hasOther = transactionId !== null && transactionId !== '' && transactionId !== orderId;
  // Most orders have no payout.
  if (payouts.length === 0) return hasOther ? [orderId, transactionId] : [orderId];
  const utrs = payouts.flatMap(({ utr }) => (utr === null ? [] : [utr]));
  return [...new Set([...utrs, orderId, ...(hasOther ? [transactionId] : [])])];
};

export const orderWords = ({ payouts }: MatchOrder): readonly string[] =>
  payouts.length === 0
    ? NO_WORDS
    : [...new Set(payouts.flatMap(({ utr }) => (utr === null ? [] : (chiefWord(utr) ?? []))))];

const NO_WORDS: readonly string[] = [];
