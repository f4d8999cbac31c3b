import { taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import type * as t from 'io-ts';
import type { Problem } from '../http/problem.ts';
import type { Quarantined } from '../read-models/read-models.ts';
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

const listName = (waiting: boolean): string => (waiting ? 'quarantine waiting' : 'quarantine');

/** Quarantined deliveries of a list, and the cursor of the next page. */
export type QuarantinedPage = { readonly deliveries: readonly Quarantined[]; readonly next: string | null };

/**
 * The page of what could not be read that parameters of `GET /v1/quarantine` ask for, in the order of positions.
 * `waiting`: only of what was not released.
 */
export const quarantinePage =
  ({ store, readModels }: Pick<ApiDependencies, 'store' | 'readModels'>, waiting = false) =>
  ({
    limit,
    cursor,
    position: included,
  }: Query<typeof QUARANTINE_LIST_PARAMETERS>): TE.TaskEither<Problem, QuarantinedPage> =>
    pipe(
      positionInCursor(store, cursor, listName(waiting)),
      TE.bindTo('after'),
      TE.bind('position', () => positionParameter(store, included)),
      TE.tap(({ position }) => whenIncluded({ store, readModels }, position)),
      TE.chain(({ after }) =>
        pipe(readModels.quarantine({ waiting, after, limit: limit ?? USUAL_LIMIT }), TE.mapLeft(behind)),
      ),
      TE.map(({ data, more }) => ({
        deliveries: data,
        next: nextAfter(listName(waiting), data.at(-1)?.position, more),
      })),
    );

/** The same page as callers see it (docs/spec/http.md, Quarantine): `{data, next}`. */
export const quarantineList =
  (deps: Pick<ApiDependencies, 'store' | 'readModels'>) =>
  (
    query: Query<typeof QUARANTINE_LIST_PARAMETERS>,
    personal: PersonalData,
  ): TE.TaskEither<Problem, t.TypeOf<typeof QuarantinePage>> =>
    pipe(
      quarantinePage(deps)(query),
      TE.map(({ deliveries, next }) => ({
        data: deliveries.map((quarantined) => quarantineResource(quarantined, personal)),
        next,
      })),
    );
