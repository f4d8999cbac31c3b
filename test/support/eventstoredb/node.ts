import type { Metadata } from '@grpc/grpc-js';
import type * as E from 'fp-ts/lib/Either.js';
import type { EventLog } from './event-log.ts';
import { errorOf, type CallKind, type FaultPlan } from './faults.ts';
import type { AppendOutcome, AppendRequest } from './perform-append.ts';
import type { ReadCall } from './read-request.ts';
import { notLeader, type Endpoint, type ServerError } from './server-error.ts';

/** What the services of one node work on. */
export type Node = {
  readonly log: EventLog;
  readonly plan: FaultPlan;
  /** How many of the log's events this node has: a follower may lag behind. */
  readonly visible: () => number;
  /** Where the leader is, if this node is not it. */
  readonly leaderElsewhere: () => Endpoint | null;
  /** Performs an append here or on the leader. */
  readonly perform: (request: AppendRequest) => E.Either<ServerError, AppendOutcome>;
  readonly dropConnectionOf: (peer: string) => void;
  /** Those that are open: the log wakes them when it grows. */
  readonly subscriptions: Set<LiveSubscription>;
  readonly reads: Reads;
};

/** What the node's reads and subscriptions do to it. */
export type Reads = {
  /** Those that neither side has ended. */
  readonly open: Set<ReadCall>;
  /** Events that were sent by all of them so far. */
  sentEvents: number;
};

export type LiveSubscription = { readonly pump: () => void; readonly end: () => void };

/** What a node answers to a call before it looks at what is asked: an error, silence, or nothing in the way. */
export const inTheWay = (node: Node, kind: CallKind, metadata: Metadata): ServerError | 'silence' | null => {
  if (node.plan.isSilent(kind)) return 'silence';
  const requiresLeader = metadata.get('requires-leader').includes('true');
  const refusal = node.plan.refusal(kind, requiresLeader);
  if (refusal !== null) return errorOf(refusal);
  const leader = requiresLeader ? node.leaderElsewhere() : null;
  return leader === null ? null : notLeader(leader);
};
