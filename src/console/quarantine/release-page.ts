import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { readPath } from '../../queries/parameters/path-parameters.ts';
import { release } from '../../queries/quarantine/release.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import type { ConsoleRoute } from '../console-question.ts';
import { quarantinedPath } from '../links.ts';
import { seeOther } from '../page.ts';

const PATH = '/console/quarantine/{eventId}/release';

/** Has a quarantined delivery decided again (docs/spec/domain.md, Release); its page says what came of it. */
export const releasePage = (deps: ConsoleDependencies): ConsoleRoute => ({
  method: 'post',
  path: PATH,
  scopes: ['quarantine:write'],
  answer: ({ path, requestId }) =>
    pipe(
      TE.fromEither(readPath(PATH, path)),
      TE.chainFirstW(({ eventId }) => release(deps, eventId, requestId)),
      TE.map(({ eventId }) => seeOther(`${quarantinedPath(eventId)}?decided=again`)),
    ),
});
