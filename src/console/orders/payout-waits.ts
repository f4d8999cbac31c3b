import * as E from 'fp-ts/lib/Either.js';
import type { OrderId } from '../../domain/ids.ts';
import { epochMsOf } from '../../domain/instant.ts';
import { readEvents, recordedEvents } from '../../queries/orders/one-order.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { durationText } from '../duration-text.ts';
import { html, type Html } from '../html.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { unconfirmedSince } from '../order/payout-since.ts';
import type { ShownOrder } from '../shown-order.ts';

/** Of so many orders the history is read for it. */
const MOST_READ = 10;

/**
 * Since when payouts among some orders are unconfirmed, each as a sentence: who searched for a payout that hangs is answered at once.
 * An order whose history can't be read now has none.
 */
export const payoutWaits =
  (
    { store }: Pick<LargePageDependencies, 'store'>,
    orders: readonly ShownOrder[],
    { times, now }: Pick<ConsoleQuestion, 'times' | 'now'>,
  ) =>
  async (): Promise<ReadonlyMap<OrderId, Html>> => {
    const waits = new Map<OrderId, Html>();
    for (const order of orders.filter(({ phase }) => phase === 'deemed').slice(0, MOST_READ)) {
      // One at a time, so that a search takes no more of the store than the page of an order does.
      const events = E.chainW(readEvents)(await recordedEvents(store, order.orderId)());
      const since = E.isLeft(events) ? null : unconfirmedSince(order, events.right);
      if (since === null) continue;
      const waited = durationText(epochMsOf(now) - epochMsOf(since));
      waits.set(order.orderId, html`<span class="waits">since ${times.time(since)}, <strong>${waited}</strong></span>`);
    }
    return waits;
  };
