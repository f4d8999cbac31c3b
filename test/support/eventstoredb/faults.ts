import type gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { LoggedEvent } from './event-log.ts';
import {
  accessDenied,
  notLeader,
  serverBusy,
  serverNotReady,
  unavailable,
  unknownError,
  withTrailers,
} from './server-error.ts';
import type { Endpoint, ServerError } from './server-error.ts';

/** The calls that a fault may bear on; what bears on reads bears on subscriptions too. */
export type CallKind = 'append' | 'read' | 'subscription' | 'other';

/** What a node answers instead of serving. In a batch call all but `unavailable` and `not-leader` come in-band. */
export type Refusal =
  | { readonly _tag: 'NotReady' }
  | { readonly _tag: 'Busy' }
  | { readonly _tag: 'Unavailable' }
  | { readonly _tag: 'AccessDenied' }
  | { readonly _tag: 'Unknown' }
  | { readonly _tag: 'NotLeader'; readonly leader: Endpoint }
  /** Any trailers, also such as no server sends. */
  | { readonly _tag: 'Trailers'; readonly trailers: Readonly<Record<string, string>> };

/** What happens to one append, beside or instead of its being answered. */
type AppendFault =
  | { readonly _tag: 'NeverAnswer'; readonly performed: boolean }
  | { readonly _tag: 'HoldAnswer' }
  | { readonly _tag: 'AnswerTwice' }
  | { readonly _tag: 'DropConnection'; readonly performed: boolean }
  | { readonly _tag: 'Refuse'; readonly refusal: Refusal; readonly performed: boolean };

/** What a server that lies tells in the place of an event: it, others, several, or none. */
export type Lie = (event: LoggedEvent, call: 'read' | 'subscription') => Iterable<LoggedEvent | streams.ReadResp>;

/** Faults to order of a running double. Each bears on calls that arrive from then on, unless it says otherwise. */
export type Faults = {
  /** Takes calls of a kind and answers none of them, nor performs what they ask, until `speak`. */
  readonly silence: (calls?: 'all' | CallKind) => void;
  readonly speak: () => void;
  /** The next appends get no answer, whether they are performed or not. */
  readonly silenceAppends: (count: number, how: { readonly performed: boolean }) => void;
  /** The next appends are performed, and answered only by `releaseAnswers`. */
  readonly holdAnswers: (count: number) => void;
  /** Sends the held answers; says how many. Those whose client is gone by then go nowhere. */
  readonly releaseAnswers: () => number;
  /** The next appends are performed once and answered twice. */
  readonly duplicateAnswers: (count: number) => void;
  /** Each of the next appends cuts its connection, by default once it is performed. */
  readonly dropAfterAppends: (count: number, how?: { readonly performed: boolean }) => void;
  /** Refuses the next appends, by default without performing them. */
  readonly refuseAppends: (count: number, refusal: Refusal, how?: { readonly performed: boolean }) => void;
  /** How many of the faults that were ordered for the next appends no append has met yet. */
  readonly pending: () => number;
  /** Waits for so many appends and performs them last first: what a cold client may send. */
  readonly reverseAppends: (count: number) => void;
  /** Refuses calls of a kind until `serve`; with `NotLeader` only appends and calls that require the leader. */
  readonly refuseAll: (refusal: Refusal, calls?: 'all' | CallKind) => void;
  /** Ends `refuseAll` and `notLeader`. */
  readonly serve: () => void;
  /** Names a leader on another port of this host. */
  readonly notLeader: (leader: { readonly port: number }) => void;
  /** Reads and subscriptions that begin from then on tell these in the place of each event that they would tell, until `clear`. */
  readonly lie: (told: Lie) => void;
  /** What it gossips of its cluster from then on; null, and after `clear`: what is so. */
  readonly gossip: (told: (() => gossip.ClusterInfo) | null) => void;
  /** Cuts all that are open. */
  readonly dropConnections: () => void;
  /** Ends every subscription without an error, as the server may at any time. */
  readonly endSubscriptions: () => void;
  /**
   * Nothing is accepted, served or sent until `thaw`, and then all of it. The process stays alive: pings of HTTP/2 are
   * still answered. For a server that answers none either, see event-store-db-process.ts.
   */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Takes back all that was ordered; held answers are lost. */
  readonly clear: () => void;
  /** Resolves once so many calls more have met a fault: an outage that nobody met is none. */
  readonly whenMet: (calls: number) => Promise<void>;
};

/** What the services ask before they serve. */
export type FaultPlan = {
  readonly isSilent: (call: CallKind) => boolean;
  readonly refusal: (call: CallKind, requiresLeader: boolean) => Refusal | null;
  readonly takeAppendFault: () => AppendFault | null;
  readonly hold: (answer: () => void) => void;
  readonly told: Lie;
  /** What is gossiped in the place of what is so. */
  readonly gossip: () => gossip.ClusterInfo | null;
  readonly isFrozen: () => boolean;
  /** Now, or after `thaw`. */
  readonly whenThawed: (run: () => void) => void;
  /** Now, or with the others that are reversed. */
  readonly inOrder: (run: () => void) => void;
};

