import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { ApiContext } from '../http/api-context.ts';
import { readParameters } from '../queries/parameters/parameters.ts';
import { queryTexts } from '../replies/query-texts.ts';
import type { Answer } from './answer.ts';

/** The answer of a route that takes no parameters and asks for no key; a request that has one is refused, and the parameter named. */
export const withoutParameters = ({ querystring }: ApiContext, answer: Answer<never>): Answer<never> =>
  pipe(
    queryTexts(querystring),
    E.chainW((texts) => readParameters(texts, {}, () => true)),
    TE.fromEither,
    TE.chain(() => answer),
  );
