import { either as E } from 'fp-ts';
import { isOrderId, type OrderId } from '../domain/ids.ts';
import { notFound, type Problem } from '../http/problem.ts';
import { pathSegment } from './path-segment.ts';

/** The order that a path `/v1/orders/{orderId}…` names; 404 where that can be no order's id. */
export const orderIdInPath = (path: string): E.Either<Problem, OrderId> => {
  const id = pathSegment(path, 2);
  return id !== null && isOrderId(id) ? E.right(id) : E.left(notFound('there is no such order'));
};

/** The revision in a path `/v1/orders/{orderId}/events/{revision}…` as it was written. */
export const revisionInPath = (path: string): string => pathSegment(path, 4) ?? '';
