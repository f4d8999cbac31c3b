import * as E from 'fp-ts/lib/Either.js';
import { isWellEscaped, MOST_FIELDS, readUrlEncoded } from '../http/url-encoded.ts';
import { illFormed, type InvalidParameter } from '../queries/failure/query-failure.ts';
import type { ParameterTexts } from '../queries/parameters/parameters.ts';

const TOO_MANY = illFormed('query', `at most ${MOST_FIELDS} parameters`);

/** Names the first parameter with an ill-formed escape, or the query where the escape is in the name itself. */
const illEscaped = (text: string): InvalidParameter => {
  const field = text.split('&').find((one) => !isWellEscaped(one)) ?? '';
  const name = [...(readUrlEncoded(field.split('=', 1).join('')) ?? [])][0]?.[0] ?? '';
  return illFormed(name === '' ? 'query' : name, 'each escape to be % and two hex digits, and all of it UTF-8');
};

/** The parameters of a query string as they came. */
export const queryTexts = (querystring: string): E.Either<InvalidParameter, ParameterTexts> => {
  const read = readUrlEncoded(querystring);
  if (read !== null) return E.right([...read]);
  return E.left(isWellEscaped(querystring) ? TOO_MANY : illEscaped(querystring));
};
