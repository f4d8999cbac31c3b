import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { wait } from '../../concurrency/wait.ts';
import type { Position } from '../../domain/ids.ts';
import { comparePositions } from '../../domain/position.ts';
import type { ReadModelsBehind } from '../../read-models/read-models.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { whenMatched } from '../reconciliation/when-matched.ts';
import { whenIncluded } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { withMoment, type AskedExport } from './export-questions.ts';
import type { ExportRequest } from './export-request.ts';
import type { OpenExport } from './exporter.ts';

/** When a new generation of read models takes over, it may lack for a moment what the one before it included. */
const LOOK_AGAIN_MS = 50;
const LOOKS = 100;

const NOT_YET: ReadModelsBehind = {
  _tag: 'ReadModelsBehind',
  detail: 'a new generation serves, and is not as far yet',
};

const isBefore = (position: Position | null, asked: Position): boolean => comparePositions(position, asked) < 0;

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'exporter' | 'now'>;

const opened =
  ({ exporter }: Deps, request: ExportRequest, included: Position | null): TE.TaskEither<QueryFailure, OpenExport> =>
  async () => {
    for (let look = 0; look < LOOKS; look += 1) {
      const open = await exporter(request)();
      const isOfPast = request.kind === 'orders' && request.asOf !== undefined;
      if (E.isLeft(open) || isOfPast || included === null || !isBefore(open.right.position, included)) return open;
      await open.right.close();
      await wait(LOOK_AGAIN_MS);
    }
    return E.left(NOT_YET);
  };

/** An export that includes its position. */
export const openedExport = (deps: Deps, asked: AskedExport): TE.TaskEither<QueryFailure, OpenExport> =>
  pipe(
    asked.request.kind === 'reconciliation' ? whenMatched(deps, asked.included) : whenIncluded(deps, asked.included),
    TE.chain(() => withMoment(deps, asked)),
    TE.chain((request) => opened(deps, request, asked.included)),
  );
