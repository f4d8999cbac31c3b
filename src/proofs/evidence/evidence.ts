import type { EventMetadata } from '../../domain/event-metadata.ts';
import type { EventId, OrderId, Revision } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Hash } from '../merkle-tree.ts';

/** An event of an order, with what proves that it is in the log. */
export type EvidenceEvent = {
  readonly revision: Revision;
  readonly eventId: EventId;
  readonly type: string;
  readonly metadata: EventMetadata;
  /** The bytes that the provider signed. */
  readonly body: Buffer;
  /** The data as it is stored; null where it is the body. */
  readonly data: Buffer | null;
  /** Index of its leaf, and the hashes from there to the root of the checkpoint. */
  readonly leafIndex: number;
  readonly hashes: readonly Hash[];
};

/**
 * The tree that ends with the last event of the order: its checkpoint, and the hashes that show it to be the beginning of
 * the tree of the newest one. As of it the history is complete: revisions follow each other, and a later event of the order
 * would stand behind its last one.
 */
type CompleteAt = { readonly treeSize: number; readonly checkpoint: string; readonly hashes: readonly Hash[] };

/** What proves the history of one order to somebody who trusts nobody (docs/spec/evidence.md). */
export type Evidence = {
  readonly orderId: OrderId;
  /** The line that notes are verified with, of the key that has signed all of this. */
  readonly key: string;
  /** The lines of the keys of the witnesses that the ledger asks to cosign. */
  readonly witnesses: readonly string[];
  /** The newest signed checkpoint, with the cosignatures of witnesses. */
  readonly checkpoint: string;
  readonly signedAt: Instant;
  readonly completeAt: CompleteAt;
  /** Which projections made the order of the events. */
  readonly projections: number;
  /** The order as callers see it at `signedAt`, JSON. */
  readonly order: string;
  /** Oldest first; at least one. */
  readonly events: readonly EvidenceEvent[];
};
