import { isAscii } from 'node:buffer';
import { either as E } from 'fp-ts';
import { parse as parseLossless } from 'lossless-json';
import { canonicalJson } from './canonical-json.ts';
import { ExactNumber, type JsonValue } from './json.ts';
import type { Reason } from './reason.ts';

/** Levels of nesting that are read; more goes to quarantine (design.md, What must be readable). */
const DEEPEST = 64;

/** What a body holds. `plain`: its bytes are exactly what `JSON.stringify(JSON.parse(text))` gives, so they need no second copy. */
export type ParsedBody = { readonly value: JsonValue; readonly text: string; readonly plain: boolean };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const BOM = '\uFEFF';

const refuse = (message: string, path = ''): E.Either<readonly Reason[], never> => E.left([{ path, message }]);

/** Reads UTF-8 strictly; null where the bytes are none. A BOM stays in the text. */
export const decodeUtf8 = (bytes: Buffer): string | null => {
  if (isAscii(bytes)) return bytes.toString('latin1');
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
};

const withinDepth = (value: JsonValue, left: number): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  if (left === 0) return false;
  for (const inner of Object.values(value)) if (!withinDepth(inner, left - 1)) return false;
  return true;
};

/** Nesting of a text, strings left out, without recursion: members that a duplicate hides count too. */
const textWithinDepth = (text: string): boolean => {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth > DEEPEST) return false;
  }
  return true;
};

class DuplicateMember extends Error {
  readonly key: string;

  constructor(key: string) {
    super('duplicate member');
    this.key = key;
  }
}

const parseExactly = (text: string): E.Either<readonly Reason[], ParsedBody> => {
  if (!textWithinDepth(text)) return refuse(`nested more than ${DEEPEST} levels deep`);
  try {
    const value = parseLossless(text, null, {
      parseNumber: (source) => (String(Number(source)) === source ? Number(source) : new ExactNumber(source)),
      onDuplicateKey: ({ key, oldValue, newValue }) => {
        // What lossless-json hands out here is typed unknown; it is made of the values that parseNumber gave.
        if (canonicalJson(asJson(oldValue)) !== canonicalJson(asJson(newValue))) throw new DuplicateMember(key);
        return newValue;
      },
    });
    return E.right({ value: asJson(value), text, plain: false });
  } catch (error) {
    return error instanceof DuplicateMember
      ? refuse('came more than once with different values', error.key)
      : refuse('is no JSON');
  }
};

/** lossless-json builds its values of plain objects, arrays, strings, booleans, null and the numbers made above. */
const asJson = (value: unknown): JsonValue => value as JsonValue;

/**
 * Reads a body as JSON without losing a digit: strict UTF-8, a BOM skipped, at most 64 levels, no member twice with
 * different values. The native parser serves wherever it loses nothing, which is so exactly when writing its result
 * again gives the same text; otherwise a slower parser keeps each number's spelling.
 */
export const parseBody = (bytes: Buffer): E.Either<readonly Reason[], ParsedBody> => {
  const decoded = decodeUtf8(bytes);
  if (decoded === null) return refuse('is not valid UTF-8');
  const text = decoded.startsWith(BOM) ? decoded.slice(1) : decoded;
  let value: JsonValue;
  try {
    value = asJson(JSON.parse(text));
  } catch {
    return refuse('is no JSON');
  }
  if (!withinDepth(value, DEEPEST)) return refuse(`nested more than ${DEEPEST} levels deep`);
  return JSON.stringify(value) === decoded ? E.right({ value, text, plain: true }) : parseExactly(text);
};
