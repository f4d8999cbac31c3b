import { taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import { bodyOfQuarantineStream, QUARANTINE_STREAM, type Sha256 } from '../domain/ids.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';

/**
 * Digests of the bodies that have a quarantine stream, released ones too: what a delivery needs to know of the quarantine
 * without asking the store. An earlier version may have put away there what today's rules can read.
 */
export type QuarantinedBodies = Pick<Set<Sha256>, 'has' | 'add'>;

/** The bodies in a store's quarantine at this moment; the recorder adds its own from then on. */
export const quarantinedBodies = (
  store: Pick<EventStore, 'listStreams'>,
): TE.TaskEither<StoreUnavailable, QuarantinedBodies> =>
  pipe(
    store.listStreams(QUARANTINE_STREAM),
    TE.map((streams) => new Set(streams.map(bodyOfQuarantineStream).filter((digest) => digest !== null))),
  );
