import * as t from 'io-ts';

/** A codec of the values that a guard lets through, as they stand. */
export const guarded = <A>(name: string, is: t.Is<A>): t.Type<A> =>
  new t.Type<A>(name, is, (u, c) => (is(u) ? t.success(u) : t.failure(u, c)), t.identity);

/** A codec of the strings that a guard lets through. */
export const guardedText = <A extends string>(name: string, is: (text: string) => text is A): t.Type<A> =>
  guarded(name, (u): u is A => typeof u === 'string' && is(u));

/** A codec of some words. */
export const oneOf = <A extends string>(name: string, words: readonly A[]): t.Type<A> =>
  guardedText(name, (text): text is A => words.some((word) => word === text));
