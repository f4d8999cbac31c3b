import { randomUUID } from 'node:crypto';

/** An event as a writer hands it in. */
export type ProposedEvent = {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
  /** Written in an explicit transaction, as old TCP clients could: it was prepared before the place where it is committed. */
  readonly isTransacted?: boolean;
};

/** An event in the log. */
export type LoggedEvent = ProposedEvent & {
  /** The place in the log, from 0, without gaps; no part of the protocol. */
  readonly index: number;
  readonly stream: string;
  readonly revision: bigint;
  /** A byte offset: it grows with the event's size. */
  readonly position: bigint;
  /** The same as the (commit) position where it was appended over gRPC. */
  readonly prepare: bigint;
  /** In milliseconds since the Unix epoch. */
  readonly createdAt: number;
};

/** A stream's events, and what hides some of them or all. */
export type LoggedStream = {
  readonly events: readonly LoggedEvent[];
  /** Events of lower revisions are there no more. */
  readonly truncateBefore: number;
  /** Reads find nothing until the next append brings the stream back. */
  readonly softDeleted: boolean;
  readonly tombstoned: boolean;
};

/** The log that nodes of a cluster share. Reading it by index costs nothing; nothing is ever taken out. */
export type EventLog = {
  readonly length: () => number;
  readonly at: (index: number) => LoggedEvent | undefined;
  /** All events, those of the server itself included. */
  readonly events: () => readonly LoggedEvent[];
  /** Those outside system and metadata streams. */
  readonly userEvents: () => readonly LoggedEvent[];
  readonly stream: (name: string) => LoggedStream | undefined;
  /** The position of the next event. */
  readonly end: () => bigint;
  /** The place of the first event at a position or behind it. */
  readonly firstFrom: (position: bigint) => number;
  /** Writes unchecked, at the stream's next revisions. */
  readonly write: (stream: string, events: readonly ProposedEvent[]) => readonly LoggedEvent[];
  readonly softDelete: (stream: string) => LoggedEvent;
  readonly tombstone: (stream: string) => LoggedEvent;
  /** Calls after each write, until the answer is called. */
  readonly watch: (watcher: () => void) => () => void;
};

export type EventLogOptions = {
  readonly now?: () => number;
  /** The position of the first event; one above 2^53 shows who takes positions for numbers. */
  readonly firstPosition?: bigint;
  /** Events written by clients between two statistics that the server writes. */
  readonly statisticsEvery?: number;
};

type Writable = { events: LoggedEvent[]; truncateBefore: number; softDeleted: boolean; tombstoned: boolean };

const TOMBSTONE_REVISION = 2n ** 63n - 1n;
const RECORD_OVERHEAD_BYTES = 90;
const PREPARED_BEFORE = 8n;
const DELETED_BEFORE = '9223372036854775807';
const SYSTEM_STREAMS = ['$users', '$user-admin', '$user-ops', '$$$scavenges'];

const systemEvent = (type: string, json: string): ProposedEvent => ({
  id: randomUUID(),
  type,
  contentType: 'application/json',
  data: Buffer.from(json),
  metadata: new Uint8Array(),
});

const truncatedBefore = (data: Uint8Array): number | null => {
  const found = /"\$tb"\s*:\s*(\d+)/.exec(Buffer.from(data).toString());
  return found === null ? null : Number(found[1]);
};

/** An empty log but for the events that a server writes by itself at its first start. */
export const eventLog = (options: EventLogOptions = {}): EventLog => {
  const { now = Date.now, firstPosition = 1_024n, statisticsEvery = 50 } = options;
  const events: LoggedEvent[] = [];
  const streams = new Map<string, Writable>();
  const watchers = new Set<() => void>();
  let end = firstPosition;
  let sinceStatistics = 0;

  const streamOf = (name: string): Writable => {
    const there = streams.get(name);
    if (there !== undefined) return there;
    const made = { events: [], truncateBefore: 0, softDeleted: false, tombstoned: false };
    streams.set(name, made);
    return made;
  };

  const put = (stream: string, event: ProposedEvent, revision: bigint): LoggedEvent => {
    const prepare = event.isTransacted === true ? end - PREPARED_BEFORE : end;
    const logged = { ...event, index: events.length, stream, revision, position: end, prepare, createdAt: now() };
    end += BigInt(
      RECORD_OVERHEAD_BYTES + stream.length + event.type.length + event.data.length + event.metadata.length,
    );
    events.push(logged);
    return logged;
  };

  const putNext = (name: string, event: ProposedEvent): LoggedEvent => {
    const stream = streamOf(name);
    const logged = put(name, event, BigInt(stream.events.length));
    stream.events.push(logged);
    return logged;
  };

  const putMetadata = (stream: string, before: string): LoggedEvent =>
    putNext(`$$${stream}`, systemEvent('$metadata', `{"$tb":${before}}`));

  const tell = (): void => {
    for (const watcher of watchers) watcher();
  };

  const write = (name: string, proposed: readonly ProposedEvent[]): readonly LoggedEvent[] => {
    const stream = streamOf(name);
    if (stream.softDeleted && proposed.length > 0) {
      stream.softDeleted = false;
      stream.truncateBefore = stream.events.length;
      putMetadata(name, String(stream.truncateBefore));
    }
    const written = proposed.map((event) => putNext(name, event));
    if (name.startsWith('$$')) {
      for (const { data } of written) {
        const described = streamOf(name.slice(2));
        described.truncateBefore = truncatedBefore(data) ?? described.truncateBefore;
      }
    }
    sinceStatistics += written.length;
    if (sinceStatistics >= statisticsEvery) {
      sinceStatistics = 0;
      putNext('$stats-0.0.0.0:2113', systemEvent('$statsCollected', '{"proc-cpu":0.1}'));
    }
    tell();
    return written;
  };

  const firstFrom = (position: bigint): number => {
    let [low, high] = [0, events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const event = events[middle];
      if (event !== undefined && event.position < position) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  for (const stream of SYSTEM_STREAMS) putNext(stream, systemEvent('$UserCreated', '{}'));

  return {
    length: () => events.length,
    at: (index) => events[index],
    events: () => events,
    userEvents: () => events.filter(({ stream }) => !stream.startsWith('$')),
    stream: (name) => streams.get(name),
    end: () => end,
    firstFrom,
    write,
    softDelete: (name) => {
      const stream = streamOf(name);
      stream.softDeleted = true;
      const written = putMetadata(name, DELETED_BEFORE);
      tell();
      return written;
    },
    tombstone: (name) => {
      streamOf(name).tombstoned = true;
      const written = put(name, systemEvent('$streamDeleted', ''), TOMBSTONE_REVISION);
      tell();
      return written;
    },
    watch: (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
};
