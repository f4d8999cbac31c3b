import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { anyText, parameter } from '../queries/parameters/parameters.ts';
import { liveReply, type LiveDependencies } from '../replies/live-reply.ts';
import type { ConsoleRoute } from './console-question.ts';
import { filledParameters } from './filled-parameters.ts';
import { sent } from './page.ts';

const PARAMETERS = { after: parameter('The position that the page includes.', anyText) } as const;

/** Live events for the pages that show themselves anew; the same as `GET /v1/events/live`, by the session. */
export const livePage = (deps: LiveDependencies): ConsoleRoute => ({
  method: 'get',
  path: '/console/live',
  scopes: ['orders:read'],
  answer: (asked) =>
    pipe(
      TE.fromEither(filledParameters(asked, PARAMETERS)),
      // A browser that connects again sends the id of its last event by itself; the first time, `after` says it.
      TE.chain(({ query: { after } }) =>
        liveReply(deps, {
          lastEventId: asked.lastEventId === '' ? (after ?? '') : asked.lastEventId,
          personal: asked.personal,
          reader: asked.reader,
        }),
      ),
      TE.map(sent),
    ),
});
