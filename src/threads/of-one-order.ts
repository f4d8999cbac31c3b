import type { Question } from './query-message.ts';

/** Routes whose answers are made of the stream of one order. */
const ROUTES: ReadonlySet<string> = new Set([
  'getOrder',
  'listOrderEvents',
  'getEventBody',
  'listOrderAudit',
  'getOrderEvidence',
]);

/** Whether a question is for the evidence of an order, of the interface or the console: some MB where it has thousands of events. */
export const isForEvidence = (question: Question): boolean => {
  if (question._tag === 'Handed') return question.handed.routeId === 'getOrderEvidence';
  return question._tag === 'Page' && question.handed.page.route === '/console/orders/{orderId}/evidence';
};

/** Whether a question is about one order: its answer takes a fraction of a millisecond, a list some of them. */
export const isOfOneOrder = (question: Question): boolean =>
  isForEvidence(question) || (question._tag === 'Handed' && ROUTES.has(question.handed.routeId));
