import { Big } from 'big.js';
import type { BusinessDay } from '../../domain/business-day.ts';
import type { Random } from '../random.ts';
import { randomUtr } from '../random-ids.ts';
import { laterDay, type BankEntry } from './bank-entry.ts';
import type { MoneyFault, MoneyFaults } from './money-fault.ts';
import type { MoneyOrder } from './money-order.ts';

/** What bank and chain make of orders: which faults they have, and by whose calendar days are told. */
export type MoneyScene = {
  readonly random: Random;
  readonly faults: MoneyFaults;
  readonly dayOf: (epochMs: number) => BusinessDay;
};

const OF_PAYOUT: readonly MoneyFault[] = [
  'bank-missing',
  'bank-doubled',
  'bank-paisa',
  'bank-late',
  'bank-reversed',
  'bank-together',
  'bank-split',
  'bank-deducted',
  'bank-currency',
];
const OF_COLLECTION: readonly MoneyFault[] = ['bank-missing', 'bank-doubled', 'bank-paisa', 'bank-deducted'];

/** Of so many orders one has a fault, on average. */
const FAULTY_ONE_IN = 6;
const UNKNOWN_ONE_IN = 20;
const NEXT_DAY_ONE_IN = 5;
const LATE_DAYS = 5;
const PAISA = new Big('0.01');
const FEE = new Big(5);

/** What may be wrong with an order's line. A payout without a utr is found by amount and day alone. */
const possible = ({ flow, phase, paid, failed }: MoneyOrder): readonly MoneyFault[] => {
  if (flow === 'onramp') return OF_COLLECTION;
  if (paid.length === 0) return phase === 'failed' && failed.length > 0 ? ['bank-failed-paid'] : [];
  const [utr] = paid;
  return paid.length === 1 && utr !== null ? OF_PAYOUT : ['bank-missing'];
};

/** The fault of an order at the bank; it does not hang on what other orders there are. */
const bankFaultOf = (order: MoneyOrder, { random, faults }: MoneyScene): MoneyFault | null => {
  const own = random.derived(`bank/${order.orderId}/fault`);
  const [first, ...more] = possible(order).filter((fault) => faults.has(fault));
  if (first === undefined || !own.onceIn(FAULTY_ONE_IN)) return null;
  return own.pick([first, ...more]);
};

/** What a fee, or the tax, or the commission makes less of an amount. Banks move hundredths, and nothing smaller. */
const deductionOf = ({ flow, figures }: MoneyOrder): Big => {
  const charge = flow === 'onramp' ? figures.commission : figures.tds;
  const amount = charge === null ? new Big(0) : new Big(charge);
  const isExact = amount.gt(0) && amount.lt(figures.fiat) && amount.round(2).eq(amount);
  return isExact ? amount : new Big(figures.fiat).gt(FEE) ? FEE : PAISA;
};

const otherCurrency = (currency: string): string => (currency === 'EUR' ? 'AED' : 'EUR');

/** The ways in which a bank tells a payout's reference: in a field of its own, or in what it writes beside. */
const payoutTold = (utr: string | null, random: Random): Pick<BankEntry, 'namedBy' | 'reference' | 'text'> => {
  if (utr === null) return { namedBy: 'amount-and-day', reference: null, text: 'PAYOUT' };
  return random.onceIn(3)
    ? { namedBy: 'utr-in-text', reference: null, text: `NEFT-${utr}-OFFRAMP PAYOUT` }
    : { namedBy: 'utr', reference: utr, text: 'OFFRAMP PAYOUT' };
};

const payoutLines = (
  order: MoneyOrder,
  utr: string | null,
  fault: MoneyFault | null,
  settledOn: BusinessDay,
  random: Random,
): readonly BankEntry[] => {
  const { orderId, figures } = order;
  const amount = new Big(figures.fiat);
  const isNextDay = random.onceIn(NEXT_DAY_ONE_IN) && utr !== null;
  const line: BankEntry = {
    orderIds: [orderId],
    ...payoutTold(utr, random),
    currency: figures.currency,
    bookedOn: laterDay(settledOn, fault === 'bank-late' ? LATE_DAYS : isNextDay ? 1 : 0),
    amount,
    direction: 'out',
    reversal: false,
  };
  const isLess = random.onceIn(2) && amount.gt(PAISA);
  const part = amount.times('0.4').round(2);
  const back = { ...line, bookedOn: laterDay(line.bookedOn, 1), direction: 'in', reversal: true } as const;
  const lines: Partial<Record<MoneyFault, readonly BankEntry[]>> = {
    'bank-missing': [],
    'bank-doubled': [line, line],
    'bank-paisa': [{ ...line, amount: isLess ? amount.minus(PAISA) : amount.plus(PAISA) }],
    'bank-reversed': [line, { ...back, text: `${line.text} RETURNED` }],
    'bank-split': [part, amount.minus(part)].map((its) => ({ ...line, amount: its })),
    'bank-deducted': [{ ...line, amount: amount.minus(deductionOf(order)) }],
    'bank-currency': [{ ...line, currency: otherCurrency(figures.currency) }],
  };
  return (fault === null ? undefined : lines[fault]) ?? [line];
};

