import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { ApiContext } from '../http/api-context.ts';
import { illFormed } from '../queries/failure/query-failure.ts';
import { fieldsIn } from '../queries/parameters/form-text.ts';
import { readParameters } from '../queries/parameters/parameters.ts';
import type { Answer } from './answer.ts';

/** So many are read to name the first of them: nobody has shown a key. */
const MOST_READ = 16;

const NONE_EXPECTED = illFormed('query', 'no query: there are no parameters');

/** The answer of a route that takes no parameters and asks for no key; a request that has one is refused, and the parameter named. */
export const withoutParameters = ({ querystring }: ApiContext, answer: Answer<never>): Answer<never> =>
  pipe(
    E.fromNullable(NONE_EXPECTED)(fieldsIn(querystring, MOST_READ)),
    E.chainW((texts) => readParameters(texts, {}, () => true)),
    TE.fromEither,
    TE.chain(() => answer),
  );
