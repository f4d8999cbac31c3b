import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { turnsBetween } from '../../concurrency/turns-between.ts';
import type { OrderId, Position } from '../../domain/ids.ts';
import { comparePositions } from '../../domain/position.ts';
import { signedBytes, type RecordedEvent } from '../../domain/recorded-event.ts';
import { metadataOf } from '../../domain/unreadable-event.ts';
import { checkpointIn } from '../../proofs/checkpoint.ts';
import type { Evidence, EvidenceEvent } from '../../proofs/evidence/evidence.ts';
import { eventLeafHash } from '../../proofs/log-leaf.ts';
import type { ProofLog, ProofsBehind, SignedLog } from '../../proofs/proof-log.ts';
import { PROJECTION_VERSION } from '../../read-models/projection-version.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { recordedEvents } from '../orders/one-order.ts';
import { signedWith } from '../proofs/signed-log.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { orderText } from './order-text.ts';

type Deps = Pick<QueryDependencies, 'store' | 'proofs'>;

/** Evidence as a file, and what it is of. */
export type OrderEvidence = { readonly evidence: Evidence; readonly zip: Buffer };

const behind: ProofsBehind = { _tag: 'ProofsBehind', detail: null };

const lastOf = (events: readonly RecordedEvent[]): Position | null => events.at(-1)?.position ?? null;

/** The events that a checkpoint includes: all that the order has by then, and none that came since. */
const includedEvents = (
  { store }: Deps,
  orderId: OrderId,
  { position }: SignedLog,
): TE.TaskEither<QueryFailure, readonly RecordedEvent[]> =>
  pipe(
    recordedEvents(store, orderId),
    TE.map((events) => events.filter((event) => comparePositions(event.position, position) <= 0)),
  );

const leafIndexOf = (
  { proofs }: Pick<Deps, 'proofs'>,
  position: Position,
  size: number,
): TE.TaskEither<QueryFailure, number> =>
  pipe(
    proofs.indexOf(position, size),
    TE.chainW((index) => (index === null ? TE.left(behind) : TE.right(index))),
  );

const provenEvent =
  ({ proofs }: Deps, { size }: SignedLog) =>
  (event: RecordedEvent): TE.TaskEither<QueryFailure, EvidenceEvent> =>
    pipe(
      TE.fromEither(metadataOf(event)),
      TE.bindTo('metadata'),
      TE.bindW('leafIndex', () => leafIndexOf({ proofs }, event.position, size)),
      TE.bindW('included', ({ leafIndex }) => proofs.inclusion(eventLeafHash(event), leafIndex, size)),
      TE.map(({ metadata, leafIndex, included: { hashes } }) => ({
        revision: event.revision,
        eventId: event.id,
        type: event.type,
        metadata,
        body: signedBytes(event),
        data: event.rawBody === null ? null : Buffer.from(event.data),
        leafIndex,
        hashes,
      })),
    );

/** One after the other, with turns for others in between: each takes a millisecond, and an order may have thousands. */
const provenEvents =
  (
    deps: Deps,
    signed: SignedLog,
    events: readonly RecordedEvent[],
  ): TE.TaskEither<QueryFailure, readonly EvidenceEvent[]> =>
  async () => {
    const turns = turnsBetween();
    const proven: EvidenceEvent[] = [];
    for (const event of events) {
      await turns();
      const one = await provenEvent(deps, signed)(event)();
      if (E.isLeft(one)) return one;
      proven.push(one.right);
    }
    return E.right(proven);
  };

const completeAt = (
  proofs: ProofLog,
  events: readonly EvidenceEvent[],
  { size, note }: SignedLog,
): TE.TaskEither<QueryFailure, Evidence['completeAt']> => {
  const treeSize = (events.at(-1)?.leafIndex ?? -1) + 1;
  return pipe(
    proofs.consistency(treeSize, size),
    TE.bindTo('continued'),
    TE.bind('checkpoint', () => proofs.noteOf(treeSize)),
    // A log of another name, which a loss was accepted for meanwhile, has another tree; no name comes back.
    TE.filterOrElseW(
      ({ checkpoint }) => checkpointIn(checkpoint)?.origin === checkpointIn(note)?.origin,
      () => behind,
    ),
    TE.map(({ checkpoint, continued: { hashes } }) => ({ treeSize, checkpoint, hashes })),
  );
};

const zipOf =
  ({ proofs }: Pick<Deps, 'proofs'>, evidence: Evidence): TE.TaskEither<ProofsBehind, OrderEvidence> =>
  async () => {
    // What writes ZIP takes a while to load, and a ledger or a command seldom needs it.
    const { evidenceZip, writtenEvidence } = await import('../../proofs/evidence/make-evidence.ts');
    const written = await writtenEvidence(evidence);
    const signature = proofs.signList(written.list);
    return E.isLeft(signature) ? signature : E.right({ evidence, zip: await evidenceZip(written, signature.right) });
  };

/**
 * All that proves the history of an order, as of a checkpoint that includes all of its events of now
 * (docs/spec/evidence.md). It holds personal data.
 */
export const orderEvidence = (deps: Deps, orderId: OrderId): TE.TaskEither<QueryFailure, OrderEvidence> =>
  pipe(
    recordedEvents(deps.store, orderId),
    TE.chainW((events) => {
      const last = lastOf(events);
      return last === null ? TE.left(behind) : signedWith(deps, last);
    }),
    TE.bindTo('signed'),
    TE.bindW('recorded', ({ signed }) => includedEvents(deps, orderId, signed)),
    TE.bindW('order', ({ recorded, signed }) => TE.fromEither(orderText(recorded, signed.signedAt))),
    TE.bindW('events', ({ recorded, signed }) => provenEvents(deps, signed, recorded)),
    TE.bindW('completeAt', ({ events, signed }) => completeAt(deps.proofs, events, signed)),
    TE.map(({ signed, order, events, completeAt: complete }): Evidence => ({
      orderId,
      key: deps.proofs.verifierLine() ?? '',
      witnesses: deps.proofs.witnesses().map(({ line }) => line),
      checkpoint: signed.note,
      signedAt: signed.signedAt,
      completeAt: complete,
      projections: PROJECTION_VERSION,
      order,
      events,
    })),
    TE.chainW((evidence) => zipOf(deps, evidence)),
  );
