import { orderStream } from '../../domain/ids.ts';
import { recordText } from '../../domain/record-digest.ts';
import { sha256 } from '../../domain/sha256.ts';
import { parseCheckpoint } from '../checkpoint.ts';
import { pathSides } from '../check-proof.ts';
import { leafTextOf } from '../log-leaf.ts';
import { parseNote, parseVerifierLine, publicKeyPem } from '../signed-note.ts';
import { documentText, parseDocument } from './evidence-document.ts';
import type { Evidence, EvidenceEvent } from './evidence.ts';

/** Files by their names, in their order. */
export type Files = ReadonlyMap<string, Buffer>;

const folder = (revision: number): string => `events/${revision}`;

/** A line for each hash on the way to the root, and the side on which it stands. */
const pathText = ({ leafIndex, hashes }: EvidenceEvent, treeSize: number): string =>
  hashes.map((hash, i) => `${pathSides(leafIndex, treeSize)[i] ?? 'beyond'} ${hash.toString('base64')}\n`).join('');

const eventFiles = (
  { orderId }: Evidence,
  event: EvidenceEvent,
  treeSize: number,
): readonly (readonly [string, string | Buffer])[] => {
  const { revision, eventId, type, metadata, body, data } = event;
  const stream = orderStream(orderId);
  const { recordSha256 } = metadata;
  const record = recordText(stream, type, eventId, sha256(data ?? body), metadata, data !== null);
  const at = folder(revision);
  return [
    [`${at}/body`, body],
    ...(data === null ? [] : [[`${at}/data.json`, data] as const]),
    [`${at}/signature.txt`, `${metadata.signature}\n`],
    [`${at}/record.json`, record],
    [`${at}/leaf.json`, leafTextOf({ eventId, recordSha256, revision, stream, type })],
    [`${at}/path.txt`, pathText(event, treeSize)],
  ];
};

/** Bytes stay where they are: a copy of each body would hold the order once more. */
const named = ([name, content]: readonly [string, string | Buffer]): readonly [string, Buffer] => [
  name,
  typeof content === 'string' ? Buffer.from(content) : content,
];

/**
 * The files of evidence that follow from it: all but the page, the explanation and the signed list. A text that follows
 * from another one is there for whoever checks with other tools. They come in parts, those of one event each, so that others
 * can have their turn in between.
 */
export function* evidenceParts(evidence: Evidence): Generator<readonly (readonly [string, Buffer])[], void> {
  const { key, checkpoint, order, events } = evidence;
  const verifier = parseVerifierLine(key);
  const { size } = parseCheckpoint(parseNote(checkpoint)?.text ?? '') ?? { size: 0 };
  const files: readonly (readonly [string, string | Buffer])[] = [
    ['evidence.json', documentText(evidence)],
    ['order.json', order],
    ['checkpoint.txt', checkpoint],
    ['ledger-key.txt', `${key}\n`],
    ['ledger-key.pem', verifier === null ? '' : publicKeyPem(verifier)],
  ];
  yield files.map(named);
  for (const event of events) yield eventFiles(evidence, event, size).map(named);
}

/** All of these files at once. */
export const evidenceFiles = (evidence: Evidence): Files => new Map([...evidenceParts(evidence)].flat());

/** Reads evidence out of its files; null where what it is made of is not there. */
export const evidenceIn = (files: Files): Evidence | null => {
  const document = parseDocument(files.get('evidence.json')?.toString() ?? '');
  const [checkpoint, order] = [files.get('checkpoint.txt'), files.get('order.json')];
  if (document === null || checkpoint === undefined || order === undefined) return null;
  const events = document.events.flatMap(({ keepsData, ...event }) => {
    const body = files.get(`${folder(event.revision)}/body`);
    const data = keepsData ? files.get(`${folder(event.revision)}/data.json`) : null;
    return body === undefined || data === undefined ? [] : [{ ...event, body, data }];
  });
  if (events.length !== document.events.length) return null;
  return { ...document, checkpoint: checkpoint.toString(), order: order.toString(), events };
};