/** What faults do to the double around them. */
type Connections = {
  readonly dropConnections: () => void;
  readonly endSubscriptions: () => void;
  readonly wakeSubscriptions: () => void;
};

export const errorOf = (refusal: Refusal): ServerError => {
  switch (refusal._tag) {
    case 'NotReady':
      return serverNotReady();
    case 'Busy':
      return serverBusy();
    case 'Unavailable':
      return unavailable();
    case 'AccessDenied':
      return accessDenied();
    case 'Unknown':
      return unknownError();
    case 'NotLeader':
      return notLeader(refusal.leader);
    case 'Trailers':
      break;
  }
  return withTrailers(refusal.trailers);
};

/** The faults of one double, and what its services see of them. */
export const faultsOf = (connections: Connections): { readonly faults: Faults; readonly plan: FaultPlan } => {
  let silent: 'none' | 'all' | CallKind = 'none';
  let refusal: { readonly of: Refusal; readonly calls: 'all' | CallKind } | null = null;
  let met = 0;
  let awaited: { readonly met: number; readonly resolve: () => void }[] = [];
  let frozen = false;
  let told: Lie = (event) => [event];
  let gossiped: (() => gossip.ClusterInfo) | null = null;
  let toReverse = 0;
  let ordered: AppendFault[] = [];
  let held: (() => void)[] = [];
  let reversed: (() => void)[] = [];
  let waiting: (() => void)[] = [];

  const order = (count: number, fault: AppendFault): void => {
    for (let i = 0; i < count; i += 1) ordered.push(fault);
  };
  const thaw = (): void => {
    frozen = false;
    const runs = waiting;
    waiting = [];
    for (const run of runs) run();
    connections.wakeSubscriptions();
  };

  const faults: Faults = {
    silence: (calls = 'all') => {
      silent = calls;
    },
    speak: () => {
      silent = 'none';
    },
    silenceAppends: (count, { performed }) => order(count, { _tag: 'NeverAnswer', performed }),
    holdAnswers: (count) => order(count, { _tag: 'HoldAnswer' }),
    releaseAnswers: () => {
      const answers = held;
      held = [];
      for (const answer of answers) answer();
      return answers.length;
    },
    duplicateAnswers: (count) => order(count, { _tag: 'AnswerTwice' }),
    dropAfterAppends: (count, { performed } = { performed: true }) =>
      order(count, { _tag: 'DropConnection', performed }),
    refuseAppends: (count, of, { performed } = { performed: false }) =>
      order(count, { _tag: 'Refuse', refusal: of, performed }),
    pending: () => ordered.length,
    reverseAppends: (count) => {
      toReverse = count;
    },
    refuseAll: (of, calls = 'all') => {
      refusal = { of, calls };
    },
    serve: () => {
      refusal = null;
    },
    notLeader: ({ port }) => {
      refusal = { of: { _tag: 'NotLeader', leader: { host: '127.0.0.1', port } }, calls: 'all' };
    },
    lie: (how) => {
      told = how;
    },
    gossip: (how) => {
      gossiped = how;
    },
    dropConnections: connections.dropConnections,
    endSubscriptions: connections.endSubscriptions,
    freeze: () => {
      frozen = true;
    },
    thaw,
    clear: () => {
      [silent, refusal, toReverse] = ['none', null, 0];
      [ordered, held, reversed] = [[], [], []];
      told = (event) => [event];
      gossiped = null;
      thaw();
    },
    whenMet: (calls) =>
      new Promise((resolve) => {
        awaited.push({ met: met + calls, resolve });
        meets(false);
      }),
  };

  const meets = (isMet: boolean): boolean => {
    if (isMet) met += 1;
    const [reached, others] = [awaited.filter((it) => it.met <= met), awaited.filter((it) => it.met > met)];
    awaited = others;
    for (const { resolve } of reached) resolve();
    return isMet;
  };
  const isRefused = (call: CallKind, requiresLeader: boolean): boolean => {
    if (refusal === null || (refusal.calls !== 'all' && refusal.calls !== call)) return false;
    return refusal.of._tag !== 'NotLeader' || call === 'append' || requiresLeader;
  };

  const plan: FaultPlan = {
    isSilent: (call) => meets(silent === 'all' || silent === call || (silent === 'read' && call === 'subscription')),
    refusal: (call, requiresLeader) => (meets(isRefused(call, requiresLeader)) ? (refusal?.of ?? null) : null),
    takeAppendFault: () => (meets(ordered.length > 0) ? (ordered.shift() ?? null) : null),
    hold: (answer) => held.push(answer),
    told: (event, call) => told(event, call),
    gossip: () => gossiped?.() ?? null,
    isFrozen: () => frozen,
    whenThawed: (run) => {
      if (meets(frozen)) waiting.push(run);
      else run();
    },
    inOrder: (run) => {
      if (toReverse === 0) {
        run();
        return;
      }
      meets(true);
      reversed.push(run);
      if (reversed.length < toReverse) return;
      const runs = reversed.toReversed();
      [reversed, toReverse] = [[], 0];
      for (const each of runs) each();
    },
  };
  return { faults, plan };
};
