import { isJsonObject, member, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { cellText } from './cell-text.ts';
import { columns, fits, type Alignment } from './columns.ts';
import { objectsOf } from './json-table.ts';

/** A column of a table: its heading, where its value stands in a row, and how it stands in its column. */
type Column = { readonly heading: string; readonly path: readonly string[]; readonly alignment: Alignment };

const text = (heading: string, path: readonly string[] = [heading]): Column => ({ heading, path, alignment: 'text' });
const number = (heading: string, path: readonly string[] = [heading]): Column => ({
  heading,
  path,
  alignment: 'number',
});

const KEYS: readonly Column[] = [text('day'), text('month'), text('token'), text('chainId')];
const CURRENCY = text('currency');
const SUMS: readonly Column[] = [
  number('orders'),
  ...['asked', 'settled', 'refunded', 'refunding', 'expired', 'deemed', 'failed', 'open'].map((part) =>
    number(part, ['fiat', part]),
  ),
  number('commission'),
  number('tds'),
  number('anomalies'),
];
const TOKEN: readonly Column[] = [text('symbol'), text('address'), text('chainId'), number('amount')];
/** Null in every off-ramp line. */
const ON_RAMP_TOKEN: readonly Column[] = [number('baseUnits'), number('averageConversionRate')];

const valueAt = (object: JsonObject, path: readonly string[]): JsonValue | undefined => {
  let value: JsonValue | undefined = object;
  for (const key of path) value = isJsonObject(value) ? member(value, key) : undefined;
  return value;
};

const cells = (object: JsonObject, shown: readonly Column[]): readonly string[] =>
  shown.map(({ path }) => cellText(valueAt(object, path)));

const table = (shown: readonly Column[], lines: readonly (readonly string[])[], width: number | null): string =>
  columns(
    [shown.map(({ heading }) => heading), ...lines],
    shown.map(({ alignment }) => alignment),
    width,
  );

/** The columns in which some line says something. */
const saying = (shown: readonly Column[], lines: readonly (readonly string[])[]): readonly boolean[] =>
  shown.map(({ alignment }, i) => alignment === 'text' || lines.some((line) => line[i] !== '0'));

/** The table on its side, a column for each line, as many beside each other as fit. */
const turned = (shown: readonly Column[], lines: readonly (readonly string[])[], width: number): string => {
  const beside = (some: readonly (readonly string[])[]): string =>
    columns(
      shown.map(({ heading }, i) => [heading, ...some.map((line) => line[i] ?? '')]),
      ['text', ...some.map((): Alignment => 'number')],
    );
  const parts: string[] = [];
  let from = 0;
  while (from < lines.length) {
    let to = from + 1;
    while (to < lines.length && fits(beside(lines.slice(from, to + 1)), width)) to += 1;
    parts.push(beside(lines.slice(from, to)));
    from = to;
  }
  return parts.join('\n');
};

/** Sums as a table; in a window that is too narrow without the columns that are 0 throughout, or on its side. */
const sumTable = (shown: readonly Column[], lines: readonly (readonly string[])[], width: number | null): string => {
  const whole = table(shown, lines, null);
  if (width === null || fits(whole, width)) return whole;
  const says = saying(shown, lines);
  const spoken = <A>(all: readonly A[]): readonly A[] => all.filter((_, i) => says[i] === true);
  const kept = spoken(shown);
  const left = shown.filter((one) => !kept.includes(one));
  const of = lines.map(spoken);
  const narrow = table(kept, of, null);
  const note = left.length === 0 ? '' : `0 throughout: ${left.map(({ heading: name }) => name).join(', ')}\n`;
  return `${fits(narrow, width) ? narrow : turned(kept, of, width)}${note}`;
};

/** Tokens as a table; base units say again what the amounts say, and are left out where they do not fit. */
const tokenTable = (shown: readonly Column[], lines: readonly (readonly string[])[], width: number | null): string => {
  const whole = table(shown, lines, width);
  const units = shown.findIndex(({ heading: name }) => name === 'baseUnits');
  if (units === -1 || fits(whole, width)) return whole;
  const without = <A>(all: readonly A[]): readonly A[] => all.filter((_, i) => i !== units);
  return `${table(without(shown), lines.map(without), width)}left out: baseUnits (--json has them)\n`;
};

const period = ({ from, to }: JsonObject): string => {
  if (typeof from === 'string' && typeof to === 'string') return `from ${from} to ${to}`;
  if (typeof from === 'string') return `from ${from} on`;
  return typeof to === 'string' ? `up to ${to}` : 'at any time';
};

const heading = (report: JsonObject): string => {
  const { flow, basis, timeZone } = report;
  const position = valueAt(report, ['asOf', 'position']);
  const asOf =
    typeof position === 'string'
      ? `as of position ${position}, ${cellText(valueAt(report, ['asOf', 'at']))}`
      : 'before the first event';
  return `${cellText(flow)} orders ${cellText(basis)} ${period(report)}; time zone ${cellText(timeZone)}; ${asOf}\n`;
};

/**
 * A report for finance: its filters, time zone and as-of position, a line for each row with the totals at the end, and
 * below, in the same order, what tokens moved. Where nothing but the currency is a key, the totals are the rows.
 *
 * @param width of the terminal; null: no line is too long
 */
export const reportPage = (report: JsonObject, width: number | null): string => {
  const rows = objectsOf(report, 'rows');
  const totals = objectsOf(report, 'totals');
  if (totals.length === 0) return `${heading(report)}no orders\n`;
  const keys = KEYS.filter(({ path }) => rows.some((row) => valueAt(row, path) !== undefined));
  const labels = keys.length === 0 ? [text('')] : keys;
  const total = labels.map((_, i) => (i === 0 ? 'total' : ''));
  const lines = [
    ...(keys.length === 0 ? [] : rows.map((row) => ({ row, label: cells(row, keys) }))),
    ...totals.map((row) => ({ row, label: total })),
  ];
  const sums = [CURRENCY, ...SUMS];
  const tokens = report['flow'] === 'onramp' ? [...TOKEN, ...ON_RAMP_TOKEN] : TOKEN;
  const tokenLines = lines.flatMap(({ row, label }) =>
    objectsOf(row, 'tokens').map((line) => [...label, ...cells(row, [CURRENCY]), ...cells(line, tokens)]),
  );
  const sumLines = lines.map(({ row, label }) => [...label, ...cells(row, sums)]);
  const ofTokens =
    tokenLines.length === 0
      ? ''
      : `\nTokens of settled orders\n${tokenTable([...labels, CURRENCY, ...tokens], tokenLines, width)}`;
  return `${heading(report)}\n${sumTable([...labels, ...sums], sumLines, width)}${ofTokens}`;
};
