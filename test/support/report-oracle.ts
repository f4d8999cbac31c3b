import { PLACES, unscaled } from './naive-json.ts';
import { naiveOrders, type Delivered, type NaiveOrder } from './order-oracle.ts';

/** A report as docs/spec/http.md has it in JSON, but for `chainId`, which is a text here. */
export type NaiveReport = {
  readonly rows: readonly NaiveRow[];
  readonly totals: readonly NaiveRow[];
};

type NaiveRow = {
  readonly day?: string;
  readonly month?: string;
  readonly token?: string;
  readonly chainId?: string;
  readonly currency: string;
  readonly orders: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly fiat: Readonly<Record<string, string>>;
  readonly tokens: readonly {
    readonly symbol: string;
    readonly address: string;
    readonly chainId: string;
    readonly amount: string;
    readonly baseUnits: string | null;
    readonly averageConversionRate: string | null;
  }[];
  readonly commission: string;
  readonly tds: string;
  readonly anomalies: number;
};

export type Question = {
  readonly flow: string;
  readonly basis: string;
  readonly timeZone: string;
  readonly groupBy: readonly string[];
  /** Business days, inclusive. */
  readonly from?: string;
  readonly to?: string;
};

/** The day that a zone's wall calendar shows. */
const wallCalendar = (timeZone: string): ((epochMs: number) => string) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (epochMs) => {
    const [month = '', day = '', year = ''] = format.format(epochMs).split('/');
    return `${year.padStart(4, '0')}-${month}-${day}`;
  };
};

const sum = (values: readonly (bigint | null)[]): bigint => values.reduce<bigint>((all, it) => all + (it ?? 0n), 0n);

const DIGITS = 12n;

/** A quotient to 12 significant digits, half to even; null without a denominator. */
export const naiveQuotient = (numerator: bigint, denominator: bigint): string | null => {
  if (denominator === 0n) return null;
  const negative = numerator < 0n !== denominator < 0n;
  const [above, below] = [numerator < 0n ? -numerator : numerator, denominator < 0n ? -denominator : denominator];
  if (above === 0n) return '0';
  let places = 0n;
  while ((above * 10n ** places) / below < 10n ** (DIGITS - 1n)) places += 1n;
  let tooMany = 0n;
  while ((above * 10n ** places) / (below * 10n ** tooMany) >= 10n ** DIGITS) tooMany += 1n;
  const [up, down] = [above * 10n ** places, below * 10n ** tooMany];
  let digits = up / down;
  const rest = (up - digits * down) * 2n;
  if (rest > down || (rest === down && digits % 2n === 1n)) digits += 1n;
  const text = unscaled(digits * 10n ** tooMany * 10n ** (PLACES * 3n - places), PLACES * 3n);
  return negative ? `-${text}` : text;
};

const compare = (a: string | bigint, b: string | bigint): number => (a < b ? -1 : a > b ? 1 : 0);

const lowest = (texts: readonly string[]): string => texts.toSorted(compare)[0] ?? '';

