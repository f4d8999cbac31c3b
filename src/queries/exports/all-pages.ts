import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Page } from '../../read-models/read-models.ts';

/**
 * All pages of a list, one after the other as they are consumed; a Left is the last.
 *
 * @param ask for the page behind a place; null: the first
 */
export async function* allPages<Failure, A, Place>(
  ask: (after: Place | null) => TE.TaskEither<Failure, Page<A>>,
  placeOf: (last: A) => Place,
): AsyncGenerator<E.Either<Failure, readonly A[]>, void, undefined> {
  let after: Place | null = null;
  for (;;) {
    const page: E.Either<Failure, Page<A>> = await ask(after)();
    if (E.isLeft(page)) {
      yield page;
      return;
    }
    const { data, more }: Page<A> = page.right;
    if (data.length > 0) yield E.right(data);
    const last = data.at(-1);
    if (!more || last === undefined) return;
    after = placeOf(last);
  }
}
