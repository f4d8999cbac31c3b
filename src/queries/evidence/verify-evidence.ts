import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../domain/brand.ts';
import { metadataText } from '../../domain/event-metadata.ts';
import { orderStream, type OrderId, type Position } from '../../domain/ids.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import { proveEvent, type SecretKeyById } from '../../ledger/verify-event.ts';
import { checkProofs, type CheckedCosignature } from '../../proofs/evidence/check-evidence.ts';
import type { Evidence, EvidenceEvent } from '../../proofs/evidence/evidence.ts';
import { evidenceProblem, openEvidence, type EvidenceProblem } from '../../proofs/evidence/open-evidence.ts';
import type { NoteVerifier } from '../../proofs/signed-note.ts';
import { PROJECTION_VERSION } from '../../read-models/projection-version.ts';
import { orderText } from './order-text.ts';

/** What is known beside the evidence itself. */
export type EvidenceKnown = {
  /** The webhook secret by its id; null where it was not given: signatures are then not computed. */
  readonly secretKey: SecretKeyById;
  /** The key that the ledger is known by; null: whatever key the evidence names is taken. */
  readonly key: NoteVerifier | null;
  /** Witnesses whose cosignature must be there. */
  readonly witnesses?: readonly NoteVerifier[];
};

/** What was found of one event. */
type EventFinding = {
  readonly revision: number;
  readonly type: string;
  /** Whether the provider's signature fits; null where its secret was not given. */
  readonly signature: boolean | null;
  /** Whether body, record and leaf have the digests that they name, and id and type are those that the body gives. */
  readonly digest: boolean;
  /** Whether its leaf is in the tree of the checkpoint. */
  readonly inclusion: boolean;
};

/** What evidence comes to (docs/spec/command-line.md, verify-evidence). */
export type EvidenceVerdict = {
  readonly holds: boolean;
  readonly orderId: OrderId | null;
  readonly events: readonly EventFinding[];
  readonly checkpoint: {
    readonly origin: string;
    readonly size: number;
    readonly rootHash: string;
    readonly signature: boolean;
    readonly witnesses: readonly CheckedCosignature[];
  } | null;
  /** How many events the log had when it ended with the last of the order: as of then the history is complete. */
  readonly completeAt: number | null;
  readonly key: string | null;
  /** Whether the order as shown is what the events give; null where other projections made it: the ledger's signature is all that there is then. */
  readonly order: boolean | null;
  readonly problems: readonly EvidenceProblem[];
};

const NOWHERE = branded<Position>('0');

/** An event as a store would give it, but for what belongs to a store. */
const recordedOf = ({ orderId }: Evidence, event: EvidenceEvent): RecordedEvent => ({
  id: event.eventId,
  type: event.type,
  stream: orderStream(orderId),
  revision: event.revision,
  data: (event.data ?? event.body).toString(),
  rawBody: event.data === null ? null : event.body,
  metadata: metadataText(event.metadata),
  position: NOWHERE,
  recordedAt: event.metadata.receivedAt,
});

const findingOf = (
  recorded: RecordedEvent,
  { secretKey }: EvidenceKnown,
  event: EvidenceEvent,
  inclusion: boolean,
): EventFinding => {
  const { verified, problems } = proveEvent(recorded, secretKey);
  const isMismatch = problems.includes('signature-mismatch');
  const isKnown = verified !== 'unknown-secret' && secretKey(event.metadata.secretId) !== null;
  return {
    revision: event.revision,
    type: event.type,
    signature: isKnown ? !isMismatch : null,
    digest: problems.every((problem) => problem === 'signature-mismatch'),
    inclusion,
  };
};

const eventProblems = ({ revision, signature, digest }: EventFinding): readonly EvidenceProblem[] => [
  ...(signature === false ? [evidenceProblem('event-wrong', `event ${revision}: its signature does not fit`)] : []),
  ...(digest ? [] : [evidenceProblem('event-wrong', `event ${revision}: it is not what its bytes and digests say`)]),
];

const orderFinding = (evidence: Evidence, recorded: readonly RecordedEvent[]): boolean | null => {
  if (evidence.projections !== PROJECTION_VERSION) return null;
  const folded = orderText(recorded, evidence.signedAt);
  return E.isRight(folded) && folded.right === evidence.order;
};

/** Checks evidence without a ledger and without a network (docs/spec/evidence.md). */
export const verifyEvidence = (zip: Buffer, known: EvidenceKnown): EvidenceVerdict => {
  const { evidence, problems } = openEvidence(zip);
  if (evidence === null) {
    const nothing = { orderId: null, events: [], checkpoint: null, completeAt: null, key: null, order: null };
    return { holds: false, ...nothing, problems };
  }
  const proofs = checkProofs(evidence, known.key, known.witnesses ?? []);
  const recorded = evidence.events.map((event) => recordedOf(evidence, event));
  const events = evidence.events.flatMap((event, i) => {
    const stored = recorded[i];
    return stored === undefined ? [] : [findingOf(stored, known, event, proofs.included.has(event.revision))];
  });
  const order = orderFinding(evidence, recorded);
  const found = [
    ...problems,
    ...proofs.problems,
    ...events.flatMap(eventProblems),
    ...(order === false ? [evidenceProblem('order-wrong', 'order.json is not what the events give')] : []),
  ];
  const { checkpoint } = proofs;
  return {
    holds: found.length === 0,
    orderId: evidence.orderId,
    events,
    checkpoint:
      checkpoint === null
        ? null
        : {
            origin: checkpoint.origin,
            size: checkpoint.size,
            rootHash: checkpoint.root.toString('base64'),
            signature: checkpoint.isSigned,
            witnesses: checkpoint.witnesses,
          },
    completeAt: found.some(({ code }) => code === 'not-complete') ? null : evidence.completeAt.treeSize,
    key: evidence.key,
    order,
    problems: found,
  };
};
