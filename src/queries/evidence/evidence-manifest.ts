import type { OrderId } from '../../domain/ids.ts';
import { sha256 } from '../../domain/sha256.ts';
import { parseCheckpoint } from '../../proofs/checkpoint.ts';
import { parseNote } from '../../proofs/signed-note.ts';
import type { OrderEvidence } from './order-evidence.ts';

/** What stands beside a file of evidence; the names are those of other exports. */
export type EvidenceManifest = {
  readonly export: 'evidence';
  readonly format: 'zip';
  readonly personalData: 'shown';
  readonly orderId: OrderId;
  readonly events: number;
  readonly checkpoint: { readonly origin: string; readonly size: number; readonly rootHash: string };
  readonly bytes: number;
  readonly sha256: string;
};

/** Describes a file of evidence. */
export const evidenceManifest = ({ evidence, zip }: OrderEvidence): EvidenceManifest => {
  const checkpoint = parseCheckpoint(parseNote(evidence.checkpoint)?.text ?? '');
  return {
    export: 'evidence',
    format: 'zip',
    personalData: 'shown',
    orderId: evidence.orderId,
    events: evidence.events.length,
    checkpoint: {
      origin: checkpoint?.origin ?? '',
      size: checkpoint?.size ?? 0,
      rootHash: checkpoint?.root.toString('base64') ?? '',
    },
    bytes: zip.length,
    sha256: sha256(zip),
  };
};
