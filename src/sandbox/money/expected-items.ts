import { Big } from 'big.js';
import type { BusinessDay } from '../../domain/business-day.ts';
import type { BankEntry, NamedBy } from './bank-entry.ts';
import type { BankFile } from './bank-file.ts';
import type { ChainMovement } from './chain-movements.ts';
import type { MoneyOrder } from './money-order.ts';

/** What a ledger with the usual settings must find, once it took all webhooks, files and transfers. */
export type ExpectedItem = {
  readonly orders: readonly string[];
  /** The references and hashes of what no order knows. */
  readonly unknown: readonly string[];
  readonly lines: number;
  readonly transfers: number;
  readonly state: string;
  readonly rule: string | null;
  /** Codes, each as often as it comes, in code-unit order. */
  readonly breaks: readonly string[];
};

/** What was handed to the ledger, and the day on which it is asked. */
export type Handed = {
  readonly orders: readonly MoneyOrder[];
  /** Those that stand in the files. */
  readonly entries: readonly BankEntry[];
  readonly files: readonly Pick<BankFile, 'currency' | 'from' | 'to'>[];
  readonly movements: readonly ChainMovement[];
  readonly dayOf: (epochMs: number) => BusinessDay;
  readonly today: BusinessDay;
};

const MS_PER_DAY = 86_400_000;
const DUE_DAYS = 2;
const DATE_TOLERANCE_DAYS = 3;

const RULES: readonly NamedBy[] = ['utr', 'utr-in-text', 'reference', 'amount-and-day'];

const daysBetween = (from: BusinessDay, to: BusinessDay): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / MS_PER_DAY);

const total = (amounts: readonly (Big | string)[]): Big =>
  amounts.reduce((sum: Big, amount) => sum.plus(amount), new Big(0));

const ruleOf = (entries: readonly BankEntry[], movements: readonly ChainMovement[]): string | null =>
  RULES.findLast((rule) => entries.some(({ namedBy }) => namedBy === rule)) ??
  (movements.length > 0 ? 'txn-hash' : null);

type Its = {
  readonly orders: readonly [MoneyOrder, ...MoneyOrder[]];
  readonly entries: readonly BankEntry[];
  readonly movements: readonly ChainMovement[];
};

/** The codes of a difference that is a charge of the orders'. */
const variancesOf = ({ orders }: Its, difference: Big): readonly string[] => {
  const of = (name: 'tds' | 'commission'): Big => total(orders.map(({ figures }) => figures[name] ?? '0'));
  const [tds, commission, size] = [of('tds'), of('commission'), difference.abs()];
  const isBoth = tds.gt(0) && commission.gt(0) && size.eq(tds.plus(commission));
  return [
    ...((commission.gt(0) && size.eq(commission)) || isBoth ? ['fee-variance'] : []),
    ...((tds.gt(0) && size.eq(tds)) || isBoth ? ['tds-variance'] : []),
  ];
};

const bankCodes = (its: Its, { dayOf }: Handed): readonly string[] => {
  const { orders, entries } = its;
  const [first] = orders;
  if (entries.length === 0) return [];
  if (entries.some(({ currency }) => currency !== first.figures.currency)) return ['currency-mismatch'];
  const usual = first.flow === 'offramp' ? 'out' : 'in';
  const net = total(entries.map(({ direction, amount }) => (direction === usual ? amount : amount.times(-1))));
  if (first.phase === 'failed' || first.phase === 'refunded') return net.eq(0) ? [] : ['status-conflict'];
  const difference = net.minus(total(orders.map(({ figures }) => figures.fiat)));
  const isTakenBack = entries.some(({ direction }) => direction !== usual);
  const amounts = difference.eq(0)
    ? []
    : [
        ...(isTakenBack ? ['reversed'] : []),
        ...(isTakenBack && net.eq(0)
          ? []
          : [difference.gt(0) ? 'amount-over' : 'amount-under', ...variancesOf(its, difference)]),
      ];
  const days = orders.flatMap(({ settledAtMs }) => (settledAtMs === null ? [] : [dayOf(settledAtMs)]));
  const far = entries.filter(
    ({ direction, bookedOn }) =>
      direction === usual && !days.some((day) => Math.abs(daysBetween(day, bookedOn)) <= DATE_TOLERANCE_DAYS),
  );
  return [...amounts, ...far.map(() => 'date-outside-tolerance')];
};

const NATIVE_ADDRESS = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

const chainCodes = ({ orders: [order], movements: [movement] }: Its): readonly string[] => {
  if (movement === undefined) return [];
  if (!movement.succeeded) return ['missing-on-chain'];
  if ((movement.token ?? NATIVE_ADDRESS).toLowerCase() !== order.figures.address.toLowerCase())
    return ['token-mismatch'];
  const recipient = movement.to === order.wallet ? [] : ['recipient-mismatch'];
  const due = BigInt(order.figures.baseUnits ?? '0');
  const amount = movement.baseUnits === due ? [] : [movement.baseUnits > due ? 'amount-over' : 'amount-under'];
  return [...recipient, ...amount];
};

type Outcome = Pick<ExpectedItem, 'state' | 'breaks'>;

