import { isAscii } from 'node:buffer';
import * as E from 'fp-ts/lib/Either.js';
import type { JsonValue } from './json.ts';
import { nestsWithin } from './nesting.ts';
import { readExactly } from './read-exactly.ts';
import type { Reason } from './reason.ts';

/** Levels of nesting that are read; more goes to quarantine (docs/spec/domain.md, What must be readable). */
const DEEPEST = 64;

/** What a body holds. `plain`: its bytes are exactly what `JSON.stringify(JSON.parse(text))` gives, so they need no second copy. */
export type ParsedBody = { readonly value: JsonValue; readonly text: string; readonly plain: boolean };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const BOM = '\uFEFF';

const refuse = (message: string): E.Either<readonly Reason[], never> => E.left([{ path: '', message }]);

/** Reads UTF-8 strictly; null where the bytes are none. A BOM stays in the text. */
export const decodeUtf8 = (bytes: Buffer): string | null => {
  if (isAscii(bytes)) return bytes.toString('latin1');
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
};

/** What the native parser gives is a JSON value, and never undefined. */
const isParsed = (u: unknown): u is JsonValue => u !== undefined;

/** What the native parser makes of a text; undefined where it is no JSON. */
export const parseNatively = (text: string): JsonValue | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isParsed(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const parseExactly = (text: string): E.Either<readonly Reason[], ParsedBody> => {
  const { value, contradictions } = readExactly(text);
  if (contradictions.length === 0) return E.right({ value, text, plain: false });
  const message = 'came more than once with different values';
  return E.left(contradictions.map((path) => ({ path, message })));
};

/**
 * Reads a body as JSON without losing a digit: strict UTF-8, a BOM skipped, at most 64 levels, no member twice with
 * different values. The native parser serves wherever it loses nothing, which is so exactly when writing its result
 * again gives the same text; otherwise a slower reader keeps each number's spelling.
 */
export const parseBody = (bytes: Buffer): E.Either<readonly Reason[], ParsedBody> => {
  const decoded = decodeUtf8(bytes);
  return decoded === null ? refuse('is not valid UTF-8') : parseText(decoded);
};

/** As `parseBody`, of a body that was decoded already. */
export const parseText = (decoded: string): E.Either<readonly Reason[], ParsedBody> => {
  const text = decoded.startsWith(BOM) ? decoded.slice(1) : decoded;
  const value = parseNatively(text);
  if (value === undefined) return refuse('is no JSON');
  if (!nestsWithin(text, DEEPEST)) return refuse(`nested more than ${DEEPEST} levels deep`);
  return JSON.stringify(value) === decoded ? E.right({ value, text, plain: true }) : parseExactly(text);
};
