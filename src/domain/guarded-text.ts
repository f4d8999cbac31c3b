import * as t from 'io-ts';

/** A codec of the strings that a guard lets through, as they stand. */
export const guardedText = <A extends string>(name: string, is: (text: string) => text is A): t.Type<A> => {
  const guard = (u: unknown): u is A => typeof u === 'string' && is(u);
  return new t.Type<A>(name, guard, (u, c) => (guard(u) ? t.success(u) : t.failure(u, c)), t.identity);
};
