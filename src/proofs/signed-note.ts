import { createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';

/** What a key signs, in a key of a note (C2SP signed-note, Signature types): notes, or cosignatures with a time (cosignature/v1). */
const ALGORITHMS = { note: 1, cosignature: 4 } as const;

type Algorithm = keyof typeof ALGORITHMS;
const KEY_ID_BYTES = 4;
const KEY_BYTES = 32;

/** Where an Ed25519 key begins in its SubjectPublicKeyInfo. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** Whether a text can name a key: no blanks, no plus sign, not empty. */
export const isKeyName = (text: string): boolean => /^[^\s+\p{Cc}]+$/u.test(text) && text.isWellFormed();

/** By key: to derive one takes longer than to sign with it, and a log signs each second with the same. */
const rawPublicKeys = new WeakMap<KeyObject, Buffer>();

const rawPublicKey = (key: KeyObject): Buffer => {
  const known = rawPublicKeys.get(key);
  if (known !== undefined) return known;
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI.length);
  rawPublicKeys.set(key, raw);
  return raw;
};

const keyIdOf = (name: string, signs: Algorithm, publicKey: Buffer): Buffer =>
  hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ALGORITHMS[signs]), publicKey]), 'buffer').subarray(
    0,
    KEY_ID_BYTES,
  );

/** A key that notes are checked with. */
export type NoteVerifier = {
  readonly name: string;
  readonly signs: Algorithm;
  readonly keyId: Buffer;
  readonly publicKey: KeyObject;
};

const verifierOf = (name: string, signs: Algorithm, publicKey: Buffer): NoteVerifier => ({
  name,
  signs,
  keyId: keyIdOf(name, signs, publicKey),
  publicKey: createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' }),
});

/** The verifier of what this name signs with an Ed25519 key. */
export const noteVerifier = (name: string, signingKey: KeyObject): NoteVerifier =>
  verifierOf(name, 'note', rawPublicKey(signingKey));

/** The verifier of what a witness of this name cosigns with an Ed25519 key. */
export const cosignatureVerifier = (name: string, signingKey: KeyObject): NoteVerifier =>
  verifierOf(name, 'cosignature', rawPublicKey(signingKey));

/** The line that others are given to check notes with: `name+hash+key`. */
export const verifierLine = ({ name, signs, keyId, publicKey }: NoteVerifier): string => {
  const key = Buffer.concat([Buffer.of(ALGORITHMS[signs]), rawPublicKey(publicKey)]).toString('base64');
  return `${name}+${keyId.toString('hex')}+${key}`;
};

/** The key as other tools take it: SubjectPublicKeyInfo in PEM. */
export const publicKeyPem = ({ publicKey }: NoteVerifier): string => publicKey.export({ format: 'pem', type: 'spki' });

/** Reads the line of a verifier; null for one that is ill-formed, of another algorithm, or whose hash is not that of its key. */
export const parseVerifierLine = (line: string, signs: Algorithm = 'note'): NoteVerifier | null => {
  const [, name = '', keyId = '', base64 = ''] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? [];
  const key = Buffer.from(base64, 'base64');
  if (!isKeyName(name) || key.length !== 1 + KEY_BYTES || key[0] !== ALGORITHMS[signs]) return null;
  const verifier = verifierOf(name, signs, key.subarray(1));
  return verifier.keyId.toString('hex') === keyId ? verifier : null;
};

/** A signature of a note. `bytes` are those behind the key's id. */
export type NoteSignature = { readonly name: string; readonly keyId: Buffer; readonly bytes: Buffer };

/** A text and who has signed it. */
export type Note = { readonly text: string; readonly signatures: readonly NoteSignature[] };

const signatureLine = ({ name, keyId, bytes }: NoteSignature): string =>
  `— ${name} ${Buffer.concat([keyId, bytes]).toString('base64')}\n`;

/** Whether a signature names a key. */
export const isSameKey = (signature: NoteSignature, { name, keyId }: NoteVerifier): boolean =>
  signature.name === name && signature.keyId.equals(keyId);

/** A note as it is written down. */
export const noteText = ({ text, signatures }: Note): string => `${text}\n${signatures.map(signatureLine).join('')}`;

/** Signs a text, which ends with a newline. The same text gives the same note each time. */
export const signNote = (text: string, name: string, signingKey: KeyObject): Note => {
  const keyId = keyIdOf(name, 'note', rawPublicKey(signingKey));
  return { text, signatures: [{ name, keyId, bytes: sign(null, Buffer.from(text), signingKey) }] };
};

/** Why a text is no note. */
export type NoteProblem = 'note-unreadable' | 'signature-missing' | 'signature-wrong';

const parseSignature = (line: string): NoteSignature | null => {
  const [, name = '', base64 = ''] = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (!isKeyName(name) || bytes.length <= KEY_ID_BYTES || bytes.toString('base64') !== base64) return null;
  return { name, keyId: bytes.subarray(0, KEY_ID_BYTES), bytes: bytes.subarray(KEY_ID_BYTES) };
};

/** Reads a note without checking any signature; null for what is none. */
export const parseNote = (written: string): Note | null => {
  const end = written.lastIndexOf('\n\n');
  if (end === -1 || !written.endsWith('\n') || /[^\n\P{Cc}]/u.test(written)) return null;
  const signatures = parseSignatures(written.slice(end + 2));
  return signatures === null ? null : { text: written.slice(0, end + 1), signatures };
};

/** Reads lines of signatures, at least one; null where one is none. */
export const parseSignatures = (lines: string): readonly NoteSignature[] | null => {
  const signatures = lines.slice(0, -1).split('\n').map(parseSignature);
  const read = signatures.filter((signature) => signature !== null);
  return lines.endsWith('\n') && read.length === signatures.length ? read : null;
};

/** Whether a key has signed the text of a note. Signatures of other keys say nothing. */
export const checkNote = ({ text, signatures }: Note, verifier: NoteVerifier): E.Either<NoteProblem, string> => {
  const own = signatures.filter((signature) => isSameKey(signature, verifier));
  if (own.length === 0) return E.left('signature-missing');
  return own.every(({ bytes }) => verify(null, Buffer.from(text), verifier.publicKey, bytes))
    ? E.right(text)
    : E.left('signature-wrong');
};
