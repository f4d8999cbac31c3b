import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import { isConsistent } from '../../src/proofs/check-proof.ts';
import { parseCheckpoint, type Checkpoint } from '../../src/proofs/checkpoint.ts';
import {
  checkNote,
  cosignatureVerifier,
  noteText,
  parseNote,
  parseVerifierLine,
  verifierLine,
} from '../../src/proofs/signed-note.ts';
import { cosign } from '../../src/proofs/witness/cosignature.ts';

/** A witness as C2SP tlog-witness says, which remembers the newest tree of each log that it knows. */
export type TestWitness = {
  /** An entry of LEDGER_WITNESSES. */
  readonly setting: string;
  readonly name: string;
  /** Makes a log known to it, by the line of its key. */
  readonly know: (key: string) => void;
  /** What it has cosigned last of a log. */
  readonly seen: (origin: string) => Checkpoint | null;
  /** How often it was asked. */
  readonly asked: () => number;
  readonly close: () => Promise<void>;
};

type Answer = readonly [status: number, body: string];

const readProof = (lines: readonly string[]): readonly Buffer[] | null => {
  const hashes = lines.map((line) => Buffer.from(line, 'base64'));
  return hashes.length <= 63 && hashes.every((hash) => hash.length === 32) ? hashes : null;
};

/** Starts a witness on this machine. */
export const startWitness = async (name = 'witness.example/test'): Promise<TestWitness> => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const verifier = cosignatureVerifier(name, privateKey);
  const known = new Map<string, string>();
  const latest = new Map<string, Checkpoint>();
  let asked = 0;

  const answer = (body: string): Answer => {
    const split = body.indexOf('\n\n');
    const [first = '', ...lines] = body.slice(0, split).split('\n');
    const old = /^old (\d+)$/.exec(first)?.[1];
    const note = parseNote(body.slice(split + 2));
    const checkpoint = note === null ? null : parseCheckpoint(note.text);
    const proof = readProof(lines);
    if (old === undefined || note === null || checkpoint === null || proof === null) return [400, ''];
    const key = parseVerifierLine(known.get(checkpoint.origin) ?? '');
    if (key === null) return [404, ''];
    if (E.isLeft(checkNote(note, key))) return [403, ''];
    if (Number(old) > checkpoint.size) return [400, ''];
    const before = latest.get(checkpoint.origin) ?? null;
    if (Number(old) !== (before?.size ?? 0)) return [409, `${before?.size ?? 0}\n`];
    if (before?.size === checkpoint.size && !before.root.equals(checkpoint.root)) return [409, `${before.size}\n`];
    if (before !== null && before.size > 0 && !isConsistent(before, checkpoint, proof)) return [422, ''];
    latest.set(checkpoint.origin, checkpoint);
    const signature = cosign(note.text, verifier, privateKey, Math.floor(Date.now() / 1_000));
    // Its lines alone, without a text.
    return [200, noteText({ text: '', signatures: [signature] }).slice(1)];
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked += 1;
      const isAsked = request.method === 'POST' && request.url === '/witness/add-checkpoint';
      const [status, body] = isAsked ? answer(Buffer.concat(chunks).toString()) : ([404, ''] as const);
      response.writeHead(status, { 'content-type': status === 409 ? 'text/x.tlog.size' : 'text/plain' }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the witness has no port');
  const { port } = address;
  return {
    setting: `${verifierLine(verifier)} http://127.0.0.1:${port}/witness/`,
    name,
    know: (line) => known.set(line.slice(0, line.indexOf('+')), line),
    seen: (origin) => latest.get(origin) ?? null,
    asked: () => asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
