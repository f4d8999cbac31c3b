import * as E from 'fp-ts/lib/Either.js';
import type { OrderState } from '../../projections/order-state/index.ts';
import { wait } from '../concurrency/wait.ts';
import type { ChangedOrder, OrdersPage, ReadModelsUnavailable } from '../read-models/read-models.ts';
import { readState } from '../read-models/stored-state.ts';
import type { ChangedTexts } from './query-message.ts';

const DAMAGED: E.Either<ReadModelsUnavailable, never> = E.left({
  _tag: 'ReadModelsUnavailable',
  detail: 'an order of the read models is damaged; run "ramp-ledger replay"',
});

/** The orders of a page, which cross threads as the texts that read models store. */
export const statesOf = ({
  data,
  more,
  total,
}: OrdersPage<string>): E.Either<ReadModelsUnavailable, OrdersPage<OrderState>> => {
  const states = data.map(readState).filter((state) => state !== null);
  return states.length === data.length ? E.right({ data: states, more, total }) : DAMAGED;
};

/** Read so many at a time: there may be thousands, and deliveries have their turn in between. */
const CHANGES_AT_A_STRETCH = 100;

const stateOf = (text: string | null): E.Either<ReadModelsUnavailable, OrderState | null> => {
  const state = text === null ? null : readState(text);
  return (state === null) === (text === null) ? E.right(state) : DAMAGED;
};

/** The orders that have changed, each as it was and as it is. */
export const changesOf = async (
  texts: readonly ChangedTexts[],
): Promise<E.Either<ReadModelsUnavailable, readonly ChangedOrder[]>> => {
  const changes: ChangedOrder[] = [];
  for (const [i, { before, now, ...of }] of texts.entries()) {
    if (i % CHANGES_AT_A_STRETCH === CHANGES_AT_A_STRETCH - 1) await wait(0);
    const [was, is] = [stateOf(before), stateOf(now)];
    if (E.isLeft(was)) return was;
    if (E.isLeft(is)) return is;
    changes.push({ ...of, before: was.right, now: is.right });
  }
  return E.right(changes);
};