/** An order that neither bank nor chain has anything of; null where it is held against neither. */
const awaited = (order: MoneyOrder, { files, movements, dayOf, today }: Handed): Outcome | null => {
  const { flow, phase, settledAtMs, createdAtMs, chainId, paid } = order;
  const ofBank = files.filter(({ currency }) => currency === order.figures.currency);
  const isBank = flow === 'offramp' || ofBank.length > 0;
  const isChain = flow === 'onramp' && movements.some((movement) => movement.chainId === chainId);
  if (!isBank && !isChain) return null;
  const expected = { state: 'expected', breaks: ['timing'] };
  if (flow === 'offramp' && paid.length === 0 && phase === 'deemed') return expected;
  const day = dayOf(settledAtMs ?? createdAtMs);
  const isLate = daysBetween(day, today) >= DUE_DAYS;
  const isCovered = ofBank.some(({ from, to }) => from <= day && day <= to);
  const breaks = [
    ...(isBank && (isLate || isCovered) ? ['missing-at-bank'] : []),
    ...(isChain && isLate ? ['missing-on-chain'] : []),
  ];
  return breaks.length === 0 ? expected : { state: 'unmatched-order', breaks };
};

const isDue = ({ flow, phase, paid, settledAtMs }: MoneyOrder): boolean =>
  flow === 'onramp' ? settledAtMs !== null : paid.length > 0 || phase === 'deemed';

const outcomeOf = (its: Its, handed: Handed): Outcome | null => {
  const { orders, entries, movements } = its;
  const [first] = orders;
  const isAmbiguous =
    entries.some(({ namedBy }) => namedBy === 'amount-and-day') && (orders.length > 1 || entries.length > 1);
  const codes = [...(isAmbiguous ? ['ambiguous'] : bankCodes(its, handed)), ...chainCodes(its)];
  if (isAmbiguous) return { state: 'ambiguous', breaks: codes };
  if (codes.length > 0) return { state: 'break', breaks: codes };
  if (entries.length > 0 || movements.length > 0) return { state: 'matched', breaks: [] };
  return isDue(first) ? awaited(first, handed) : null;
};

/** What the sandbox's bank and chains say of orders without a utr: they are found by amount and day, all of a kind at once. */
const kindOf = (order: MoneyOrder, dayOf: Handed['dayOf']): string | null =>
  order.paid.length === 1 && order.paid[0] === null && order.settledAtMs !== null
    ? JSON.stringify([order.figures.currency, new Big(order.figures.fiat).toFixed(), dayOf(order.settledAtMs)])
    : null;

/** Orders that are in one item, whatever it comes to. */
const groupsOf = ({ orders, entries, dayOf }: Handed): readonly (readonly MoneyOrder[])[] => {
  const together = new Map<string, string>();
  for (const { orderIds } of entries)
    if (orderIds.length > 1) for (const id of orderIds) together.set(id, orderIds.join(' '));
  const booked = new Set(entries.flatMap(({ orderIds, namedBy }) => (namedBy === 'amount-and-day' ? orderIds : [])));
  const bookedKinds = new Set(orders.filter(({ orderId }) => booked.has(orderId)).map((it) => kindOf(it, dayOf)));
  return [
    ...Map.groupBy(orders, (order) => {
      const kind = kindOf(order, dayOf);
      const isFound = kind !== null && bookedKinds.has(kind);
      return together.get(order.orderId) ?? (isFound ? kind : order.orderId);
    }).values(),
  ];
};

/** What must be found, item by item: the sandbox's own reading, apart from the ledger's. */
export const expectedItems = (handed: Handed): readonly ExpectedItem[] => {
  const { entries, movements } = handed;
  const byOrder = new Map<string, BankEntry[]>();
  for (const entry of entries) for (const id of entry.orderIds) byOrder.set(id, [...(byOrder.get(id) ?? []), entry]);
  const movedOf = Map.groupBy(movements, ({ orderId }) => orderId);
  const ofOrders = groupsOf(handed).flatMap((group): readonly ExpectedItem[] => {
    const [first, ...more] = group;
    if (first === undefined) return [];
    const ids = group.map(({ orderId }) => orderId);
    const its: Its = {
      orders: [first, ...more],
      entries: [...new Set(ids)].flatMap((id, i) =>
        (byOrder.get(id) ?? []).filter(({ orderIds }) => i === 0 || orderIds.length === 1),
      ),
      movements: ids.flatMap((id) => movedOf.get(id) ?? []),
    };
    const outcome = outcomeOf(its, handed);
    if (outcome === null) return [];
    return [
      {
        orders: ids.toSorted(),
        unknown: [],
        lines: its.entries.length,
        transfers: its.movements.length,
        state: outcome.state,
        rule: ruleOf(its.entries, its.movements),
        breaks: outcome.breaks.toSorted(),
      },
    ];
  });
  const unknownLines = entries
    .filter(({ orderIds }) => orderIds.length === 0)
    .map(({ reference }): ExpectedItem => ({
      orders: [],
      unknown: [reference ?? ''],
      lines: 1,
      transfers: 0,
      state: 'unmatched-line',
      rule: null,
      breaks: ['missing-at-provider', 'unknown-reference'],
    }));
  const unknownTransfers = (movedOf.get(null) ?? []).map(({ txnHash }): ExpectedItem => ({
    orders: [],
    unknown: [txnHash],
    lines: 0,
    transfers: 1,
    state: 'unmatched-transfer',
    rule: null,
    breaks: ['missing-at-provider'],
  }));
  return [...ofOrders, ...unknownLines, ...unknownTransfers];
};
