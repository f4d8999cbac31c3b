import { either as E } from 'fp-ts';
import { isOrderId, orderStream, type OrderId } from '../domain/ids.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { CommandFailure, OpenLedger } from './command-context.ts';

const printable = (text: string): string => JSON.stringify(text).slice(1, -1);

const unknown = (text: string): E.Either<CommandFailure, never> =>
  E.left({ status: 1, line: `there is no order ${printable(text)}` });

/** The events of the order that a command names. */
export const eventsOf = async (
  { store }: OpenLedger,
  text: string,
): Promise<E.Either<CommandFailure, readonly RecordedEvent[]>> => {
  if (!isOrderId(text)) return unknown(text);
  const orderId: OrderId = text;
  const events = await store.readStream(orderStream(orderId))();
  if (E.isLeft(events)) return E.left({ status: 1, line: `the event store can't be read: ${events.left.detail}` });
  return events.right.length === 0 ? unknown(text) : events;
};
