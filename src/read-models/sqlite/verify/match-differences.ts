import { compared } from '../../compared.ts';
import { readModelFailure, type ReadModelFailure } from '../../verification.ts';

/** Differences that are named one by one; more of them say no more. */
const MOST_NAMED = 100;

/** What differs of the match: gathered, as many as are worth naming. */
export class MatchDifferences {
  readonly failures: ReadModelFailure[] = [];

  /** Looks at one thing. A damaged row that is read on the way is a difference of it, and hides no other. */
  look(what: string, look: () => void): void {
    compared(look, (detail) => this.add(`${what}: ${detail}`));
  }

  add(detail: string): void {
    if (this.failures.length < MOST_NAMED) this.failures.push(readModelFailure('read-model-match-differs', detail));
  }

  /** Two sets that must be one. */
  same(what: string, stored: ReadonlySet<string>, expected: ReadonlySet<string>): void {
    for (const key of stored.symmetricDifference(expected)) this.add(`${what} ${key} of the match differ`);
  }
}

/** Null for what is damaged, which is a difference here. */
export const readable = <A, B>(it: A, of: (it: A) => B | null): B | null =>
  compared(
    () => of(it),
    () => null,
  );
