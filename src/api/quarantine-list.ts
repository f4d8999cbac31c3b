import { taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import type * as t from 'io-ts';
import type { Problem } from '../http/problem.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { cursorParameter, limitParameter, positionText, USUAL_LIMIT, type Query } from './parameters.ts';
import { nextAfter, positionInCursor } from './position-cursor.ts';
import { positionParameter, whenIncluded } from './position-parameter.ts';
import { behind } from './query-problems.ts';
import type { PersonalData } from './resources/order-resource.ts';
import { type QuarantinePage, quarantineResource } from './resources/quarantine-resource.ts';

/** What `GET /v1/quarantine` takes. */
export const QUARANTINE_LIST_PARAMETERS = {
  limit: limitParameter,
  cursor: cursorParameter,
  position: positionText,
} as const;

const NAME = 'quarantine';

/** A page of what could not be read, in the order of positions (contract.md, `GET /v1/quarantine`): `{data, next}`. */
export const quarantineList =
  ({ store, readModels }: Pick<ApiDependencies, 'store' | 'readModels'>) =>
  (
    { limit, cursor, position: included }: Query<typeof QUARANTINE_LIST_PARAMETERS>,
    personal: PersonalData,
  ): TE.TaskEither<Problem, t.TypeOf<typeof QuarantinePage>> =>
    pipe(
      positionInCursor(store, cursor, NAME),
      TE.bindTo('after'),
      TE.bind('position', () => positionParameter(store, included)),
      TE.tap(({ position }) => whenIncluded({ store, readModels }, position)),
      TE.chain(({ after }) => pipe(readModels.quarantine(after, limit ?? USUAL_LIMIT), TE.mapLeft(behind))),
      TE.map(({ data, more }) => ({
        data: data.map((quarantined) => quarantineResource(quarantined, personal)),
        next: nextAfter(NAME, data.at(-1)?.position, more),
      })),
    );
