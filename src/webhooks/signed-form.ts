import { decodeUtf8 } from '../domain/parse-json.ts';

/**
 * What a signature is over: the bytes that came, or ECMAScript's re-serialisation of them (docs/spec/receiving.md,
 * Bytes).
 */
export type SignedForm = 'bytes' | 'json';

const BOM = '\uFEFF';

/** The bytes that a signature is over, which are then what is decoded and kept; null where a body has no such form. */
export const signedFormOf = (body: Buffer, form: SignedForm): Buffer | null => {
  if (form === 'bytes') return body;
  const text = decodeUtf8(body);
  if (text === null) return null;
  try {
    return Buffer.from(JSON.stringify(JSON.parse(text.startsWith(BOM) ? text.slice(1) : text)));
  } catch {
    // No JSON, or nested too deeply to be written again: nobody can have signed such a form of it.
    return null;
  }
};
