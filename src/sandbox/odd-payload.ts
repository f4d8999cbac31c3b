import type { Flow } from '../domain/flow.ts';
import type { JsonObject } from '../domain/json.ts';
import type { TakenEvent } from './expected-order.ts';
import type { Fault } from './fault.ts';
import { textIn } from './order-basics.ts';
import type { OrderEvent, SandboxOrder } from './sandbox-order.ts';

/** Of no customer that the sandbox makes up. */
const OTHER_WALLET = '0x00000000000000000000000000000000000000ff';

const WALLET: Readonly<Record<Flow, string>> = { onramp: 'receiverWalletAddress', offramp: 'senderWalletAddress' };

/** A text that no figure is made of. */
const TEXT: Readonly<Record<Flow, string>> = { onramp: 'txnHash', offramp: 'tenantId' };

/** An event of an order, the payload that tells it, and what a ledger must make of it. */
export type PlannedEvent = OrderEvent & { readonly payload: JsonObject; readonly tells: TakenEvent };

/** The events of an order as they are told, the last of them with the faults that are in its payload. */
export const plannedEvents = (
  { flow, payload }: SandboxOrder,
  events: readonly OrderEvent[],
  faults: ReadonlySet<Fault>,
): readonly PlannedEvent[] =>
  events.map((event, i) => {
    const isLast = i === events.length - 1;
    const [isOther, isUnreadable] = [isLast && faults.has('other-wallet'), isLast && faults.has('unreadable-field')];
    const told: JsonObject = {
      ...payload(event),
      ...(isOther ? { [WALLET[flow]]: OTHER_WALLET } : {}),
      ...(isUnreadable ? { [TEXT[flow]]: 7 } : {}),
    };
    const wallet = (textIn(told, WALLET[flow]) ?? '').toLowerCase();
    return { ...event, payload: told, tells: { status: event.status, utr: event.utr, wallet, isWhole: !isUnreadable } };
  });
