import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { sha256 } from '../domain/sha256.ts';
import { SESSION_SECONDS, type Session } from './session.ts';

/**
 * So many are remembered although they are over by the clock: one that went too far and goes back would bring them to life
 * again. Nobody signs out so often in the time for which a clock is wrong.
 */
const MOST_OVER = 1_000;

const LINE = /^(\d{1,12}) ([0-9a-f]{64})$/;

/** What the file says; null: nobody knows, since it can't be read. */
const readEnded = (file: string): ReadonlyMap<string, number> | null => {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return new Map(
      lines.flatMap((line) => {
        const [, expiresAt, digest] = LINE.exec(line) ?? [];
        return expiresAt === undefined || digest === undefined ? [] : [[digest, Number(expiresAt)]];
      }),
    );
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? new Map() : null;
  }
};

const lineOf = (digest: string, expiresAt: number): string => `${expiresAt} ${digest}\n`;

/**
 * The sessions that somebody signed out of before their time, kept in a file so that a restart brings none of them back.
 * Their cookies hold all else (docs/decisions/0013-console.md). Where the file can't be read, whatever may have been in it
 * counts as ended: everybody signs in once more.
 */
export class EndedSessions {
  readonly #file: string | null;
  /** By the digest of their nonce: when they would have been over, in seconds since the Unix epoch. */
  readonly #ended: Map<string, number>;
  /** Sessions that would have been over by then count as ended. */
  readonly #allUntil: number;

  /** @param file null: nothing is kept beyond this process */
  constructor(file: string | null, nowSeconds: number) {
    this.#file = file;
    const read = file === null ? new Map<string, number>() : readEnded(file);
    this.#allUntil = read === null ? nowSeconds + SESSION_SECONDS : 0;
    this.#ended = new Map(read);
    if (this.#forget(nowSeconds) && file !== null) this.#rewrite(file);
  }

  has({ nonce, expiresAt }: Session): boolean {
    return expiresAt <= this.#allUntil || this.#ended.has(sha256(nonce));
  }

  /** Ended at once, and for good when this resolves; it rejects where the disk fails. */
  async end({ nonce, expiresAt }: Session, nowSeconds: number): Promise<void> {
    this.#forget(nowSeconds);
    const digest = sha256(nonce);
    if (this.#ended.has(digest)) return;
    this.#ended.set(digest, expiresAt);
    if (this.#file === null) return;
    const handle = await open(this.#file, 'a', 0o600);
    try {
      await handle.appendFile(lineOf(digest, expiresAt));
      await handle.datasync();
    } finally {
      await handle.close();
    }
  }

  /** Forgets the eldest that are over by themselves; whether any was. */
  #forget(nowSeconds: number): boolean {
    const over = [...this.#ended].filter(([, expiresAt]) => expiresAt <= nowSeconds);
    const forgotten = over.slice(0, Math.max(0, over.length - MOST_OVER));
    for (const [digest] of forgotten) this.#ended.delete(digest);
    return forgotten.length > 0;
  }

  /** Leaves out what is forgotten. A file that can't be written stays as it is: it says no more than it should. */
  #rewrite(file: string): void {
    const draft = `${file}.draft`;
    try {
      const lines = [...this.#ended].map(([digest, expiresAt]) => lineOf(digest, expiresAt));
      writeFileSync(draft, lines.join(''), { mode: 0o600 });
      renameSync(draft, file);
    } catch {
      return;
    }
  }
}
