import { expect } from 'chai';
import type { OrderState } from '../../projections/order-state/index.ts';
import type { OrderPlace, OrdersQuestion, Page, ReadModels } from '../../src/read-models/read-models.ts';
import { right } from '../support/right.ts';

/** What is asked of read models that are at hand. */
export type Answers = Omit<ReadModels, 'includes' | 'progress' | 'close'>;

/** Where an order stands in a list. */
export const placeOf = ({ createdAt, orderId }: OrderState): OrderPlace => ({ createdAt, orderId });

/** What pages come to, each asked for behind the last row of the one before. */
export const joined = async <A, Place>(
  page: (after: Place | null) => Promise<Page<A>>,
  limit: number,
  place: (row: A) => Place,
): Promise<readonly A[]> => {
  const all: A[] = [];
  for (let after: Place | null = null; ;) {
    const { data, more }: Page<A> = await page(after);
    all.push(...data);
    const last = data.at(-1);
    expect(data.length).to.be.at.most(limit);
    if (last === undefined || !more) return all;
    expect(data.length).to.equal(limit);
    after = place(last);
  }
};

/** A whole list of orders, by its pages. */
export const joinedOrders = (
  answers: Answers,
  question: Omit<OrdersQuestion, 'after' | 'counted'>,
): Promise<readonly OrderState[]> =>
  joined<OrderState, OrderPlace>(
    async (after) => right(await answers.orders({ ...question, after, counted: false })()),
    question.limit,
    placeOf,
  );
