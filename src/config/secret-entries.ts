import { either as E } from 'fp-ts';
import { configError, type ConfigError } from './config-error.ts';

/** One `head=value` of a list. Its number counts from 1; errors name it by that, since head and value may be swapped by mistake. */
export type SecretEntry = { readonly number: number; readonly head: string; readonly value: string };

/** A secret's length below which it can be guessed (facts/webhooks.md, Secrets). */
export const FEWEST_SECRET_BYTES = 24;

/** How a kind of list is written, and what its values are called, for errors. */
export type ListForm = { readonly form: string; readonly noun: string };

const checkEntry = (variable: string, { form, noun }: ListForm, { number, head, value }: SecretEntry) => {
  const wrong = (problem: string, cure: string): E.Either<ConfigError, SecretEntry> =>
    E.left(configError(variable, `entry ${number} ${problem}`, cure));
  if (head === '') return wrong('has no id', `write ${form}`);
  if (/[\s\p{Cc}]/u.test(head)) return wrong('has a blank or line break before its =', `write ${form} without blanks`);
  if (/\p{Cc}/u.test(value))
    return wrong(`has a line break or control character in its ${noun}`, `write ${form} on one line`);
  if (!value.isWellFormed()) return wrong(`has a ${noun} that is no valid text`, 'give one in UTF-8');
  const bytes = Buffer.byteLength(value);
  return bytes < FEWEST_SECRET_BYTES
    ? wrong(`has a ${noun} of ${bytes} bytes`, `give one of ${FEWEST_SECRET_BYTES} bytes or more, without a comma`)
    : E.right({ number, head, value });
};

/**
 * Reads `head=value,head2=value2`: a comma separates entries, the first `=` ends the head, and the value may hold
 * further `=` and any `:`.
 */
export const secretEntries = (
  variable: string,
  list: string,
  form: ListForm,
): E.Either<ConfigError, readonly SecretEntry[]> => {
  const entries: SecretEntry[] = [];
  for (const [index, text] of list.split(',').entries()) {
    const at = text.indexOf('=');
    const number = index + 1;
    if (at === -1) return E.left(configError(variable, `entry ${number} has no =`, `write ${form.form}`));
    const entry = checkEntry(variable, form, { number, head: text.slice(0, at), value: text.slice(at + 1) });
    if (E.isLeft(entry)) return entry;
    entries.push(entry.right);
  }
  return E.right(entries);
};