/** What the customer paid in stands at the bank with the order's id, and so does what was paid back since. */
const collectionLines = (order: MoneyOrder, fault: MoneyFault | null, settledOn: BusinessDay): readonly BankEntry[] => {
  const amount = new Big(order.figures.fiat);
  const line: BankEntry = {
    orderIds: [order.orderId],
    namedBy: 'reference',
    currency: order.figures.currency,
    bookedOn: settledOn,
    amount,
    direction: 'in',
    reversal: false,
    reference: order.orderId,
    text: 'COLLECTION',
  };
  const lines: Partial<Record<MoneyFault, readonly BankEntry[]>> = {
    'bank-missing': [],
    'bank-doubled': [line, line],
    'bank-paisa': [{ ...line, amount: amount.plus(PAISA) }],
    'bank-deducted': [{ ...line, amount: amount.minus(deductionOf(order)) }],
  };
  const paidIn = (fault === null ? undefined : lines[fault]) ?? [line];
  if (order.phase !== 'refunded') return paidIn;
  return [...paidIn, { ...line, bookedOn: laterDay(settledOn, 1), direction: 'out', text: 'REFUND' }];
};

const unknownLine = (currency: string, bookedOn: BusinessDay, random: Random): BankEntry => ({
  orderIds: [],
  namedBy: null,
  currency,
  bookedOn,
  amount: new Big(random.below(90_000) + 1_000).times('0.01'),
  direction: random.onceIn(3) ? 'in' : 'out',
  reversal: false,
  reference: randomUtr(random),
  text: 'TRANSFER',
});

const ownLines = (order: MoneyOrder, fault: MoneyFault | null, scene: MoneyScene): readonly BankEntry[] => {
  const random = scene.random.derived(`bank/${order.orderId}/lines`);
  const { flow, settledAtMs, createdAtMs, paid, failed } = order;
  if (fault === 'bank-failed-paid') {
    const [utr = null] = failed;
    return payoutLines(order, utr, fault, laterDay(scene.dayOf(createdAtMs), 1), random);
  }
  if (settledAtMs === null) return [];
  const settledOn = scene.dayOf(settledAtMs);
  return flow === 'onramp'
    ? collectionLines(order, fault, settledOn)
    : paid.flatMap((utr) => payoutLines(order, utr, fault, settledOn, random));
};

/** An order, and what is wrong with it at the bank. */
type Told = { readonly order: MoneyOrder; readonly fault: MoneyFault | null };

/** One line for two payouts, whose utrs stand in its text. */
const togetherLine = (orders: readonly MoneyOrder[], scene: MoneyScene): BankEntry | null => {
  const [first] = orders;
  if (first === undefined || first.settledAtMs === null) return null;
  const utrs = orders.flatMap(({ paid: [utr] }) => utr ?? []);
  return {
    orderIds: orders.map(({ orderId }) => orderId),
    namedBy: 'utr-in-text',
    currency: first.figures.currency,
    bookedOn: scene.dayOf(first.settledAtMs),
    amount: orders.reduce((sum, { figures }) => sum.plus(figures.fiat), new Big(0)),
    direction: 'out',
    reversal: false,
    reference: null,
    text: `BULK ${utrs.join(' ')}`,
  };
};

/** Payouts that go out together: one that is to, and the first other of its day and currency with which nothing is wrong. */
const pairsOf = (told: readonly Told[], { dayOf }: MoneyScene): readonly (readonly [MoneyOrder, MoneyOrder])[] => {
  const ofDay = Map.groupBy(
    told.filter(({ order: { paid, settledAtMs } }) => settledAtMs !== null && paid.length === 1 && paid[0] !== null),
    ({ order: { settledAtMs, figures } }) => `${figures.currency} ${dayOf(settledAtMs ?? 0)}`,
  );
  return [...ofDay.values()].flatMap((its) => {
    const plain = its.filter(({ fault }) => fault === null);
    return its
      .filter(({ fault }) => fault === 'bank-together')
      .flatMap(({ order }) => {
        const partner = plain.shift();
        return partner === undefined ? [] : [[order, partner.order] as const];
      });
  });
};

/** All that the bank ever books for orders, whatever day it is. */
export const bankEntries = (orders: readonly MoneyOrder[], scene: MoneyScene): readonly BankEntry[] => {
  const told = orders.map((order) => ({ order, fault: bankFaultOf(order, scene) }));
  const pairs = pairsOf(told, scene);
  const paired = new Set(pairs.flat());
  const together = pairs.flatMap((pair) => togetherLine(pair, scene) ?? []);
  const alone = told
    .filter(({ order }) => !paired.has(order))
    .flatMap(({ order, fault }) => ownLines(order, fault, scene));
  const unknown = orders.flatMap(({ orderId, figures, settledAtMs }) => {
    const random = scene.random.derived(`bank/${orderId}/unknown`);
    if (!scene.faults.has('bank-unknown') || settledAtMs === null || !random.onceIn(UNKNOWN_ONE_IN)) return [];
    return [unknownLine(figures.currency, scene.dayOf(settledAtMs), random)];
  });
  return [...alone, ...together, ...unknown];
};
