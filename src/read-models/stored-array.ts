import * as t from 'io-ts';

/** Reads a JSON array; null for other JSON. */
export const readArray = (text: string): readonly unknown[] | null => {
  const value: unknown = JSON.parse(text);
  return t.UnknownArray.is(value) ? value : null;
};
