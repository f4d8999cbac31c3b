import * as E from 'fp-ts/lib/Either.js';
import { illFormed, type InvalidParameter } from '../failure/query-failure.ts';
import type { ParameterTexts } from './parameters.ts';

/** Whether every escape of a text is two hex digits, and all of them are UTF-8. */
const isWellEscaped = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * The fields of a query string, or of a form that is written like one; null where an escape in it is ill-formed, which no
 * browser sends, or where there are more fields than may be. The parser of the platform throws an error of its own for each
 * ill-formed escape: 16 KB of them would hold the thread that receives for 20 ms. Here one ends it.
 */
export const fieldsIn = (text: string, most = Number.POSITIVE_INFINITY): ParameterTexts | null => {
  if (Number.isFinite(most) && text.split('&', most + 1).length > most) return null;
  return isWellEscaped(text) ? [...new URLSearchParams(text)] : null;
};

const ILL_ESCAPED = illFormed('query', 'fields whose escapes are UTF-8, as %C3%A9');

/** The fields of the query string of a question. */
export const queryTexts = (querystring: string): E.Either<InvalidParameter, ParameterTexts> =>
  E.fromNullable(ILL_ESCAPED)(fieldsIn(querystring));
