import type { Decimal } from '../../domain/decimal.ts';
import { parseInstant, epochMsOf } from '../../domain/instant.ts';
import { member, type JsonObject } from '../../domain/json.ts';
import type { Flow } from '../../domain/flow.ts';
import type { Phase } from '../../domain/status.ts';
import { expectedOrder } from '../expected-order.ts';
import { textIn } from '../order-basics.ts';
import { plannedEvents } from '../odd-payload.ts';
import type { OrderEvent, OrderFigures, SandboxOrder } from '../sandbox-order.ts';

/** What bank and chain know of an order. */
export type MoneyOrder = {
  readonly flow: Flow;
  readonly orderId: string;
  readonly phase: Phase;
  readonly figures: Pick<OrderFigures, 'fiat' | 'currency' | 'tds' | 'commission' | 'address' | 'baseUnits'>;
  readonly chainId: number;
  /** Utrs of payouts that were paid; null for one that has none. */
  readonly paid: readonly (string | null)[];
  /** Utrs of payouts that failed, and that no event calls paid. */
  readonly failed: readonly string[];
  /** When a ledger takes it for settled; null where it is not. */
  readonly settledAtMs: number | null;
  readonly createdAtMs: number;
  readonly wallet: string;
  /** Of the transaction that brought the tokens; null where there is none. */
  readonly txnHash: string | null;
};

const SETTLING: Readonly<Record<Flow, string>> = { onramp: 'completed', offramp: 'PayoutSuccess' };

/** Years before this are what stands for "no time" (docs/spec/provider.md, Off-ramp payload: updated_at). */
const FIRST_REAL_MS = Date.UTC(2000, 0);

const timeIn = (payload: JsonObject, name: string): number | null => {
  const text = member(payload, name);
  const instant = typeof text === 'string' ? parseInstant(text) : null;
  const epochMs = instant === null ? null : epochMsOf(instant);
  return epochMs !== null && epochMs >= FIRST_REAL_MS ? epochMs : null;
};

/** The utrs of payouts with a status; none of them has one: null, once. */
const utrsOf = (events: readonly OrderEvent[], status: string): readonly (string | null)[] => {
  const its = events.filter((event) => event.status === status);
  const utrs = [...new Set(its.flatMap(({ utr }) => utr ?? []))];
  return its.length > 0 && utrs.length === 0 ? [null] : utrs;
};

const NO_FAULTS: ReadonlySet<never> = new Set();

const decimal = (value: Decimal): number => Number(value);

/**
 * An order as bank and chain see it, after some events.
 *
 * @param nowMs when its webhooks are taken, by the receiver's clock: it settles then where its payload does not say when
 */
export const moneyOrder = (order: SandboxOrder, events: readonly OrderEvent[], nowMs: number): MoneyOrder => {
  const { flow, orderId, figures } = order;
  const settling = events.find(({ status }) => status === SETTLING[flow]);
  const payload = settling === undefined ? null : order.payload(settling);
  const last = events.at(-1);
  const shown = payload ?? (last === undefined ? {} : order.payload(last));
  const paid = flow === 'offramp' ? utrsOf(events, 'PayoutSuccess') : [];
  const failed = flow === 'offramp' ? utrsOf(events, 'fiatFailed') : [];
  const hash = textIn(shown, 'txnHash') ?? '';
  return {
    flow,
    orderId,
    phase: expectedOrder(
      flow,
      plannedEvents(order, events, NO_FAULTS).map(({ tells }) => tells),
      false,
    ).phase,
    figures,
    chainId: decimal(figures.chainId),
    paid,
    failed: failed.flatMap((utr) => (utr === null || paid.includes(utr) ? [] : [utr])),
    settledAtMs: payload === null ? null : (timeIn(payload, 'updated_at') ?? nowMs),
    createdAtMs: Date.parse(order.createdAt),
    wallet: textIn(shown, flow === 'onramp' ? 'receiverWalletAddress' : 'senderWalletAddress') ?? '',
    txnHash: flow === 'onramp' && hash !== '' ? hash : null,
  };
};
