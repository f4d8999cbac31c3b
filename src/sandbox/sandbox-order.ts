import type { BaseUnits, Decimal } from '../domain/decimal.ts';
import type { Flow } from '../domain/flow.ts';
import type { JsonObject } from '../domain/json.ts';

/** What happens to an order: an event on its path. */
export type OrderEvent = {
  readonly status: string;
  readonly utr: string | null;
  /** By the sandbox's clock, in milliseconds since the Unix epoch. */
  readonly atMs: number;
};

/** What an order is about, as its payloads say it to the last digit; null where its flow does not say it. */
export type OrderFigures = {
  readonly fiat: Decimal;
  /** In upper case. */
  readonly currency: string;
  readonly symbol: string;
  readonly address: string;
  readonly chainId: Decimal;
  /** On-ramp: transferred; off-ramp: deducted. */
  readonly amount: Decimal;
  readonly baseUnits: BaseUnits | null;
  readonly conversionRate: Decimal | null;
  readonly commission: Decimal | null;
  readonly tds: Decimal | null;
};

/** An order of the sandbox's. */
export type SandboxOrder = {
  readonly flow: Flow;
  readonly orderId: string;
  readonly createdAt: string;
  readonly figures: OrderFigures;
  /** The payload of an event, with every member that docs/spec/provider.md lists for its flow. */
  readonly payload: (event: OrderEvent) => JsonObject;
};
