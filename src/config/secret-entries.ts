import * as E from 'fp-ts/lib/Either.js';
import { configError, type ConfigError } from './config-error.ts';

/** One `head=value` of a list. Its number counts from 1; errors name it by that, since head and value may be swapped by mistake. */
export type SecretEntry = { readonly number: number; readonly head: string; readonly value: string };

/** What a list has: the entries that can be read, and an error for each of the others, in their order. */
export type ReadEntries<A> = { readonly entries: readonly A[]; readonly errors: readonly ConfigError[] };

/** A secret's length below which it can be guessed (docs/spec/receiving.md, Secrets). */
export const FEWEST_SECRET_BYTES = 24;

/**
 * How a kind of list is written, and what its values are called, for errors. `isOutOfUse`: what it holds opens nothing any more, so that
 * an id may have any form that it had.
 */
export type ListForm = { readonly form: string; readonly noun: string; readonly isOutOfUse?: true };

/** What people write before what they take out of a file, in one kind of file or another. */
const TAKEN_OUT = /^(?:[#;'"]|\/[/*]|--|<!)/;

const checkEntry = (variable: string, { form, noun, isOutOfUse }: ListForm, { number, head, value }: SecretEntry) => {
  const wrong = (problem: string, cure: string): E.Either<ConfigError, SecretEntry> =>
    E.left(configError(variable, `entry ${number} ${problem}`, cure));
  if (head === '') return wrong('has no id', `write ${form}`);
  if (isOutOfUse !== true && TAKEN_OUT.test(head)) {
    return wrong(
      'begins with a mark that comments out in other files, and would be valid here',
      `take the entry out, or write ${form} with an id that begins with a letter or digit`,
    );
  }
  if (/[\s\p{Cc}]/u.test(head)) return wrong('has a blank or line break before its =', `write ${form} without blanks`);
  if (/\p{Cc}/u.test(value))
    return wrong(`has a line break or control character in its ${noun}`, `write ${form} on one line`);
  if (!value.isWellFormed()) return wrong(`has a ${noun} that is no valid text`, 'give one in UTF-8');
  const bytes = Buffer.byteLength(value);
  return bytes < FEWEST_SECRET_BYTES
    ? wrong(`has a ${noun} of ${bytes} bytes`, `give one of ${FEWEST_SECRET_BYTES} bytes or more, without a comma`)
    : E.right({ number, head, value });
};

const readEntry = (variable: string, form: ListForm, number: number, text: string) => {
  const at = text.indexOf('=');
  return at === -1
    ? E.left(configError(variable, `entry ${number} has no =`, `write ${form.form}`))
    : checkEntry(variable, form, { number, head: text.slice(0, at), value: text.slice(at + 1) });
};

/**
 * Reads `head=value,head2=value2`: a comma separates entries, the first `=` ends the head, and the value may hold
 * further `=` and any `:`. An entry that is wrong takes no other with it.
 *
 * @param read makes an entry of its text, given those that were read before it
 */
export const secretEntries = <A>(
  variable: string,
  list: string,
  form: ListForm,
  read: (entry: SecretEntry, before: readonly A[]) => E.Either<ConfigError, A>,
): ReadEntries<A> => {
  const entries: A[] = [];
  const errors: ConfigError[] = [];
  for (const [index, text] of list.split(',').entries()) {
    const entry = E.chain((written: SecretEntry) => read(written, entries))(readEntry(variable, form, index + 1, text));
    if (E.isRight(entry)) entries.push(entry.right);
    else errors.push(entry.left);
  }
  return { entries, errors };
};
