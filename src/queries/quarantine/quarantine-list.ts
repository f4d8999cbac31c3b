import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type * as t from 'io-ts';
import { QUARANTINE_STATES, type QuarantineState } from '../../domain/quarantine-state.ts';
import type { Quarantined, QuarantineQuestion } from '../../read-models/read-models.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import {
  cursorParameter,
  limitParameter,
  oneOf,
  parameter,
  positionText,
  USUAL_LIMIT,
  type Query,
} from '../parameters/parameters.ts';
import { nextAfter, positionInCursor } from '../parameters/position-cursor.ts';
import { positionParameter, whenIncluded, type Including } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { type QuarantinePageResource, quarantineResource } from './quarantine-resource.ts';

/** The parameters of the quarantine. */
export const QUARANTINE_LIST_PARAMETERS = {
  state: parameter(
    'What became of them: those that wait, were closed by somebody, or were released.',
    oneOf(QUARANTINE_STATES),
  ),
  limit: limitParameter,
  cursor: cursorParameter,
  position: positionText,
} as const;

const listName = (state: QuarantineState | null): string => (state === null ? 'quarantine' : `quarantine ${state}`);

/** Quarantined deliveries of a list, and the cursor of the next page. */
export type QuarantinedPage = { readonly deliveries: readonly Quarantined[]; readonly next: string | null };

/** What is asked of the list: its parameters, read and found to be ones that this ledger can answer. */
export type QuarantineListQuestion = QuarantineQuestion & Including;

/** Reads what the parameters of the list ask for. */
export const parseQuarantineList =
  ({ store }: Pick<QueryDependencies, 'store'>) =>
  ({
    state,
    limit,
    cursor,
    position,
  }: Query<typeof QUARANTINE_LIST_PARAMETERS>): TE.TaskEither<QueryFailure, QuarantineListQuestion> =>
    pipe(
      positionInCursor(store, cursor, listName(state)),
      TE.bindTo('after'),
      TE.bindW('included', () => positionParameter(store, position)),
      TE.map(({ after, included }) => ({ state, after, limit: limit ?? USUAL_LIMIT, included })),
    );

/** A page of what could not be read, in the order of positions. */
export const quarantinePage =
  ({ store, readModels }: Pick<QueryDependencies, 'store' | 'readModels'>) =>
  ({ included, ...question }: QuarantineListQuestion): TE.TaskEither<QueryFailure, QuarantinedPage> =>
    pipe(
      whenIncluded({ store, readModels }, included),
      TE.chainW(() => readModels.quarantine(question)),
      TE.map(({ data, more }) => ({
        deliveries: data,
        next: nextAfter(listName(question.state), data.at(-1)?.position, more),
      })),
    );

/** The same page as callers see it (docs/spec/http.md, Quarantine): `{data, next}`. */
export const quarantineList =
  (deps: Pick<QueryDependencies, 'store' | 'readModels'>, personal: PersonalData) =>
  (question: QuarantineListQuestion): TE.TaskEither<QueryFailure, t.TypeOf<typeof QuarantinePageResource>> =>
    pipe(
      quarantinePage(deps)(question),
      TE.map(({ deliveries, next }) => ({
        data: deliveries.map((quarantined) => quarantineResource(quarantined, personal)),
        next,
      })),
    );
