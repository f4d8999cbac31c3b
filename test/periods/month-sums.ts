import { exactOf, minus, plainText, plus, ZERO, type Exact } from '../../src/domain/exact.ts';
import { branded } from '../../src/domain/brand.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import { at } from '../support/naive-json.ts';

/** Measures by currency and name, `INR fiat.settled`; what is zero is not there. */
export type Sums = ReadonlyMap<string, Exact>;

const exact = (value: unknown): Exact => exactOf(branded<Decimal>(String(value)));

export const added = (...all: readonly Sums[]): Sums => {
  const sums = new Map<string, Exact>();
  for (const some of all) for (const [name, value] of some) sums.set(name, plus(sums.get(name) ?? ZERO, value));
  return new Map([...sums].filter(([, { coefficient }]) => coefficient !== 0n));
};

/** As texts, in the order of their names, to be compared and read. */
export const shownSums = (sums: Sums): object =>
  Object.fromEntries(
    [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, plainText(value)]),
  );

const entries = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

export const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The totals of a report. */
export const totalSums = (report: unknown): Sums => {
  const sums: Sums[] = [];
  for (const total of items(at(report, 'totals'))) {
    const named = new Map<string, Exact>();
    const put = (name: string, value: unknown): unknown =>
      named.set(`${String(at(total, 'currency'))} ${name}`, exact(value));
    for (const name of ['orders', 'commission', 'tds', 'anomalies']) put(name, at(total, name));
    for (const part of ['byStatus', 'fiat']) {
      for (const [name, value] of entries(at(total, part))) put(`${part}.${name}`, value);
    }
    for (const line of items(at(total, 'tokens'))) {
      const name = `tokens.${String(at(line, 'address')).toLowerCase()}@${String(at(line, 'chainId'))}`;
      put(`${name}.amount`, at(line, 'amount'));
      if (at(line, 'baseUnits') !== null) put(`${name}.baseUnits`, at(line, 'baseUnits'));
    }
    sums.push(named);
  }
  return added(...sums);
};

/** What adjustments of one flow and basis say that has come to be more. */
export const adjustedSums = (adjustments: unknown, flow: string, basis: string): Sums => {
  const sums: Sums[] = [];
  for (const row of items(at(adjustments, 'data'))) {
    if (at(row, 'flow') !== flow || at(row, 'basis') !== basis) continue;
    for (const [name, measure] of entries(at(row, 'measures'))) {
      const [closed, now, difference] = ['closed', 'now', 'difference'].map((member) => exact(at(measure, member)));
      if (closed === undefined || now === undefined || difference === undefined) continue;
      if (plainText(minus(now, closed)) !== plainText(difference))
        throw new Error(`${name}: ${JSON.stringify(measure)}`);
      sums.push(new Map([[`${String(at(row, 'currency'))} ${name}`, difference]]));
    }
  }
  return added(...sums);
};

/** What the orders behind an adjustment say of two of its measures: how many there are, and what was asked. */
export const sumsOfOrders = (adjustments: unknown, flow: string, basis: string): Sums => {
  const sums: Sums[] = [];
  for (const row of items(at(adjustments, 'data'))) {
    if (at(row, 'flow') !== flow || at(row, 'basis') !== basis) continue;
    const currency = String(at(row, 'currency'));
    for (const order of items(at(row, 'orders'))) {
      for (const [member, sign] of [
        ['closed', -1n],
        ['now', 1n],
      ] as const) {
        if (at(order, member) === null) continue;
        const { coefficient, scale } = exact(at(order, member, 'fiat'));
        const phase = String(at(order, member, 'phase'));
        const fiat = { coefficient: coefficient * sign, scale };
        sums.push(
          new Map([
            [`${currency} orders`, { coefficient: sign, scale: 0 }],
            [`${currency} fiat.asked`, fiat],
            [`${currency} fiat.${phase}`, fiat],
          ]),
        );
      }
    }
  }
  return added(...sums);
};

/** The measures that the orders behind adjustments explain by themselves. */
export const ofOrders = (sums: Sums): Sums =>
  new Map([...sums].filter(([name]) => /^\S+ (orders|fiat\.\w+)$/.test(name)));
