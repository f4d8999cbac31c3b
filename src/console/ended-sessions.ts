import { readFileSync } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sha256 } from '../domain/sha256.ts';
import { EndedOfKey } from './ended-of-key.ts';
import { SESSION_SECONDS, type Session } from './session.ts';

/** Lines that say nothing more, before the file is written anew. */
const MOST_STALE_LINES = 1_000;

/** In place of a digest: all sessions of the key that would be over by then. */
const ALL = '*';

/** When it would have been over, the digest of its nonce, and the id of its key in base64url; lines of old have none. */
const LINE = /^(\d{1,12}) ([0-9a-f]{64}|\*)(?: ([\w-]+))?$/;

/** The key of lines that name none: what they say holds for every key. */
const ANY_KEY = '';

const lineOf = (keyId: string, digest: string, expiresAt: number): string =>
  `${[expiresAt, digest, ...(keyId === ANY_KEY ? [] : [Buffer.from(keyId).toString('base64url')])].join(' ')}\n`;

type ByKey = Map<string, EndedOfKey>;

const ofKey = (ended: ByKey, keyId: string): EndedOfKey => {
  const known = ended.get(keyId);
  if (known !== undefined) return known;
  const made = new EndedOfKey();
  ended.set(keyId, made);
  return made;
};

type Read = { readonly ended: ReadonlyMap<string, EndedOfKey>; readonly lines: number };

const NOTHING_READ: Read = { ended: new Map(), lines: 0 };

/** What the file says; null: nobody knows, since it can't be read. */
const readEnded = (file: string, nowSeconds: number): Read | null => {
  const ended: ByKey = new Map();
  try {
    const text = readFileSync(file, 'utf8');
    const lines = text.split('\n');
    for (const line of lines) {
      const [, expiresAt, digest, key = ''] = LINE.exec(line) ?? [];
      if (expiresAt === undefined || digest === undefined) continue;
      const one = ofKey(ended, Buffer.from(key, 'base64url').toString());
      if (digest === ALL) one.endAllUntil(Number(expiresAt));
      else one.end(digest, Number(expiresAt), nowSeconds + SESSION_SECONDS);
    }
    // The next line would continue one that is there in part.
    return { ended, lines: text === '' || text.endsWith('\n') ? lines.length : Infinity };
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? NOTHING_READ : null;
  }
};

/**
 * The sessions that somebody signed out of before their time, kept in a file so that a restart brings none of them back.
 * Their cookies hold all else (docs/decisions/0013-console.md). Where the file can't be read, whatever may have been in it
 * counts as ended: everybody signs in once more.
 */
export class EndedSessions {
  readonly #file: string | null;
  readonly #lost: () => string | null;
  readonly #ended: ByKey;
  /** Of the file. */
  #lines: number;
  /** Those that the next write takes along. */
  #waiting: string[] = [];
  /** The write under way, and the one behind it that all who come meanwhile share. */
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  /**
   * @param file null: nothing is kept beyond this process
   * @param lost why the file may be another ledger's by now, so that nothing is written to it; null: it is not
   */
  constructor(file: string | null, nowSeconds: number, lost: () => string | null = () => null) {
    this.#file = file;
    this.#lost = lost;
    const read = file === null ? NOTHING_READ : readEnded(file, nowSeconds);
    this.#ended = new Map(read?.ended);
    this.#lines = read?.lines ?? 0;
    if (read === null) ofKey(this.#ended, ANY_KEY).endAllUntil(nowSeconds + SESSION_SECONDS);
  }

  has({ key, nonce, expiresAt }: Session): boolean {
    const digest = sha256(nonce);
    return [key.id, ANY_KEY].some((id) => this.#ended.get(id)?.has(digest, expiresAt) === true);
  }

  /** Ended at once, and for good when this resolves; it rejects where the disk fails. */
  async end(session: Session, nowSeconds: number): Promise<void> {
    if (this.has(session)) return;
    const { key, nonce, expiresAt } = session;
    const digest = sha256(nonce);
    ofKey(this.#ended, key.id).end(digest, expiresAt, nowSeconds + SESSION_SECONDS);
    if (this.#file === null) return;
    this.#waiting.push(lineOf(key.id, digest, expiresAt));
    await this.#written(this.#file);
  }

  /** One write after the other, each of all that came during the one before: however many sign out, the disk is for deliveries. */
  #written(file: string): Promise<void> {
    // What became of the one before was told to those who waited for it.
    this.#next ??= Promise.allSettled([this.#writing]).then(() => {
      this.#next = null;
      this.#writing = this.#write(file);
      return this.#writing;
    });
    return this.#next;
  }

  async #write(file: string): Promise<void> {
    const lost = this.#lost();
    if (lost !== null) throw new Error(lost);
    const lines = this.#waiting;
    this.#waiting = [];
    const after = this.#lines + lines.length;
    // Where this fails, a line may be there in part: the next write leaves it out.
    this.#lines = Infinity;
    if (after > this.#remembered() + MOST_STALE_LINES) return this.#rewrite(file);
    const handle = await open(file, 'a', 0o600);
    try {
      await handle.appendFile(lines.join(''));
      await handle.datasync();
    } finally {
      await handle.close();
    }
    this.#lines = after;
  }

  #remembered(): number {
    let sessions = 0;
    for (const { each } of this.#ended.values()) sessions += each.size;
    return sessions;
  }

  #kept(): readonly string[] {
    return [...this.#ended].flatMap(([keyId, { allUntil, each }]) => [
      ...(allUntil === 0 ? [] : [lineOf(keyId, ALL, allUntil)]),
      ...[...each].map(([digest, expiresAt]) => lineOf(keyId, digest, expiresAt)),
    ]);
  }

  /** Leaves out what says nothing more. */
  async #rewrite(file: string): Promise<void> {
    const draft = `${file}.draft`;
    const lines = this.#kept();
    await writeFile(draft, lines.join(''), { mode: 0o600, flush: true });
    await rename(draft, file);
    const folder = await open(dirname(file), 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
    this.#lines = lines.length;
  }
}