const groups = <A>(items: readonly A[], keyOf: (item: A) => string): readonly (readonly [A, ...A[]])[] => {
  const found = new Map<string, [A, ...A[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = found.get(key);
    if (group === undefined) found.set(key, [item]);
    else group.push(item);
  }
  return [...found.values()];
};

const tokenLine = (orders: readonly [NaiveOrder, ...NaiveOrder[]]): NaiveRow['tokens'][number] => {
  const onRamp = orders[0].flow === 'onramp';
  const rated = orders.filter(({ amount, rate }) => amount !== null && rate !== null);
  const weights = sum(rated.map(({ amount, rate }) => (amount ?? 0n) * (rate ?? 0n)));
  return {
    symbol: lowest(orders.map(({ symbol }) => symbol)),
    address: lowest(orders.map(({ address }) => address)),
    chainId: unscaled(orders[0].chainId),
    amount: unscaled(sum(orders.map(({ amount }) => amount))),
    baseUnits: onRamp ? unscaled(sum(orders.map(({ baseUnits }) => baseUnits))) : null,
    averageConversionRate: onRamp
      ? naiveQuotient(weights, sum(rated.map(({ amount }) => amount)) * 10n ** PLACES)
      : null,
  };
};

const PARTS = ['settled', 'refunded', 'refunding', 'expired', 'deemed', 'failed', 'open'];

/** The sums of orders of one currency, which are at least one. */
const sums = (orders: readonly [NaiveOrder, ...NaiveOrder[]]): NaiveRow => {
  const settled = orders.filter(({ phase }) => phase === 'settled');
  const fiatOf = (phase: string): string =>
    unscaled(sum(orders.filter((order) => order.phase === phase).map(({ fiat }) => fiat)));
  const lines = groups(settled, ({ address, chainId }) => JSON.stringify([address.toLowerCase(), String(chainId)]));
  return {
    currency: orders[0].currency,
    orders: orders.length,
    byStatus: Object.fromEntries(groups(orders, ({ status }) => status).map((its) => [its[0].status, its.length])),
    fiat: {
      asked: unscaled(sum(orders.map(({ fiat }) => fiat))),
      ...Object.fromEntries(PARTS.map((phase) => [phase, fiatOf(phase)])),
    },
    tokens: lines
      .toSorted(([a], [b]) => compare(a.chainId, b.chainId))
      .toSorted(([a], [b]) => compare(a.address.toLowerCase(), b.address.toLowerCase()))
      .map(tokenLine),
    commission: unscaled(sum(settled.map(({ commission }) => commission))),
    tds: unscaled(sum(settled.map(({ tds }) => tds))),
    anomalies: orders.filter(({ anomalous }) => anomalous).length,
  };
};

/** The report that docs/spec/http.md asks for, computed from deliveries naively and apart from the ledger. */
export const naiveReport = (deliveries: Iterable<Delivered>, question: Question): NaiveReport => {
  const { flow, basis, timeZone, groupBy, from = '', to = '9999-12-31' } = question;
  const dayOf = wallCalendar(timeZone);
  const dated = naiveOrders(deliveries)
    .filter((order) => order.flow === flow)
    .flatMap((order) => {
      const moment = basis === 'settled' ? order.settledAt : order.createdAt;
      return moment === null ? [] : [{ order, day: dayOf(moment) }];
    })
    .filter(({ day }) => day >= from && day <= to);
  type Dated = (typeof dated)[number];
  const by = (key: string): boolean => groupBy.includes(key);
  const keyOf = ({ order, day }: Dated): readonly (string | bigint)[] => [
    by('day') ? day : '',
    by('month') ? day.slice(0, 7) : '',
    order.currency,
    by('token') ? order.symbol.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) : '',
    by('chain') ? order.chainId : 0n,
  ];
  const symbolOf = (its: readonly Dated[]): string => lowest(its.map(({ order }) => order.symbol));
  /** Rows come in the order of what they show. */
  const shownKeyOf = (its: readonly [Dated, ...Dated[]]): readonly (string | bigint)[] =>
    keyOf(its[0]).map((part, i) => (i === 3 && by('token') ? symbolOf(its) : part));
  const compareKeys = (a: readonly [Dated, ...Dated[]], b: readonly [Dated, ...Dated[]]): number => {
    const other = shownKeyOf(b);
    return shownKeyOf(a).reduce<number>((found, part, i) => (found === 0 ? compare(part, other[i] ?? '') : found), 0);
  };
  const rows = groups(dated, (it) => JSON.stringify(keyOf(it).map(String)))
    .toSorted(compareKeys)
    .map((its): NaiveRow => {
      const [{ order, day }, ...others] = its;
      return {
        ...(by('day') ? { day } : {}),
        ...(by('month') ? { month: day.slice(0, 7) } : {}),
        ...(by('token') ? { token: symbolOf(its) } : {}),
        ...(by('chain') ? { chainId: unscaled(order.chainId) } : {}),
        ...sums([order, ...others.map((it) => it.order)]),
      };
    });
  const totals = groups(dated, ({ order }) => order.currency)
    .toSorted(([a], [b]) => compare(a.order.currency, b.order.currency))
    .map(([first, ...others]) => sums([first.order, ...others.map(({ order }) => order)]));
  return { rows, totals };
};

const numberedLines = (row: NaiveRow) => ({
  ...row,
  tokens: row.tokens.map((line) => ({ ...line, chainId: Number(line.chainId) })),
});

/** The same with chain ids as numbers, as docs/spec/http.md has them in JSON. */
export const numberedChains = ({ rows, totals }: NaiveReport) => ({
  rows: rows.map((row) => ({
    ...numberedLines(row),
    ...(row.chainId === undefined ? {} : { chainId: Number(row.chainId) }),
  })),
  totals: totals.map(numberedLines),
});
