import { taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import type { JsonObject } from '../domain/json.ts';
import type { Problem } from '../http/problem.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { limitParameter, type Parameters } from './parameters.ts';
import { nextAfter, positionInCursor } from './position-cursor.ts';
import { positionParameter, whenIncluded } from './position-parameter.ts';
import { behind } from './query-problems.ts';
import type { PersonalData } from './resources/order-resource.ts';
import { quarantineResource } from './resources/quarantine-resource.ts';

/** What `GET /v1/quarantine` takes. */
export const QUARANTINE_LIST_PARAMETERS = ['limit', 'cursor', 'position'] as const;

const NAME = 'quarantine';

/** A page of what could not be read, in the order of positions (contract.md, `GET /v1/quarantine`): `{data, next}`. */
export const quarantineList =
  ({ store, readModels }: Pick<ApiDependencies, 'store' | 'readModels'>) =>
  (parameters: Parameters, personal: PersonalData): TE.TaskEither<Problem, JsonObject> =>
    pipe(
      TE.fromEither(limitParameter(parameters)),
      TE.bindTo('limit'),
      TE.bind('after', () => positionInCursor(store, parameters, NAME)),
      TE.bind('position', () => positionParameter(store, parameters)),
      TE.tap(({ position }) => whenIncluded({ store, readModels }, position)),
      TE.chain(({ after, limit }) => pipe(readModels.quarantine(after, limit), TE.mapLeft(behind))),
      TE.map(({ data, more }) => ({
        data: data.map((quarantined) => quarantineResource(quarantined, personal)),
        next: nextAfter(NAME, data.at(-1)?.position, more),
      })),
    );
