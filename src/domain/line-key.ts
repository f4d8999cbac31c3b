import { branded, type Brand } from './brand.ts';
import { guardedText } from './guarded.ts';

/**
 * The key that the ids of bank lines are made with: 32 random bytes in hex, drawn once for a log and kept in it
 * (docs/spec/statements.md, A line). It is shown to nobody.
 */
export type LineKey = Brand<string, 'LineKey'>;

const KEY_BYTES = 32;

const isLineKey = (text: string): text is LineKey => /^[0-9a-f]{64}$/.test(text);

export const LineKeyText = guardedText('line key', isLineKey);

/**
 * A new key.
 *
 * @param randomBytes bytes that nobody can guess
 */
export const drawnLineKey = (randomBytes: (size: number) => Buffer): LineKey =>
  branded<LineKey>(randomBytes(KEY_BYTES).toString('hex'));

/** Its bytes. */
export const lineKeyBytes = (key: LineKey): Buffer => Buffer.from(key, 'hex');
