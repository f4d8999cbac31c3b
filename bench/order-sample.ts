import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { EVENTS_OF_AN_ORDER, isOpen, orderStep, type Filling } from './ledger-filler.ts';

/** Facts of an order that is in a filled ledger, to search for. */
export type OrderSample = {
  readonly orderId: string;
  readonly status: string;
  readonly wallet: string;
  readonly email: string;
  /** Of on-ramp orders, else empty. */
  readonly txnHash: string;
  /** Of off-ramp orders, else empty. */
  readonly utr: string;
  /** Ms since 1970. */
  readonly createdAt: number;
};

const Payload = t.intersection([
  t.type({ orderId: t.string, status: t.string, customer: t.type({ email: t.string }) }),
  t.partial({
    receiverWalletAddress: t.string,
    senderWalletAddress: t.string,
    txnHash: t.string,
    utr: t.string,
    createdAt: t.string,
    created_at: t.string,
  }),
]);

const sampleOf = (filling: Filling, order: number): OrderSample => {
  const { event } = orderStep(filling, { order, step: EVENTS_OF_AN_ORDER - 1 });
  const decoded = Payload.decode(JSON.parse(Buffer.from(event.data).toString('utf8')));
  if (E.isLeft(decoded)) throw new Error('an order of the ledger could not be read');
  const payload = decoded.right;
  return {
    orderId: payload.orderId,
    status: payload.status,
    wallet: payload.receiverWalletAddress ?? payload.senderWalletAddress ?? '',
    email: payload.customer.email,
    txnHash: payload.txnHash ?? '',
    utr: payload.utr ?? '',
    createdAt: Date.parse(payload.createdAt ?? payload.created_at ?? ''),
  };
};

/** Of so many orders from all over a ledger, of both flows in turns, those that were settled. */
export const orderSamples = (filling: Filling, count: number): readonly OrderSample[] => {
  const isSettled = ({ status, txnHash }: OrderSample): boolean =>
    status === 'PayoutSuccess' || (status === 'completed' && txnHash !== '');
  const numbers = Array.from({ length: count }, (_, i) => {
    const order = Math.floor((i * filling.orders) / count);
    return order - (order % 2) + (i % 2);
  });
  return numbers
    .filter((order) => !isOpen(filling.steps, order))
    .map((order) => sampleOf(filling, order))
    .filter(isSettled);
};
