import * as t from 'io-ts';
import { parseNatively } from '../domain/parse-json.ts';

/** Reads a JSON array; null for anything else. */
export const readArray = (text: string): readonly unknown[] | null => {
  const value = parseNatively(text);
  return t.UnknownArray.is(value) ? value : null;
};
