import { sign } from 'node:crypto';
import * as t from 'io-ts';
import { parseCheckpoint } from '../../src/proofs/checkpoint.ts';
import { evidenceIn } from '../../src/proofs/evidence/evidence-files.ts';
import { unzipped } from '../../src/proofs/evidence/evidence-zip.ts';
import { evidenceZip, writtenEvidence } from '../../src/proofs/evidence/make-evidence.ts';
import { parseNote } from '../../src/proofs/signed-note.ts';
import { ConsistencyResource, InclusionResource } from '../../src/queries/proofs/proof-resources.ts';
import type { EvidenceScene } from './evidence-scene.ts';
import { right } from './right.ts';
import { API_KEY } from './running-ledger.ts';

/** Evidence that leaves an order's newest event out, and the size of the tree as of which it is whole. */
type Shortened = { readonly zip: Buffer; readonly before: number };

/** What the holder of the ledger's key can make who lies: evidence without the newest event, true in all else. */
export const shortened = async ({ ledger, zip, key, orderId }: EvidenceScene): Promise<Shortened> => {
  const ask = async <A>(path: string, decoder: t.Decoder<unknown, A>): Promise<A> => {
    const answer = await fetch(`${ledger.url}${path}`, { headers: { Authorization: `Bearer ${API_KEY}` } });
    return right(decoder.decode(await answer.json()));
  };
  const whole = evidenceIn(unzipped(zip) ?? new Map());
  if (whole === null) throw new Error('no evidence');
  const events = whole.events.slice(0, -1);
  const before = (events.at(-1)?.leafIndex ?? 0) + 1;
  const size = parseCheckpoint(parseNote(whole.checkpoint)?.text ?? '')?.size ?? 0;
  const named = `orderId=${encodeURIComponent(orderId)}&revision=${events.length - 1}`;
  const { checkpoint } = await ask(`/v1/proofs/inclusion?${named}&size=${before}`, InclusionResource);
  const { hashes } = await ask(`/v1/proofs/consistency?from=${before}&to=${size}`, ConsistencyResource);
  const order = await ask(`/v1/orders/${encodeURIComponent(orderId)}?revision=${events.length - 1}`, t.UnknownRecord);
  const completeAt = { treeSize: before, checkpoint, hashes: hashes.map((hash) => Buffer.from(hash, 'base64')) };
  // Of another version of the projections the order as shown is the ledger's word alone.
  const evidence = { ...whole, events, completeAt, order: `${JSON.stringify(order)}\n`, projections: 0 };
  const written = await writtenEvidence(evidence);
  return { zip: await evidenceZip(written, sign(null, Buffer.from(written.list), key)), before };
};
