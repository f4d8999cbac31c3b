import type { EventId } from './ids.ts';
import { compareInstants } from './instant.ts';
import type { Transfer } from './transfer.ts';

/** A transfer as one event says that it was seen. */
export type Observation = { readonly transfer: Transfer; readonly eventId: EventId };

const confirmationsOf = ({ confirmations }: Transfer): number => confirmations ?? -1;

const unitsKnown = ({ baseUnits }: Transfer): number => (baseUnits === null ? 0 : 1);

/**
 * Above 0 where the first of two observations of a transfer counts before the second: the newer one; of one moment the one
 * that knows the base units, then the one with more confirmations, then that with the greater id. Which of them came first
 * makes no difference (docs/spec/match.md).
 */
export const compareObservations = (a: Observation, b: Observation): number => {
  const inOrder = [
    compareInstants(a.transfer.observedAt, b.transfer.observedAt),
    unitsKnown(a.transfer) - unitsKnown(b.transfer),
    confirmationsOf(a.transfer) - confirmationsOf(b.transfer),
  ];
  return inOrder.find((order) => order !== 0) ?? (a.eventId === b.eventId ? 0 : a.eventId > b.eventId ? 1 : -1);
};
