import { sign, verify, type KeyObject } from 'node:crypto';
import { instantOf, type Instant } from '../../domain/instant.ts';
import { isSameKey, type Note, type NoteSignature, type NoteVerifier } from '../signed-note.ts';

const TIME_BYTES = 8;
const MS = 1_000;
/** Towards the end of the year 9999, behind which a time has another form. */
const LATEST_SECONDS = 253_402_000_000n;

/** What a witness signs (C2SP tlog-cosignature, cosignature/v1). */
const cosignedText = (seconds: bigint, text: string): Buffer => Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`);

/** Makes the cosignature of a witness, for a test or a witness. */
export const cosign = (
  text: string,
  { name, keyId }: Pick<NoteVerifier, 'name' | 'keyId'>,
  signingKey: KeyObject,
  seconds: number,
): NoteSignature => {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(seconds));
  return { name, keyId, bytes: Buffer.concat([time, sign(null, cosignedText(BigInt(seconds), text), signingKey)]) };
};

/** When a witness has cosigned the text of a note; null where it has not. */
export const cosignedAt = ({ text, signatures }: Note, verifier: NoteVerifier): Instant | null => {
  const bytes = signatures.find((signature) => isSameKey(signature, verifier))?.bytes;
  if (bytes === undefined || bytes.length <= TIME_BYTES) return null;
  const seconds = bytes.readBigUInt64BE();
  if (seconds === 0n || seconds > LATEST_SECONDS) return null;
  const isCosigned = verify(null, cosignedText(seconds, text), verifier.publicKey, bytes.subarray(TIME_BYTES));
  return isCosigned ? instantOf(Number(seconds) * MS) : null;
};
