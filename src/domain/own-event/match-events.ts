import * as t from 'io-ts';
import { oneOf } from '../guarded.ts';
import { EventIdText, type EventId } from '../ids.ts';
import { sha256 } from '../sha256.ts';
import type { OwnKind } from './own-kind.ts';

/** Data of a `MatchDecided` (docs/spec/match.md, Decisions). */
export type MatchDecidedData = {
  readonly itemId: string;
  /** `withdrawn`: what was decided before is taken back. */
  readonly decision: 'accept' | 'reject' | 'explain' | 'withdrawn';
  /** Ids of lines, orders and transfers, as they were given. */
  readonly with: readonly string[];
  readonly note: string;
  /** Names of what belongs together, is parted or needs no more; and of what it is parted from. */
  readonly group: readonly string[];
  readonly apart: readonly string[];
  /** A digest of what the orders and transfers of the group said then; events of the first ledgers lack it. */
  readonly facts?: string;
  /** The decision before it on the same item: what is decided again after it was taken back is another event. */
  readonly after: EventId | null;
};

const texts = t.readonlyArray(t.string);

export const MATCH_DECIDED: OwnKind<'MatchDecided', MatchDecidedData> = {
  type: 'MatchDecided',
  data: t.intersection([
    t.type({
      itemId: t.string,
      decision: oneOf('decision', ['accept', 'reject', 'explain', 'withdrawn'] as const),
      with: texts,
      note: t.string,
      group: texts,
      apart: texts,
      after: t.union([EventIdText, t.null]),
    }),
    t.partial({ facts: t.string }),
  ]),
  stream: 'match',
  about: ({ itemId }) => itemId,
  parts: (data) => [sha256(JSON.stringify(data))],
};
