import type { EventLog, LoggedEvent, ProposedEvent } from './event-log.ts';

/** What a writer expects of the stream's last revision. */
export type ExpectedVersion = 'any' | 'stream_exists' | 'no_stream' | bigint;

/** The ids that one node has seen of late, each with the event that it last became. Empty after a restart and on a new leader. */
export type RecentIds = {
  readonly of: (id: string) => LoggedEvent | undefined;
  readonly remember: (events: readonly LoggedEvent[]) => void;
  readonly forget: () => void;
};

/** What the server makes of an append before it writes. */
export type AppendDecision =
  | { readonly _tag: 'Write' }
  /** All of it is there already; `last` is the last of its events. */
  | { readonly _tag: 'Repeat'; readonly last: LoggedEvent }
  | { readonly _tag: 'WrongExpectedVersion'; readonly actual: bigint | 'no_stream' }
  | { readonly _tag: 'StreamDeleted' };

const MOST_RECENT_IDS = 100_000;

export const recentIds = (most = MOST_RECENT_IDS): RecentIds => {
  const ids = new Map<string, LoggedEvent>();
  return {
    of: (id) => ids.get(id),
    remember: (events) => {
      for (const event of events) {
        ids.delete(event.id);
        ids.set(event.id, event);
      }
      for (const id of ids.keys()) {
        if (ids.size <= most) break;
        ids.delete(id);
      }
    },
    forget: () => ids.clear(),
  };
};

const actualOf = (lastRevision: number): bigint | 'no_stream' =>
  lastRevision < 0 ? 'no_stream' : BigInt(lastRevision);

/**
 * The server's table of idempotency (facts of EventStoreDB, "Append and idempotency"): weak for `any` and
 * `stream_exists`, strong behind the head, none at the head. Only ids are compared, never data.
 */
export const decideAppend = (
  log: EventLog,
  recent: RecentIds,
  append: { readonly stream: string; readonly expected: ExpectedVersion; readonly events: readonly ProposedEvent[] },
): AppendDecision => {
  const { stream, expected, events } = append;
  const there = log.stream(stream);
  const written = there?.events ?? [];
  const head = written.length - 1;
  const softDeleted = there?.softDeleted === true;
  const wrong: AppendDecision = { _tag: 'WrongExpectedVersion', actual: actualOf(head) };
  if (there?.tombstoned === true) return { _tag: 'StreamDeleted' };

  if (expected === 'any' || expected === 'stream_exists') {
    if (expected === 'stream_exists' && softDeleted) return { _tag: 'StreamDeleted' };
    if (expected === 'stream_exists' && head < 0 && log.stream(`$$${stream}`) === undefined) return wrong;
    const known = events.map(({ id }) => recent.of(id)).map((event) => (event?.stream === stream ? event : undefined));
    if (known[0] === undefined) return { _tag: 'Write' };
    const last = known.at(-1);
    return known.includes(undefined) || last === undefined ? wrong : { _tag: 'Repeat', last };
  }

  const expectedRevision = expected === 'no_stream' ? -1 : Number(expected);
  if (expectedRevision === head) return { _tag: 'Write' };
  if (expectedRevision > head) return wrong;
  const originals = written.slice(expectedRevision + 1, expectedRevision + 1 + events.length);
  const same = events.filter(({ id }, at) => originals[at]?.id === id).length;
  const last = originals.at(-1);
  if (same === events.length && last !== undefined) return { _tag: 'Repeat', last };
  const firstIsKnown = events[0] !== undefined && originals[0]?.id === events[0].id;
  return expected === 'no_stream' && softDeleted && !firstIsKnown ? { _tag: 'Write' } : wrong;
};
