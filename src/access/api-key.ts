import { hash, timingSafeEqual } from 'node:crypto';

/** A key that callers authenticate with, as the configuration gives it; the key itself is not kept. */
export type ApiKey = {
  readonly id: string;
  readonly scopes: ReadonlySet<string>;
  /** SHA-256 of the key's UTF-8 bytes, 64 hex digits. */
  readonly sha256: string;
};

const matches = (digest: Buffer, key: ApiKey): boolean => {
  const expected = Buffer.from(key.sha256, 'hex');
  return expected.length === digest.length && timingSafeEqual(expected, digest);
};

/** Every key is compared, found or not, so that the time taken tells nothing. */
const keyWithDigest = (keys: readonly ApiKey[], digest: Buffer): ApiKey | null => {
  let found: ApiKey | null = null;
  for (const key of keys) if (matches(digest, key)) found = key;
  return found;
};

/** The key whose text, or its bytes, somebody shows; null where it is none that is valid. */
export const keyShown = (keys: readonly ApiKey[], text: string | Buffer): ApiKey | null =>
  keyWithDigest(keys, hash('sha256', text, 'buffer'));
