import * as E from 'fp-ts/lib/Either.js';

/** The success of a result that a test takes for granted; anything else fails the test with what it was. */
export const right = <A>(result: E.Either<unknown, A>): A => {
  if (E.isRight(result)) return result.right;
  throw new Error(`expected a success, got ${JSON.stringify(result.left)}`);
};
