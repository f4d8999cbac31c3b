import * as E from 'fp-ts/lib/Either.js';
import { isOrderId, orderStream, type OrderId } from '../domain/ids.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import { oneSlipAway } from '../domain/nearest.ts';
import type { OpenLedger } from './command-context.ts';
import { failing, type CommandFailure } from './command-failure.ts';

const printable = (text: string): string => JSON.stringify(text).slice(1, -1);

const unknown = ({ knownOrders }: OpenLedger, text: string): E.Either<CommandFailure, never> => {
  const near = knownOrders(oneSlipAway(text)).map(printable);
  const hint = near.length === 0 ? '' : ` (did you mean ${near.join(' or ')}?)`;
  return failing(1, `there is no order ${printable(text)}${hint}`);
};

/** The events of the order that a command names; an id that no order has gets the nearest ones that there are. */
export const eventsOf = async (
  ledger: OpenLedger,
  text: string,
): Promise<E.Either<CommandFailure, readonly RecordedEvent[]>> => {
  if (!isOrderId(text)) return failing(1, `there is no order ${printable(text)}`);
  const orderId: OrderId = text;
  const events = await ledger.store.readStream(orderStream(orderId))();
  if (E.isLeft(events)) return failing(1, `the event store can't be read: ${events.left.detail}`);
  return events.right.length === 0 ? unknown(ledger, text) : events;
};
