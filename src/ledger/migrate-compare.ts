import * as E from 'fp-ts/lib/Either.js';
import * as eq from 'fp-ts/lib/Eq.js';
import * as N from 'fp-ts/lib/number.js';
import * as S from 'fp-ts/lib/string.js';
import { listedMetadata } from '../domain/event-metadata.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import { streamRevision, type MigrationFailure } from './migrate-failure.ts';
import type { PatientEvents } from './migrate-read.ts';

/** How far two logs are equal: `next` is what the source has behind the end of the target; null where both end there. */
export type Compared = { readonly next: RecordedEvent | null };

const bytesEq: eq.Eq<Buffer | null> = { equals: (a, b) => (a === null || b === null ? a === b : a.equals(b)) };

/** Earlier versions stored the same metadata in another form, which not every store gives back. */
const metadataEq: eq.Eq<string> = {
  equals: (a, b) => a === b || listedMetadata(a) === listedMetadata(b),
};

/** Whether two stores hold the same event: everything but position and time of recording, which belong to the store. */
const eventEq: eq.Eq<Omit<RecordedEvent, 'position' | 'recordedAt'>> = eq.struct({
  stream: S.Eq,
  revision: N.Eq,
  id: S.Eq,
  type: S.Eq,
  data: S.Eq,
  metadata: metadataEq,
  rawBody: bytesEq,
});

const differs = (event: RecordedEvent): E.Either<MigrationFailure, never> =>
  E.left({ _tag: 'TargetDiffers', ...streamRevision(event) });

/**
 * Reads two logs side by side to the end of the target's, which must hold the same events in the same order as the
 * beginning of the source's. The source is left where the target ends, behind `next`; the target is closed.
 *
 * @param onSame told of each event that both have, as the source has it
 */
export const compareLogs = async (
  source: PatientEvents,
  target: PatientEvents,
  onSame: (event: RecordedEvent) => E.Either<MigrationFailure, void>,
): Promise<E.Either<MigrationFailure, Compared>> => {
  for await (const there of target) {
    if (E.isLeft(there)) return there;
    const here = await source.next();
    if (here.done === true) return differs(there.right);
    if (E.isLeft(here.value)) return here.value;
    if (!eventEq.equals(here.value.right, there.right)) return differs(there.right);
    const counted = onSame(here.value.right);
    if (E.isLeft(counted)) return counted;
  }
  const next = await source.next();
  if (next.done === true) return E.right({ next: null });
  return E.map((event: RecordedEvent): Compared => ({ next: event }))(next.value);
};
