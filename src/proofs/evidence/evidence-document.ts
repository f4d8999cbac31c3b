import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { parseMetadata } from '../../domain/event-metadata.ts';
import { EventIdText, OrderIdText, RevisionNumber } from '../../domain/ids.ts';
import { InstantText } from '../../domain/instant.ts';
import { parseNatively } from '../../domain/parse-json.ts';
import { HASH_BYTES, type Hash } from '../merkle-tree.ts';
import { parseVerifierLine } from '../signed-note.ts';
import type { Evidence, EvidenceEvent } from './evidence.ts';

/** The form of evidence that this ledger writes and reads. */
const FORMAT = 'ramp-ledger-evidence/1';

const Document = t.strict({
  format: t.literal(FORMAT),
  orderId: OrderIdText,
  key: t.string,
  witnesses: t.readonlyArray(t.string),
  signedAt: InstantText,
  projections: t.number,
  completeAt: t.strict({ treeSize: t.number, checkpoint: t.string, hashes: t.readonlyArray(t.string) }),
  events: t.readonlyArray(
    t.strict({
      revision: RevisionNumber,
      eventId: EventIdText,
      type: t.string,
      metadata: t.UnknownRecord,
      keepsData: t.boolean,
      leafIndex: t.number,
      hashes: t.readonlyArray(t.string),
    }),
  ),
});

/** What `evidence.json` says: all that is no file of its own. `keepsData`: whether there is a file of the stored data. */
export type EvidenceDocument = Omit<Evidence, 'checkpoint' | 'order' | 'events'> & {
  readonly events: readonly (Omit<EvidenceEvent, 'body' | 'data'> & { readonly keepsData: boolean })[];
};

const texts = (hashes: readonly Hash[]): readonly string[] => hashes.map((hash) => hash.toString('base64'));

/** Hashes of their base64; null where one is none. */
const hashesOf = (base64: readonly string[]): readonly Hash[] | null => {
  const hashes = base64.map((text) => Buffer.from(text, 'base64'));
  return hashes.every((hash) => hash.length === HASH_BYTES) ? hashes : null;
};

/** The text of `evidence.json`. */
export const documentText = ({
  orderId,
  key,
  witnesses,
  signedAt,
  projections,
  completeAt,
  events,
}: Evidence): string => {
  const document: t.TypeOf<typeof Document> = {
    format: FORMAT,
    orderId,
    key,
    witnesses,
    signedAt,
    projections,
    completeAt: {
      treeSize: completeAt.treeSize,
      checkpoint: completeAt.checkpoint,
      hashes: texts(completeAt.hashes),
    },
    events: events.map(({ revision, eventId, type, metadata, data, leafIndex, hashes }) => ({
      revision,
      eventId,
      type,
      metadata,
      keepsData: data !== null,
      leafIndex,
      hashes: texts(hashes),
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
};

/** Reads `evidence.json`; null for what is none of this form. */
export const parseDocument = (text: string): EvidenceDocument | null => {
  const decoded = Document.decode(parseNatively(text));
  if (E.isLeft(decoded)) return null;
  const read = decoded.right;
  const hashes = hashesOf(read.completeAt.hashes);
  const events = read.events.flatMap(({ metadata: written, hashes: base64, ...event }) => {
    const metadata = parseMetadata(JSON.stringify(written));
    const path = hashesOf(base64);
    return metadata === null || path === null ? [] : [{ ...event, metadata, hashes: path }];
  });
  if (hashes === null || events.length !== read.events.length || events.length === 0) return null;
  if (read.witnesses.some((line) => parseVerifierLine(line, 'cosignature') === null)) return null;
  return { ...read, completeAt: { ...read.completeAt, hashes }, events };
};
