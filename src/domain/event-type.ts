import { branded, type Brand } from './brand.ts';
import { FLOWS, type Flow } from './flow.ts';
import { OFF_RAMP_STATUSES, ON_RAMP_STATUSES } from './status.ts';

/** `OnRamp…` or `OffRamp…` plus the status, or one of the ledger's own (docs/spec/domain.md, Identity). */
export type EventType = Brand<string, 'EventType'>;

/** Other facts under a key that is there already. */
export const CONFLICTING_DELIVERY = branded<EventType>('ConflictingDelivery');

/** An authentic body from which no order event could be read. */
export const DELIVERY_QUARANTINED = branded<EventType>('DeliveryQuarantined');

/** A quarantined body that later rules could read, and that went to its order (docs/spec/domain.md, Release). */
export const QUARANTINE_RELEASED = branded<EventType>('QuarantineReleased');

const PREFIX: Readonly<Record<Flow, string>> = { onramp: 'OnRamp', offramp: 'OffRamp' };

const named = (flow: Flow, status: string): EventType =>
  branded<EventType>(PREFIX[flow] + status.slice(0, 1).toUpperCase() + status.slice(1));

const TYPES: Readonly<Record<Flow, ReadonlyMap<string, EventType>>> = {
  onramp: new Map(ON_RAMP_STATUSES.map((status) => [status, named('onramp', status)])),
  offramp: new Map(OFF_RAMP_STATUSES.map((status) => [status, named('offramp', status)])),
};

/** The type of an order event: `OnRampFiatPending`, …, `OffRampUnlistedStatus` for a status that the interface does not list. */
export const orderEventType = (flow: Flow, status: string): EventType =>
  TYPES[flow].get(status) ?? named(flow, 'UnlistedStatus');

const FLOW_OF_TYPE: ReadonlyMap<string, Flow> = new Map(
  FLOWS.flatMap((flow) =>
    [...TYPES[flow].values(), named(flow, 'UnlistedStatus')].map((type) => [type, flow] as const),
  ),
);

/** The flow that an order event's type tells; null for a type that is no order event's. */
export const flowOfType = (type: string): Flow | null => FLOW_OF_TYPE.get(type) ?? null;

/** Whether a type is one that `orderEventType` gives for this flow and status. */
export const typeFits = (type: string, flow: Flow, status: string): boolean => type === orderEventType(flow, status);

/** Events that no provider signed: what the ledger itself was told to note (docs/spec/domain.md, Own events). */
export const OWN_EVENT_TYPES = [
  'PeriodClosed',
  'PeriodReopened',
  'StatementImported',
  'StatementLine',
  'StatementProfileSet',
  'LineIdsKeyed',
  'TransferObserved',
  'MatchDecided',
  'QuarantineClosed',
  'QuarantineReopened',
] as const;

export type OwnEventType = (typeof OWN_EVENT_TYPES)[number];

export const isOwnEventType = (type: string): type is OwnEventType => OWN_EVENT_TYPES.some((own) => own === type);

/** Every event type that this ledger writes. */
export const EVENT_TYPES: readonly EventType[] = [
  ...FLOWS.flatMap((flow) => [...TYPES[flow].values(), named(flow, 'UnlistedStatus')]),
  CONFLICTING_DELIVERY,
  DELIVERY_QUARANTINED,
  QUARANTINE_RELEASED,
  ...OWN_EVENT_TYPES.map((type) => branded<EventType>(type)),
];
