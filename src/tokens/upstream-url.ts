import * as E from 'fp-ts/lib/Either.js';

/** Why a path is not called, and what would be right. */
export type PathRefused = {
  readonly _tag: 'PathRefused';
  readonly code: 'upstream-path-refused';
  readonly detail: string;
};

const refused = (problem: string): E.Either<PathRefused, never> =>
  E.left({
    _tag: 'PathRefused',
    code: 'upstream-path-refused',
    detail: `the path ${problem}; give one below UPSTREAM_BASE_URL, such as /v1/users/me`,
  });

/** More servers than these stand behind each other nowhere. */
const MOST_ROUNDS = 10;

/** Escapes undone until there are none, as by a chain of servers that each undo them once; null: there are some after all of these. */
const unescaped = (path: string): string | null => {
  let now = path;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const once = now.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (once === now) return now;
    now = once;
  }
  return null;
};

const UNSEEN = /[\s\p{Cc}\p{Cf}\p{DI}]/gu;

/** The bytes that escapes stand for, where all of them are UTF-8 and none ends a text for programs in C. */
const isText = (path: string): boolean => {
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
};

/**
 * Whether dot segments lead above where a path begins, at any point on its way. Some servers leave out what stands behind
 * a semicolon in a segment before they look at it: `..;x` climbs there.
 */
const climbs = (plain: string): boolean => {
  let depth = 0;
  for (const written of plain.split(/[/\\]/)) {
    const [named = ''] = written.split(/[;?#]/, 1);
    // What some servers leave out around a name, or in it; two points may be one character.
    const segment = named.normalize('NFKC').replaceAll(UNSEEN, '');
    if (segment === '..') depth -= 1;
    else if (segment !== '' && segment !== '.') depth += 1;
    if (depth < 0) return true;
  }
  return false;
};

/**
 * The address of a path below the provider's base URL (docs/spec/command-line.md, upstream). What could lead elsewhere
 * is refused: another host, and dot segments that climb above the base, escaped ones too.
 * @param baseUrl without a slash at its end
 * @param path with its query string, if any
 */
export const upstreamUrl = (baseUrl: string, path: string): E.Either<PathRefused, URL> => {
  if (!path.startsWith('/')) return refused('does not begin with /');
  if (path.startsWith('//')) return refused('begins with //, which names a host');
  if (/[\\\p{Cc}]/u.test(path)) return refused('has a backslash or control character');
  if (path.includes('#')) return refused('has a #, which would not be sent');
  if (!isText(path.replace(/\?.*$/s, ''))) return refused('has escapes that are no UTF-8 text');
  const plain = unescaped(path.replace(/\?.*$/s, ''));
  if (plain === null) return refused(`is escaped more than ${MOST_ROUNDS} times`);
  if (climbs(plain)) return refused('leads above the base URL');
  return E.right(new URL(`${baseUrl}${path}`));
};
