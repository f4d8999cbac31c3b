import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '../access/api-key.ts';

/** Somebody who has signed in with an API key, and may what that key may. */
export type Session = {
  readonly key: ApiKey;
  /** Unguessable, and another in every session: what form tokens are made of. */
  readonly nonce: string;
  /** Seconds since the Unix epoch. */
  readonly expiresAt: number;
};

/** A working day. */
export const SESSION_SECONDS = 8 * 3_600;

const NONCE_FORM = /^[\w-]{22,64}$/;
const KEY_BYTES = 32;
/** One more than a token has: a cookie of nothing but dots is not taken apart. */
const MOST_PARTS = 5;

/**
 * Tokens are signed with a secret of the API key itself, so that a session needs no memory: every ledger that has the key
 * knows it, also after a restart, and it ends when the key is taken out of the configuration.
 */
const signingKey = (key: ApiKey, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(key.sha256, 'hex'), '', `ramp-ledger console ${purpose}`, KEY_BYTES));

const signature = (key: ApiKey, purpose: string, text: string): string =>
  createHmac('sha256', signingKey(key, purpose)).update(text).digest('base64url');

/** Whether two texts are equal, in a time that does not depend on where they differ. */
export const isSameText = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));

const unsigned = ({ key, nonce, expiresAt }: Session): string =>
  [Buffer.from(key.id).toString('base64url'), expiresAt, nonce].join('.');

/** What the session's cookie holds. */
export const sessionToken = (session: Session): string => {
  const text = unsigned(session);
  return `${text}.${signature(session.key, 'session', text)}`;
};

/** The session that a cookie's text stands for; null where it is not one that was given out, or is over, or its key is no longer valid. Who holds the key can sign any: none lasts longer than one that begins now. */
export const readSession = (token: string, keys: readonly ApiKey[], nowSeconds: number): Session | null => {
  const [id, expires, nonce, signed, ...more] = token.split('.', MOST_PARTS);
  if (id === undefined || expires === undefined || nonce === undefined || signed === undefined) return null;
  if (more.length > 0 || !/^\d{1,12}$/.test(expires) || !NONCE_FORM.test(nonce)) return null;
  const keyId = Buffer.from(id, 'base64url').toString();
  const key = keys.find((candidate) => candidate.id === keyId);
  if (key === undefined || Number(expires) <= nowSeconds || Number(expires) > nowSeconds + SESSION_SECONDS) return null;
  const session = { key, nonce, expiresAt: Number(expires) };
  return isSameText(sessionToken(session), token) ? session : null;
};

/** What every form of a session carries, and no other site can know. */
export const formToken = ({ key, nonce }: Session): string => signature(key, 'form', nonce);
