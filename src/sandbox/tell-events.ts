import type { Pause } from '../concurrency/wait.ts';
import type { Deliver, Retries } from './courier.ts';
import { deliveryScript, type Track } from './delivery-script.ts';
import type { OrderTally } from './expectation.ts';
import type { Fault } from './fault.ts';
import { plannedEvents } from './odd-payload.ts';
import type { Pacer } from './pacer.ts';
import { tellsEvent, type Sign } from './parcel.ts';
import type { Random } from './random.ts';
import type { OrderEvent, SandboxOrder } from './sandbox-order.ts';

/** An order that goes on, and what of it was taken so far. */
export type LiveOrder = { readonly order: SandboxOrder; readonly tally: OrderTally };

export type Telling = {
  readonly events: readonly OrderEvent[];
  readonly faults: ReadonlySet<Fault>;
  readonly pacer: Pacer;
};

export type TellDeps = {
  readonly random: Random;
  readonly sign: Sign;
  readonly deliver: Deliver;
  readonly retries: Retries;
  readonly wait: Pause;
};

/** Delivers events of an order with their faults; resolves when each was taken or given up. */
export const tellEvents = (deps: TellDeps): ((live: LiveOrder, telling: Telling) => Promise<void>) => {
  const walk = async (
    { delayMs, parcels, tells }: Track,
    tally: OrderTally,
    pacer: Pacer,
    retries: Retries,
  ): Promise<void> => {
    if (delayMs > 0) await deps.wait(delayMs);
    let eventTaken = false;
    for (const parcel of parcels) {
      // If the event was not taken, the delivery with other facts would be recorded as the event.
      if (parcel.kind === 'other-facts' && !eventTaken) continue;
      if (!(await deps.deliver(parcel, pacer, retries))) continue;
      if (parcel.kind === 'other-facts') tally.contradicted();
      if (!tellsEvent(parcel)) continue;
      eventTaken = true;
      tally.taken(tells);
    }
  };

  return async ({ order, tally }, { events, faults, pacer }) => {
    const { orderId } = order;
    const planned = plannedEvents(order, events, faults);
    const random = deps.random.derived(`telling/${orderId}/${events[0]?.status ?? ''}`);
    const { tracks, together } = deliveryScript(orderId, planned, faults, deps.sign, random);
    const retries = faults.has('give-up') ? { ...deps.retries, mostTries: 1 } : deps.retries;
    const all = tracks.map((track) => () => walk(track, tally, pacer, retries));
    if (together) await Promise.all(all.map((one) => one()));
    else for (const one of all) await one();
  };
};
