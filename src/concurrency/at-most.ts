import * as E from 'fp-ts/lib/Either.js';
import limited from 'p-limit';

/** Asks for each item, so many at a time; the answers are in the order of the items. A Left is the answer to all, and begins nothing more. */
export const atMost = async <Failure, A, B>(
  most: number,
  items: readonly A[],
  ask: (item: A) => Promise<E.Either<Failure, B>>,
): Promise<E.Either<Failure, readonly B[]>> => {
  const failures: E.Either<Failure, never>[] = [];
  const answers = await limited(most).map(items, async (item) => {
    const answer = failures[0] ?? (await ask(item));
    if (E.isLeft(answer)) failures.push(answer);
    return answer;
  });
  return E.sequenceArray(answers);
};
