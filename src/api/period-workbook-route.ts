import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { closeBook } from '../queries/periods/book/close-book.ts';
import { ATTACHED } from '../replies/attached.ts';
import { closeReply } from '../replies/close-reply.ts';
import { XLSX } from '../replies/media-types.ts';
import type { ClosedMonthDependencies } from './period-adjustments-route.ts';
import { route, type ApiRoute } from './route.ts';

/** A closed month as a workbook (docs/spec/http.md, Periods). */
export const periodWorkbookRoute = (deps: ClosedMonthDependencies): ApiRoute =>
  route(deps, {
    id: 'getPeriodWorkbook',
    large: true,
    method: 'get',
    path: '/v1/periods/{period}/workbook',
    tag: 'Periods',
    summary: 'A closed month as a workbook',
    description:
      'Who closed it and how, its reports by day, readiness as it was, and what came for earlier months between the close before and this one.',
    scopes: ['reports:read'],
    parameters: {},
    answers: {
      description: 'The workbook.',
      resource: null,
      others: [{ type: XLSX.type, schema: {} }],
      headers: { 'Content-Disposition': ATTACHED },
    },
    problems: ['not-found', 'not-closed', 'behind', 'store-unavailable', 'unreadable-event'],
    answer: ({ inPath: { period }, personal }) =>
      pipe(
        closeBook(deps, period, ['day']),
        TE.chainTaskK((book) => closeReply(book, personal)),
      ),
  });
