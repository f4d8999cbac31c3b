import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { InvalidParameter, QueryFailure } from '../queries/failure/query-failure.ts';
import {
  readParameters,
  type ParameterTable,
  type ParameterTexts,
  type Query,
} from '../queries/parameters/parameters.ts';
import { queryTexts } from '../replies/query-texts.ts';
import type { ConsoleQuestion } from './console-question.ts';

/** Parameters as they stand in the URL of a page, by name; for its forms and its links. */
export type FilledTexts = ReadonlyMap<string, string>;

/** What the URL of a page asks for: as it stands there, and as it is read. */
export type Filled<T extends ParameterTable> = { readonly texts: FilledTexts; readonly query: Query<T> };

/** What stands in the URL of a page. A form sends every field of its own: an empty one is one that was left out. */
export const filledTexts = ({
  querystring,
}: Pick<ConsoleQuestion, 'querystring'>): E.Either<InvalidParameter, ParameterTexts> =>
  pipe(
    queryTexts(querystring),
    E.map((texts) => texts.filter(([, text]) => text.trim() !== '')),
  );

/** The parameters of a page. */
export const filledParameters = <T extends ParameterTable>(
  question: Pick<ConsoleQuestion, 'querystring' | 'session'>,
  table: T,
): E.Either<QueryFailure, Filled<T>> =>
  pipe(
    filledTexts(question),
    E.chainW((texts) =>
      pipe(
        readParameters(texts, table, (scope) => question.session.key.scopes.has(scope)),
        E.map((query) => ({ texts: new Map(texts), query })),
      ),
    ),
  );
