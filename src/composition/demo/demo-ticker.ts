import { member, isJsonObject, type JsonValue } from '../../domain/json.ts';
import { parseNatively } from '../../domain/parse-json.ts';
import type { Delivery, DeliveryLog } from '../../sandbox/delivery-log.ts';

const LOOK_EVERY_MS = 250;
const FLOW_WIDTH = 7;
const STATUS_WIDTH = 13;

const memberOf = (text: string, name: string): JsonValue | undefined => {
  const value = parseNatively(text);
  return value !== undefined && isJsonObject(value) ? member(value, name) : undefined;
};

/** `recorded` and its like; else the answer's status, or why there was none. */
const outcomeOf = ({ answer }: Delivery): string => {
  if (answer === null) return '';
  if ('error' in answer) return answer.error;
  const outcome = memberOf(answer.body, 'outcome');
  return typeof outcome === 'string' ? outcome : String(answer.status);
};

const lineOf = (delivery: Delivery): string => {
  const { body, status, orderId } = delivery.parcel;
  const flow = memberOf(body.toString(), 'eventType');
  const columns = [
    delivery.sentAt.slice(11, 19),
    (typeof flow === 'string' ? flow : '').padEnd(FLOW_WIDTH),
    status.padEnd(STATUS_WIDTH),
    orderId,
    outcomeOf(delivery),
  ];
  return `${columns.join('  ')}\n`;
};

/** Shows each delivery that is sent from now on, when it is answered, in the order of sending. The answer stops it. */
export const showDeliveries = (deliveries: DeliveryLog, say: (text: string) => void): (() => void) => {
  let shown = deliveries.counts().sent;
  const timer = setInterval(() => {
    for (const delivery of deliveries.all()) {
      if (delivery.number <= shown) continue;
      if (delivery.answer === null) return;
      shown = delivery.number;
      say(lineOf(delivery));
    }
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
};
