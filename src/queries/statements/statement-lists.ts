import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type * as t from 'io-ts';
import type { Page } from '../../read-models/read-models.ts';
import type { StatementId, StatementLine } from '../../domain/statement-line.ts';
import type { LinesQuestion, StatementsQuestion } from '../../read-models/bank-questions.ts';
import { notFound, type QueryFailure } from '../failure/query-failure.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { cursorOf, foreignCursor, placeInCursor } from '../parameters/cursor.ts';
import { cursorParameter, limitParameter, positionText, USUAL_LIMIT, type Query } from '../parameters/parameters.ts';
import { nextAfter, positionInCursor } from '../parameters/position-cursor.ts';
import { positionParameter, whenIncluded, type Including } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import {
  lineResource,
  statementResource,
  type LinePageResource,
  type StatementPageResource,
} from './statement-resources.ts';

/** The parameters of both lists. */
export const STATEMENT_LIST_PARAMETERS = {
  limit: limitParameter,
  cursor: cursorParameter,
  position: positionText,
} as const;

type Texts = Query<typeof STATEMENT_LIST_PARAMETERS>;
type Deps = Pick<QueryDependencies, 'store' | 'readModels'>;

const LIST = 'statements';

/** Reads what the list of imported files is asked for. */
export const parseStatementList =
  ({ store }: Pick<Deps, 'store'>) =>
  ({ limit, cursor, position }: Texts): TE.TaskEither<QueryFailure, StatementsQuestion & Including> =>
    pipe(
      positionInCursor(store, cursor, LIST),
      TE.bindTo('after'),
      TE.bindW('included', () => positionParameter(store, position)),
      TE.map(({ after, included }) => ({ after, limit: limit ?? USUAL_LIMIT, included })),
    );

/** Imported files, in the order in which they came. */
export const statementList =
  (deps: Deps, personal: PersonalData) =>
  ({
    included,
    ...question
  }: StatementsQuestion & Including): TE.TaskEither<QueryFailure, t.TypeOf<typeof StatementPageResource>> =>
    pipe(
      whenIncluded(deps, included),
      TE.chainW(() => deps.readModels.statements(question)),
      TE.map(({ data, more }) => ({
        data: data.map((statement) => statementResource(statement, personal)),
        next: nextAfter(LIST, data.at(-1)?.position, more),
      })),
    );

/** Each file's lines are a list of their own. */
const listOf = (id: StatementId): string => `lines of ${id}`;

/** Reads what the lines of a file are asked for. */
export const parseLineList =
  ({ store }: Pick<Deps, 'store'>, statementId: StatementId) =>
  ({ limit, cursor, position }: Texts): TE.TaskEither<QueryFailure, LinesQuestion & Including> =>
    pipe(
      TE.fromEither(placeInCursor(cursor, listOf(statementId))),
      TE.bindTo('place'),
      TE.bindW('included', () => positionParameter(store, position)),
      TE.chainW(({ place, included }): TE.TaskEither<QueryFailure, LinesQuestion & Including> => {
        const [text = ''] = place ?? [];
        if (place !== null && !/^\d{1,9}$/.test(text)) return TE.left(foreignCursor);
        const after = place === null ? null : Number(text);
        return TE.right({ statementId, after, limit: limit ?? USUAL_LIMIT, included });
      }),
    );

/** The lines of an imported file, in their order. */
export const lineList =
  (deps: Deps, personal: PersonalData) =>
  ({
    included,
    ...question
  }: LinesQuestion & Including): TE.TaskEither<QueryFailure, t.TypeOf<typeof LinePageResource>> =>
    pipe(
      whenIncluded(deps, included),
      TE.chainW(() => deps.readModels.statement(question.statementId)),
      TE.chainW((statement): TE.TaskEither<QueryFailure, Page<StatementLine>> =>
        statement === null ? TE.left(notFound('statement')) : deps.readModels.statementLines(question),
      ),
      TE.map(({ data, more }) => ({
        data: data.map((line) => lineResource(line, personal)),
        next: more ? cursorOf(listOf(question.statementId), [String(data.at(-1)?.index)]) : null,
      })),
    );
