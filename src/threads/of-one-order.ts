import type { Question } from './query-message.ts';

/** Routes whose answers are made of the stream of one order. */
const ROUTES: ReadonlySet<string> = new Set([
  'getOrder',
  'listOrderEvents',
  'getEventBody',
  'listOrderAudit',
  'getOrderEvidence',
]);

/** Whether a question is about one order: its answer takes a fraction of a millisecond, a list some of them. */
export const isOfOneOrder = (question: Question): boolean =>
  question._tag === 'Handed' && ROUTES.has(question.handed.routeId);
