import { either as E } from 'fp-ts';
import { isOrderId, type OrderId } from '../domain/ids.ts';
import type { Problem } from '../http/problem.ts';
import { notFound } from '../http/problem.ts';

/** A segment of a path, from 0, percent-decoded strictly; null where an escape is malformed or there is no such segment. */
const segment = (path: string, index: number): string | null => {
  try {
    return decodeURIComponent(path.split('/')[index + 1] ?? '');
  } catch {
    return null;
  }
};

/** The order that a path `/v1/orders/{orderId}…` names; 404 where that can be no order's id. */
export const orderIdInPath = (path: string): E.Either<Problem, OrderId> => {
  const id = segment(path, 2);
  return id !== null && isOrderId(id) ? E.right(id) : E.left(notFound('there is no such order'));
};

/** The revision in a path `/v1/orders/{orderId}/events/{revision}…` as it was written. */
export const revisionInPath = (path: string): string => segment(path, 4) ?? '';
