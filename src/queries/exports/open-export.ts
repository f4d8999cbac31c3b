import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { wait } from '../../concurrency/wait.ts';
import type { Position } from '../../domain/ids.ts';
import { comparePositions } from '../../domain/position.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { ReadModelsBehind } from '../../read-models/read-models.ts';
import type { ParameterTable, ParameterTexts, Query } from '../parameters/parameters.ts';
import { positionParameter, whenIncluded } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import type { ExportQuestion } from './export-questions.ts';
import type { ExportRequest } from './export-request.ts';
import type { OpenExport } from './exporter.ts';

/** After a swap a new generation may be a moment behind what the old one was known to include. */
const LOOK_AGAIN_MS = 50;
const LOOKS = 100;

const NOT_YET: ReadModelsBehind = {
  _tag: 'ReadModelsBehind',
  detail: 'a new generation serves, and is not as far yet',
};

/** An export that somebody asked for, and the position that it must include; null: whatever is there. */
export type AskedExport = { readonly request: ExportRequest; readonly position: Position | null };

/** What a query asks for, as an export. */
export const askedIn = <T extends ParameterTable>(
  { store, calendar, now }: Pick<QueryDependencies, 'store' | 'calendar' | 'now'>,
  { askedBy }: ExportQuestion<T>,
  {
    query,
    texts,
    personal,
  }: { readonly query: Query<T>; readonly texts: ParameterTexts; readonly personal: PersonalData },
): TE.TaskEither<QueryFailure, AskedExport> => {
  const { request, position } = askedBy(query, { texts, personal, calendar, now: now() });
  return pipe(
    positionParameter(store, position),
    TE.map((included) => ({ request, position: included })),
  );
};

const isBefore = (position: Position | null, asked: Position): boolean => comparePositions(position, asked) < 0;

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'exporter'>;

const opened =
  ({ exporter }: Deps, { request, position }: AskedExport): TE.TaskEither<QueryFailure, OpenExport> =>
  async () => {
    for (let look = 0; look < LOOKS; look += 1) {
      const open = await exporter(request)();
      if (E.isLeft(open) || position === null || !isBefore(open.right.position, position)) return open;
      await open.right.close();
      await wait(LOOK_AGAIN_MS);
    }
    return E.left(NOT_YET);
  };

/** An export that includes its position. */
export const openedExport = (deps: Deps, asked: AskedExport): TE.TaskEither<QueryFailure, OpenExport> =>
  pipe(
    whenIncluded(deps, asked.position),
    TE.chain(() => opened(deps, asked)),
  );
