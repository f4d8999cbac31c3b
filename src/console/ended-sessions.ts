import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { sha256 } from '../domain/sha256.ts';
import { SESSION_SECONDS, type Session } from './session.ts';

/** Stands in the place of a digest for all sessions that would have been over by then. */
const ALL = 'all';
const LINE = /^(\d{1,12}) ([0-9a-f]{64}|all)$/;

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
  /** Sessions that would have been over by then count as ended: some of them were, and are forgotten. A clock may go back. */
  #allUntil: number;

  /** @param file null: nothing is kept beyond this process */
  constructor(file: string | null, nowSeconds: number) {
    this.#file = file;
    const read = file === null ? new Map<string, number>() : readEnded(file);
    this.#allUntil = read === null ? nowSeconds + SESSION_SECONDS : (read.get(ALL) ?? 0);
    this.#ended = new Map(read);
    this.#ended.delete(ALL);
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

  /** Forgets those that are over by themselves; whether any was. */
  #forget(nowSeconds: number): boolean {
    const before = this.#ended.size;
    for (const [digest, expiresAt] of this.#ended) {
      if (expiresAt > nowSeconds) continue;
      this.#ended.delete(digest);
      this.#allUntil = Math.max(this.#allUntil, expiresAt);
    }
    return this.#ended.size < before;
  }

  /** Leaves out what is over by itself. A file that can't be written stays as it is: it says no more than it should. */
  #rewrite(file: string): void {
    const draft = `${file}.draft`;
    try {
      const lines = [lineOf(ALL, this.#allUntil), ...[...this.#ended].map(([digest, at]) => lineOf(digest, at))];
      writeFileSync(draft, lines.join(''), { mode: 0o600 });
      renameSync(draft, file);
    } catch {
      return;
    }
  }
}
