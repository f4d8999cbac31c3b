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

/** The name of the first field with an ill-formed escape; where the escape is in the name itself, the query's. */
const illEscapedIn = (text: string): string => {
  const field = text.split('&').find((one) => !isWellEscaped(one)) ?? '';
  const [name = ''] = field.split('=', 1);
  const read = fieldsIn(name)?.[0]?.[0] ?? '';
  return read === '' ? 'query' : read;
};

/** The fields of the query string of a question. */
export const queryTexts = (querystring: string): E.Either<InvalidParameter, ParameterTexts> => {
  const fields = fieldsIn(querystring);
  return fields === null
    ? E.left(illFormed(illEscapedIn(querystring), 'escapes that are UTF-8, as %C3%A9'))
    : E.right(fields);
};
