import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { readPath } from '../../queries/parameters/path-parameters.ts';
import { whenIncluded } from '../../queries/parameters/position-parameter.ts';
import { closeQuarantined, reopenQuarantined } from '../../queries/quarantine/close-quarantined.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import type { ConsoleRoute } from '../console-question.ts';
import { quarantinedPath } from '../links.ts';
import { seeOther } from '../page.ts';

type ClosingPath = '/console/quarantine/{eventId}/close' | '/console/quarantine/{eventId}/reopen';

const deedPage = (deps: ConsoleDependencies, path: ClosingPath, perform: typeof closeQuarantined): ConsoleRoute => ({
  method: 'post',
  path,
  scopes: ['quarantine:write'],
  answer: ({ path: asked, form, session, now, requestId }) =>
    pipe(
      TE.fromEither(readPath(path, asked)),
      TE.chainFirstW(({ eventId }) =>
        pipe(
          perform(deps, eventId, form.get('note') ?? '', { by: session.key.id, at: now, requestId }),
          TE.chainW(({ position }) => whenIncluded(deps, position)),
        ),
      ),
      TE.map(({ eventId }) => seeOther(quarantinedPath(eventId))),
    ),
});

/** Closes a quarantined delivery with a note, or opens it again; its page says so next. */
export const closingPages = (deps: ConsoleDependencies): readonly ConsoleRoute[] => [
  deedPage(deps, '/console/quarantine/{eventId}/close', closeQuarantined),
  deedPage(deps, '/console/quarantine/{eventId}/reopen', reopenQuarantined),
];
