import { normalised, type BaseUnits, type Decimal } from '../domain/decimal.ts';
import { exactOf, negated, plainText, plus, quotient12, times, ZERO, type Exact } from '../domain/exact.ts';
import type { Flow } from '../domain/flow.ts';
import type { JsonObject } from '../domain/json.ts';
import { PHASES, type Phase } from '../domain/status.ts';
import { expectedOrder, type ExpectedOrder, type TakenEvent } from './expected-order.ts';
import type { OrderFigures, SandboxOrder } from './sandbox-order.ts';

type Line = {
  readonly symbol: string;
  readonly address: string;
  readonly chainId: Decimal;
  orders: number;
  amount: Exact;
  baseUnits: Exact;
  weight: Exact;
};

type Sums = {
  orders: number;
  anomalies: number;
  readonly byStatus: Map<string, number>;
  readonly fiat: Map<Phase, Exact>;
  readonly lines: Map<string, Line>;
  commission: Exact;
  tds: Exact;
};

const noSums = (): Sums => ({
  orders: 0,
  anomalies: 0,
  byStatus: new Map(),
  fiat: new Map(),
  lines: new Map(),
  commission: ZERO,
  tds: ZERO,
});

const valueOf = (amount: Decimal | BaseUnits | null): Exact => (amount === null ? ZERO : exactOf(amount));

const lineOf = ({ lines }: Sums, { symbol, address, chainId }: OrderFigures): Line => {
  const chain = normalised(chainId);
  const key = JSON.stringify([address.toLowerCase(), chain]);
  const known = lines.get(key);
  if (known !== undefined) return known;
  const line = { symbol, address, chainId: chain, orders: 0, amount: ZERO, baseUnits: ZERO, weight: ZERO };
  lines.set(key, line);
  return line;
};

/** Adds an order to sums, or takes it out again. */
const contribute = (sums: Sums, figures: OrderFigures, expected: ExpectedOrder, sign: 1 | -1): void => {
  const signed = (value: Exact): Exact => (sign === 1 ? value : negated(value));
  const { status, phase, isAnomalous } = expected;
  sums.orders += sign;
  sums.anomalies += isAnomalous ? sign : 0;
  sums.byStatus.set(status, (sums.byStatus.get(status) ?? 0) + sign);
  sums.fiat.set(phase, plus(sums.fiat.get(phase) ?? ZERO, signed(exactOf(figures.fiat))));
  if (phase !== 'settled') return;
  const amount = exactOf(figures.amount);
  const line = lineOf(sums, figures);
  line.orders += sign;
  line.amount = plus(line.amount, signed(amount));
  line.baseUnits = plus(line.baseUnits, signed(valueOf(figures.baseUnits)));
  line.weight = plus(line.weight, signed(times(amount, valueOf(figures.conversionRate))));
  sums.commission = plus(sums.commission, signed(valueOf(figures.commission)));
  sums.tds = plus(sums.tds, signed(valueOf(figures.tds)));
};

const byAddressAndChain = (a: Line, b: Line): number => {
  const [x, y] = [a.address.toLowerCase(), b.address.toLowerCase()];
  return x === y ? Number(a.chainId) - Number(b.chainId) : x < y ? -1 : 1;
};

const lineResource = (flow: Flow, { symbol, address, chainId, amount, baseUnits, weight }: Line): JsonObject => ({
  symbol,
  address,
  chainId: Number(chainId),
  amount: plainText(amount),
  baseUnits: flow === 'onramp' ? plainText(baseUnits) : null,
  averageConversionRate: flow === 'onramp' ? quotient12(weight, amount) : null,
});

const sumsResource = (flow: Flow, currency: string, sums: Sums): JsonObject => ({
  currency,
  orders: sums.orders,
  byStatus: Object.fromEntries([...sums.byStatus].filter(([, count]) => count > 0)),
  fiat: {
    asked: plainText([...sums.fiat.values()].reduce(plus, ZERO)),
    ...Object.fromEntries(PHASES.map((phase) => [phase, plainText(sums.fiat.get(phase) ?? ZERO)])),
  },
  tokens: [...sums.lines.values()]
    .filter(({ orders }) => orders > 0)
    .toSorted(byAddressAndChain)
    .map((line) => lineResource(flow, line)),
  commission: plainText(sums.commission),
  tds: plainText(sums.tds),
  anomalies: sums.anomalies,
});

/** What of one order was taken; every new thing moves the order's share in the sums. */
export type OrderTally = {
  readonly taken: (event: TakenEvent) => void;
  /** Other facts than those of an event were taken beside it. */
  readonly contradicted: () => void;
};

/**
 * What a ledger that took all that was answered with 2xx must report: the `totals` of docs/spec/http.md, A report, for
 * each flow. Kept as running sums, so that a run of any length needs no more memory than a short one.
 */
export class Expectation {
  readonly #flows: Readonly<Record<Flow, Map<string, Sums>>> = { onramp: new Map(), offramp: new Map() };

  /** Begins to reckon with an order; nothing of it counts until one of its events is taken. */
  follow({ flow, figures }: Pick<SandboxOrder, 'flow' | 'figures'>): OrderTally {
    const events: TakenEvent[] = [];
    let hasConflict = false;
    let counted: ExpectedOrder | null = null;
    const recount = (): void => {
      const currencies = this.#flows[flow];
      const sums = currencies.get(figures.currency) ?? noSums();
      currencies.set(figures.currency, sums);
      if (counted !== null) contribute(sums, figures, counted, -1);
      counted = expectedOrder(flow, events, hasConflict);
      contribute(sums, figures, counted, 1);
    };
    return {
      taken: (event) => {
        const known = events.find(({ status, utr }) => status === event.status && utr === event.utr);
        if (known === undefined) events.push(event);
        // The same event with other facts contradicts the first.
        else if (known.wallet === event.wallet && known.isWhole === event.isWhole) return;
        else hasConflict = true;
        recount();
      },
      contradicted: () => {
        hasConflict = true;
        recount();
      },
    };
  }

  /** One for each currency that orders of the flow have, in code-unit order. */
  totals(flow: Flow): readonly JsonObject[] {
    return [...this.#flows[flow]]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, sums]) => sumsResource(flow, currency, sums));
  }
}
