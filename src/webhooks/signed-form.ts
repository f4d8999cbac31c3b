import { nestsWithin } from '../domain/nesting.ts';
import { decodeUtf8 } from '../domain/parse-json.ts';

/**
 * What a signature is over: the bytes that came, or ECMAScript's re-serialisation of them (docs/spec/receiving.md,
 * Bytes).
 */
export type SignedForm = 'bytes' | 'json';

const BOM = '\uFEFF';

/** No sender writes anything deeper, and most programs could not; half a megabyte of brackets takes a fifth of a second, which nobody has to prove himself for. */
const DEEPEST = 10_000;

/** The bytes that a signature is over, which are then what is decoded and kept; null where a body has no such form: it is no JSON, or nests too deep. */
export const signedFormOf = (body: Buffer, form: SignedForm): Buffer | null => {
  if (form === 'bytes') return body;
  const text = decodeUtf8(body);
  if (text === null || !nestsWithin(text, DEEPEST)) return null;
  try {
    return Buffer.from(JSON.stringify(JSON.parse(text.startsWith(BOM) ? text.slice(1) : text)));
  } catch {
    return null;
  }
};
