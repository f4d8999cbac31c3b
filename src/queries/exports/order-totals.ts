import { lowerAscii } from '../../domain/letter-case.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { exactOf, plainText, plus, ZERO, type Exact } from '../../domain/exact.ts';
import { FLOWS, type Flow } from '../../domain/flow.ts';
import { numberText } from '../../domain/json.ts';
import { parseDecimal } from '../../domain/decimal.ts';
import { PHASES, type Phase } from '../../domain/status.ts';
import type { OrderResource } from '../orders/order-resource.ts';

const AMOUNTS = ['fiat', 'commission', 'tds'] as const;

type Sums = Record<(typeof AMOUNTS)[number], Exact> & { orders: number };

/** What the orders of a flow in a currency come to in a phase; `phase` null: in all of them. */
export type MoneyLine = {
  readonly flow: Flow;
  readonly currency: string;
  readonly phase: Phase | null;
  readonly orders: number;
} & Readonly<Record<(typeof AMOUNTS)[number], Decimal>>;

/** What the orders of a flow come to in a token and a phase. */
export type TokenLine = {
  readonly flow: Flow;
  readonly phase: Phase;
  readonly orders: number;
  readonly symbol: string;
  readonly address: string;
  readonly chainId: string;
  readonly amount: Decimal;
  /** Null where no order has any. */
  readonly baseUnits: Decimal | null;
};

type TokenSum = {
  orders: number;
  readonly line: Pick<TokenLine, 'flow' | 'phase' | 'symbol' | 'address' | 'chainId'>;
  amount: Exact;
  baseUnits: Exact | null;
};

const exactIn = (text: string | null): Exact => {
  const decimal = text === null ? null : parseDecimal(text);
  return decimal === null ? ZERO : exactOf(decimal);
};

const none = (): Sums => ({ orders: 0, fiat: ZERO, commission: ZERO, tds: ZERO });

const added = (to: Sums, sums: Sums): void => {
  to.orders += sums.orders;
  for (const name of AMOUNTS) to[name] = plus(to[name], sums[name]);
};

const textsOf = ({ orders, fiat, commission, tds }: Sums) => ({
  orders,
  fiat: plainText(fiat),
  commission: plainText(commission),
  tds: plainText(tds),
});

/** Adds up orders to the last digit: currencies, flows and tokens each by themselves. It grows with these, never with the orders. */
export class OrderTotals {
  readonly #money = new Map<Flow, Map<string, Map<Phase, Sums>>>();
  readonly #tokens = new Map<string, TokenSum>();

  add(order: OrderResource): void {
    const { flow, phase, fiat, commission, tds } = order;
    const currencies = this.#money.get(flow) ?? new Map<string, Map<Phase, Sums>>();
    this.#money.set(flow, currencies);
    const phases = currencies.get(fiat.currency) ?? new Map<Phase, Sums>();
    currencies.set(fiat.currency, phases);
    const sums = phases.get(phase) ?? none();
    phases.set(phase, sums);
    added(sums, { orders: 1, fiat: exactIn(fiat.amount), commission: exactIn(commission), tds: exactIn(tds) });
    this.#addToken(order);
  }

  /** By flow and currency: a line for each phase, and one for all of them. */
  get money(): readonly MoneyLine[] {
    return FLOWS.flatMap((flow) =>
      [...(this.#money.get(flow) ?? [])]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([currency, byPhase]) => {
          const all = none();
          const lines = PHASES.flatMap((phase): readonly MoneyLine[] => {
            const sums = byPhase.get(phase);
            if (sums === undefined) return [];
            added(all, sums);
            return [{ flow, currency, phase, ...textsOf(sums) }];
          });
          return [...lines, { flow, currency, phase: null, ...textsOf(all) }];
        }),
    );
  }

  /** By flow, symbol, contract and chain, a line for each phase. */
  get tokens(): readonly TokenLine[] {
    return [...this.#tokens]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { line, orders, amount, baseUnits }]) => ({
        ...line,
        orders,
        amount: plainText(amount),
        baseUnits: baseUnits === null ? null : plainText(baseUnits),
      }));
  }

  #addToken({ flow, phase, token }: OrderResource): void {
    const { symbol, address, amount, baseUnits } = token;
    const chainId = numberText(token.chainId);
    const key = JSON.stringify([FLOWS.indexOf(flow), symbol, lowerAscii(address), chainId, PHASES.indexOf(phase)]);
    const sum = this.#tokens.get(key) ?? {
      line: { flow, phase, symbol, address, chainId },
      orders: 0,
      amount: ZERO,
      baseUnits: null,
    };
    this.#tokens.set(key, sum);
    sum.orders += 1;
    sum.amount = plus(sum.amount, exactIn(amount));
    if (baseUnits !== null) sum.baseUnits = plus(sum.baseUnits ?? ZERO, exactIn(baseUnits));
  }
}
