import * as E from 'fp-ts/lib/Either.js';
import { isItemId, type ItemId } from '../../../projections/match/item-id.ts';
import { isEventId, isOrderId, isSha256, type EventId, type OrderId, type Sha256 } from '../../domain/ids.ts';
import { isProfileName, type ProfileName } from '../../domain/statement-profile.ts';
import { parseTilePath, type Tile } from '../../proofs/tile.ts';
import { notFound, type NotFound } from '../failure/query-failure.ts';
import { parseRevision, type Parameter } from './parameters.ts';

/** A parameter in a path; a text that it can't be names nothing that is there. */
type PathParameter<A> = Omit<Parameter<A>, 'expected'> & {
  readonly names: NotFound['what'];
  /** It is all that is left of the path, slashes too. */
  readonly rest?: true;
};

/** Every parameter that stands in a path, under the one name that it has everywhere. */
const PATH_PARAMETERS = {
  orderId: {
    about: 'An order id, percent-encoded. `.` and `..` can only be asked for by `q`.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
    read: (text): OrderId | null => (isOrderId(text) ? text : null),
    names: 'order',
  },
  revision: {
    about: 'The place of an event in its stream, from 0.',
    schema: { type: 'integer', minimum: 0 },
    read: parseRevision,
    names: 'revision',
  },
  period: {
    about: 'A month of the business time zone, `2026-03`.',
    schema: { type: 'string', pattern: String.raw`^\d{4}-(0[1-9]|1[0-2])$` },
    // Another text names no month that could be there: it is an invalid parameter.
    read: (text): string | null => text,
    names: 'period',
  },
  eventId: {
    about: 'The id of the `DeliveryQuarantined` event.',
    schema: { type: 'string', format: 'uuid' },
    read: (text): EventId | null => (isEventId(text) ? text : null),
    names: 'quarantined delivery',
  },
  itemId: {
    about: 'The id of an item of the match.',
    schema: { type: 'string', pattern: '^[0-9a-f]{40}$' },
    read: (text): ItemId | null => (isItemId(text) ? text : null),
    names: 'item',
  },
  statementId: {
    about: 'The id of an imported bank file: the SHA-256 of its bytes.',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    read: (text): Sha256 | null => (isSha256(text) ? text : null),
    names: 'statement',
  },
  name: {
    about: 'What the profile is called: letters, digits, `.`, `_` and `-`, up to 64.',
    schema: { type: 'string', pattern: String.raw`^[\w.-]{1,64}$` },
    read: (text): ProfileName | null => (isProfileName(text) ? text : null),
    names: 'address',
  },
  level: {
    about: 'A level of tiles, from 0, or `entries` for the leaves under the tiles of level 0.',
    schema: { type: 'string', pattern: String.raw`^(entries|[0-9]|[1-5]\d|6[0-3])$` },
    read: (text): number | 'entries' | null =>
      text === 'entries' ? text : /^(?:\d|[1-5]\d|6[0-3])$/.test(text) ? Number(text) : null,
    names: 'tile',
  },
  tile: {
    about:
      'The index of a tile in groups of three digits, `x001/x234/067`, with `.p/` and its width where it is partial.',
    schema: { type: 'string' },
    read: (text): Tile | null => parseTilePath(text),
    names: 'tile',
    rest: true,
  },
} as const satisfies Readonly<Record<string, PathParameter<unknown>>>;

type PathParameters = typeof PATH_PARAMETERS;

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** What a path says of the parameters in its template. */
export type InPath<Path extends string> = {
  readonly [N in Names<Path> & keyof PathParameters]: NonNullable<ReturnType<PathParameters[N]['read']>>;
};

/** The names of the parameters in a template, each with the place of its segment in the path, from 0. */
export const namesIn = (template: string): readonly (readonly [string, number])[] =>
  template
    .split('/')
    .flatMap((segment, i) => (segment.startsWith('{') ? [[segment.slice(1, -1), i - 1] as const] : []));

const BY_NAME: ReadonlyMap<string, PathParameter<unknown>> = new Map(Object.entries(PATH_PARAMETERS));

/** A parameter of a path by its name; undefined where there is none. */
export const pathParameter = (name: string): PathParameter<unknown> | undefined => BY_NAME.get(name);

/** A segment of a path, from 0, or all from there on, percent-decoded strictly; null where an escape is malformed or there is no such segment. */
const pathSegment = (path: string, index: number, rest: boolean): string | null => {
  try {
    const segments = path.split('/').slice(index + 1);
    return decodeURIComponent(rest ? segments.join('/') : (segments[0] ?? ''));
  } catch {
    return null;
  }
};

/** Reads the parameters of a template out of a path that it matches; a text that can name nothing is not found. */
export function readPath<Path extends string>(template: Path, path: string): E.Either<NotFound, InPath<Path>>;
export function readPath(template: string, path: string): E.Either<NotFound, object> {
  const values: (readonly [string, unknown])[] = [];
  for (const [name, index] of namesIn(template)) {
    const known = pathParameter(name);
    const text = pathSegment(path, index, known?.rest === true);
    const value = known === undefined || text === null ? null : known.read(text);
    if (value === null) return E.left(notFound(known?.names ?? 'address'));
    values.push([name, value]);
  }
  return E.right(Object.fromEntries(values));
}
