import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { illFormed, type InvalidParameter } from '../queries/failure/query-failure.ts';

/** A list in a body has so many members at the most; the decoder would make an error of each of a hundred thousand. */
const MOST_MEMBERS = 1_000;

/** The name of the first member of a body that is a list with too many members. */
const tooLong = (value: unknown): string | undefined =>
  Array.isArray(value) || !(value instanceof Object)
    ? undefined
    : Object.entries(value).find(([, list]) => Array.isArray(list) && list.length > MOST_MEMBERS)?.[0];

/** A body as JSON by its codec; an empty one says as much as `{}`. The failure names the first member that is wrong. */
export const jsonIn = <A>(codec: t.Decoder<unknown, A>, bytes: Buffer): E.Either<InvalidParameter, A> => {
  let value: unknown;
  try {
    value = bytes.length === 0 ? {} : JSON.parse(bytes.toString());
  } catch {
    return E.left(illFormed('body', 'JSON'));
  }
  const long = tooLong(value);
  if (long !== undefined) return E.left(illFormed(long, `at most ${MOST_MEMBERS} members`));
  return E.mapLeft(([first]: t.Errors) => {
    const names = (first?.context ?? []).map(({ key }) => key).filter((key) => key !== '' && !/^\d+$/.test(key));
    return illFormed(
      names.length === 0 ? 'body' : names.join('.'),
      first?.context.at(-1)?.type.name ?? 'a JSON object',
    );
  })(codec.decode(value));
};
