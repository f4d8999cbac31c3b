import type * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Position } from '../domain/ids.ts';
import { PositionText } from '../domain/position.ts';
import type { StoreUnavailable } from '../event-store/event-store.ts';
import type { SqliteLocation } from '../event-store/sqlite/sqlite-event-store.ts';
import type { Gathered, LoadedPart } from '../read-models/sqlite/rebuild/rebuild-tasks.ts';
import { SqliteLocationData } from './ledger-location.ts';
import { none, protocol, tagged } from './thread-message.ts';

/** What a worker of a build is started with. `priority`: that of its thread, 0 to 19, the greatest being the lowest. */
export type RebuildWorkerOptions = {
  readonly location: SqliteLocation;
  readonly timeZone: string;
  readonly upTo: Position;
  readonly priority: number;
};

const Options: { readonly is: t.Is<RebuildWorkerOptions> } = t.type({
  location: SqliteLocationData,
  timeZone: t.string,
  upTo: PositionText,
  priority: t.number,
});

export const isRebuildWorkerOptions = (u: unknown): u is RebuildWorkerOptions => Options.is(u);

/** A task; a worker is given the next one when it has answered. */
export type RebuildTask = { readonly _tag: 'Part'; readonly part: number } | { readonly _tag: 'Rest' };

/** Its answer, under the same tag. */
export type RebuildAnswer =
  | { readonly _tag: 'Part'; readonly loaded: E.Either<StoreUnavailable, LoadedPart> }
  | { readonly _tag: 'Rest'; readonly gathered: Gathered };

export const rebuildProtocol = protocol<RebuildTask, RebuildAnswer, never, never>({
  question: tagged<RebuildTask>({ Part: true, Rest: true }),
  answer: tagged<RebuildAnswer>({ Part: true, Rest: true }),
  note: none,
  news: none,
});
