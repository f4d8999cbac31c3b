import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { sha256 } from '../../domain/sha256.ts';
import { foreign, type InvalidParameter } from '../failure/query-failure.ts';

const VERSION = 1;

/** Version, digest, and the place. */
const Parts = t.tuple([t.literal(VERSION), t.string, t.array(t.string)]);

/** Enough to tell a cursor of another list, and one that was altered; nobody gains anything by a forged one. */
const DIGITS = 16;

const digestOf = (list: string, place: readonly string[]): string =>
  sha256(JSON.stringify([VERSION, list, place])).slice(0, DIGITS);

/**
 * An opaque text for the place behind which a list goes on. `list` says which one: its name and what it is asked, so that
 * a cursor serves no other list. It depends on nothing that a rebuild of the read models changes.
 */
export const cursorOf = (list: string, place: readonly string[]): string =>
  Buffer.from(JSON.stringify([VERSION, digestOf(list, place), place])).toString('base64url');

const partsOf = (text: string): unknown => {
  const bytes = Buffer.from(text, 'base64url');
  // Node skips what is no base64url, so that many texts would be one cursor.
  if (bytes.toString('base64url') !== text) return null;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
};

/** A `cursor` that this ledger has not given for this list, for whatever reason. */
export const foreignCursor: InvalidParameter = foreign('cursor', 'list');

/** The place that a `cursor` names, null where there is none; a foreign or altered one is an invalid parameter. */
export const placeInCursor = (
  text: string | null,
  list: string,
): E.Either<InvalidParameter, readonly string[] | null> => {
  if (text === null) return E.right(null);
  const parts = partsOf(text);
  if (!Parts.is(parts)) return E.left(foreignCursor);
  const [, digest, place] = parts;
  return digest === digestOf(list, place) ? E.right(place) : E.left(foreignCursor);
};
