import { either as E, type taskEither as TE } from 'fp-ts';
import type { VerifiedDelivery } from '../../domain/delivery.ts';
import type { Sha256 } from '../../domain/ids.ts';
import type { Readiness } from '../event-store.ts';
import type {
  SetAsideEntry,
  SetAsideNote,
  Spool,
  SpooledDelivery,
  SpoolFailed,
  SpoolFull,
  SpoolState,
} from '../spool.ts';
import { entryBytes } from './entry-bytes.ts';
import { openSpoolFile } from './open-spool-file.ts';
import type { Incoming, Settled, SpoolFile } from './spool-file.ts';
import { spoolErrorCode, spoolOpenFailure, type SpoolOpenError } from './spool-open-error.ts';

export type SpoolOptions = {
  /** `spool.db` in the data directory, which is there, and which no other ledger uses. */
  readonly file: string;
  /** What all deliveries may take together: about the size of the file. */
  readonly mostBytes: number;
  /** The longest body that may come: as long as there is room for it, the spool is ready. */
  readonly longestBody: number;
  /** A clock that never goes back, in ms. */
  readonly clockMs: () => number;
};

type Put = {
  readonly verified: VerifiedDelivery;
  readonly key: string;
  readonly note: SetAsideNote | null;
  readonly answer: (answer: E.Either<SpoolFailed, void>) => void;
};

const RECOVER_EVERY_MS = 1_000;
/** Writes that found no room, or the file locked, left everything as it was; after a failed fsync only what is read anew is known (facts/webhooks.md, Durability). */
const AS_IT_WAS = new Set(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_BUSY']);

const failed = (detail: string): SpoolFailed => ({ _tag: 'SpoolFailed', detail });
const CLOSED = failed('the spool is closed');

const describe = (error: unknown): string => {
  const code = spoolErrorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  return code === '' ? message : `${code}: ${message}`;
};

const sizeOf = ({ body }: VerifiedDelivery): number => entryBytes(body.length);

/**
 * The spool on SQLite. What comes in one turn of the event loop shares one transaction and one fsync. Keys, sums and the
 * delivery at the head are known without asking the file.
 */
export class SqliteSpool implements Spool {
  readonly #options: SpoolOptions;
  #file: SpoolFile;
  #puts: Put[] = [];
  /** What became of deliveries and is not yet written: it waits where the disk has no room even for that. */
  readonly #settled = new Map<number, Settled>();
  #commitIsDue = false;
  readonly #waiting = new Map<string, number>();
  readonly #aside = new Set<Sha256>();
  #asideCount = 0;
  #depth = 0;
  #bytes = 0;
  /** What those take that are on their way into the file. */
  #reserved = 0;
  #nextSeq = 1;
  /** Those that wait are behind it. */
  #settledUpTo = 0;
  /** The first of those that wait; null where it is to be looked up. */
  #head: SpooledDelivery | null = null;
  /** Why nothing could be written, or read, last. */
  #trouble: string | null = null;
  /** Whether the file has to be opened anew before anything is read or written. */
  #broken = false;
  #recoverFrom = 0;
  #closed = false;

  private constructor(options: SpoolOptions, file: SpoolFile) {
    this.#options = options;
    this.#file = file;
    this.#load();
  }

  /** Opens a spool, or makes it where there is none. */
  static open(options: SpoolOptions): E.Either<SpoolOpenError, Spool> {
    return E.flatMap((file: SpoolFile) =>
      E.tryCatch(
        () => new SqliteSpool(options, file),
        (error) => {
          file.close();
          return spoolOpenFailure(error, options.file);
        },
      ),
    )(openSpoolFile(options.file));
  }

  readonly put = (verified: VerifiedDelivery, key: string): TE.TaskEither<SpoolFull | SpoolFailed, void> =>
    this.#keep(verified, key, null);

  readonly putAside = (
    verified: VerifiedDelivery,
    key: string,
    note: SetAsideNote,
  ): TE.TaskEither<SpoolFull | SpoolFailed, void> => this.#keep(verified, key, note);

  readonly holds = (key: string): boolean => this.#waiting.has(key);

  readonly next = (): E.Either<SpoolFailed, SpooledDelivery | null> => {
    if (this.#closed) return E.left(CLOSED);
    if (this.#head !== null || this.#depth === 0) return E.right(this.#head);
    if (this.#broken) this.#recover();
    if (this.#broken) return E.left(failed(this.#trouble ?? ''));
    return this.#attempt(() => {
      this.#head ??= this.#lookUp();
      // Somebody took out by hand what waited: whoever counts on it would wait for ever.
      if (this.#head === null && this.#depth > 0) {
        this.#load();
        this.#head = this.#lookUp();
      }
      return this.#head;
    });
  };

  readonly done = (seq: number): void => this.#settle(seq, null);

  readonly setAside = (seq: number, note: SetAsideNote): void => this.#settle(seq, note);

  readonly setAsideEntries = (): E.Either<SpoolFailed, readonly SetAsideEntry[]> => {
    if (this.#closed) return E.left(CLOSED);
    this.#commit();
    if (this.#broken) this.#recover();
    if (this.#broken) return E.left(failed(this.#trouble ?? ''));
    return this.#attempt(() => this.#file.setAsideEntries());
  };

  readonly state = (): SpoolState => {
    // First, since it may open the file anew.
    const ready = this.#readiness();
    const next = this.#closed ? E.right(null) : this.next();
    return {
      depth: this.#depth,
      bytes: this.#bytes,
      oldestReceivedAt: E.isRight(next) ? (next.right?.verified.receivedAt ?? null) : null,
      setAside: this.#asideCount,
      ready,
    };
  };

  readonly close = (): void => {
    if (this.#closed) return;
    this.#commit();
    this.#closed = true;
    this.#attempt(() => this.#file.close());
  };

  #keep(
    verified: VerifiedDelivery,
    key: string,
    note: SetAsideNote | null,
  ): TE.TaskEither<SpoolFull | SpoolFailed, void> {
    return () =>
      new Promise((resolve) => {
        const size = sizeOf(verified);
        if (this.#closed) resolve(E.left(CLOSED));
        else if (note !== null && this.#aside.has(verified.bodySha256)) resolve(E.right(undefined));
        else if (!this.#fits(size)) resolve(E.left({ _tag: 'SpoolFull', detail: this.#fullness() }));
        else {
          this.#reserved += size;
          this.#puts.push({ verified, key, note, answer: resolve });
          this.#commitSoon();
        }
      });
  }

  #fits(size: number): boolean {
    return this.#bytes + this.#reserved + size <= this.#options.mostBytes;
  }

  #fullness(): string {
    return `spool.db holds ${this.#bytes + this.#reserved} of at most ${this.#options.mostBytes} bytes`;
  }

  #readiness(): Readiness {
    if (this.#closed) return { ready: false, detail: CLOSED.detail };
    if (this.#trouble !== null) this.#recover();
    if (this.#trouble !== null) return { ready: false, detail: `spool.db: ${this.#trouble}` };
    const fits = this.#fits(entryBytes(this.#options.longestBody));
    return fits ? { ready: true } : { ready: false, detail: this.#fullness() };
  }

  #settle(seq: number, note: SetAsideNote | null): void {
    const head = this.#head;
    if (this.#closed || head === null || head.seq !== seq) return;
    this.#head = null;
    this.#settled.set(seq, { seq, note });
    this.#depth -= 1;
    const others = (this.#waiting.get(head.key) ?? 0) - 1;
    if (others > 0) this.#waiting.set(head.key, others);
    else this.#waiting.delete(head.key);
    if (note === null) this.#bytes -= sizeOf(head.verified);
    else this.#countAside(head.verified.bodySha256);
    this.#commitSoon();
  }

  #commitSoon(): void {
    if (this.#commitIsDue) return;
    this.#commitIsDue = true;
    setImmediate(() => this.#commit());
  }

  #commit(): void {
    this.#commitIsDue = false;
    const puts = this.#puts;
    this.#puts = [];
    const settled = [...this.#settled.values()];
    if (this.#closed || (puts.length === 0 && settled.length === 0)) return;
    if (this.#broken) this.#recover();
    const incoming = this.#incoming(puts);
    const written = this.#broken
      ? E.left(failed(this.#trouble ?? ''))
      : this.#attempt(() => this.#file.write(incoming, settled));
    for (const { verified } of puts) this.#reserved -= sizeOf(verified);
    if (E.isRight(written)) this.#count(incoming, settled);
    for (const { answer } of puts) answer(written);
    if (E.isRight(written) && settled.length > 0 && this.#depth === 0) this.#attempt(() => this.#file.truncateLog());
  }

  /** Those of a turn, at their places; a body that is set aside comes in once. */
  #incoming(puts: readonly Put[]): readonly Incoming[] {
    const aside = new Set<Sha256>();
    const incoming: Incoming[] = [];
    for (const { verified, key, note } of puts) {
      const { bodySha256 } = verified;
      if (note !== null && (aside.has(bodySha256) || this.#aside.has(bodySha256))) continue;
      if (note !== null) aside.add(bodySha256);
      incoming.push({ seq: this.#nextSeq + incoming.length, key, verified, note });
    }
    return incoming;
  }

  /** Takes into account what is now in the file. */
  #count(incoming: readonly Incoming[], settled: readonly Settled[]): void {
    this.#trouble = null;
    for (const { seq } of settled) this.#settled.delete(seq);
    for (const { seq, key, verified, note } of incoming) {
      this.#nextSeq = seq + 1;
      this.#bytes += sizeOf(verified);
      if (note === null) this.#countWaiting(key);
      else this.#countAside(verified.bodySha256);
    }
  }

  #countWaiting(key: string): void {
    this.#depth += 1;
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
  }

  #countAside(bodySha256: Sha256): void {
    this.#asideCount += 1;
    this.#aside.add(bodySha256);
  }

  /** The first that waits. Those whose turn is over may still be in the file. */
  #lookUp(): SpooledDelivery | null {
    for (;;) {
      const first = this.#file.firstAfter(this.#settledUpTo);
      if (first === null) return null;
      if (!this.#settled.has(first.seq)) {
        this.#settledUpTo = first.seq - 1;
        return first;
      }
      this.#settledUpTo = first.seq;
    }
  }

  /** Counts anew what is in the file. What is not there any more was never durable, or was taken out by hand. */
  #load(): void {
    // All of it or nothing: what a file that fails half way would leave is less than what waits.
    const rows = [...this.#file.index()];
    const head = this.#head;
    [this.#head, this.#settledUpTo] = [null, 0];
    [this.#depth, this.#bytes, this.#asideCount] = [0, 0, 0];
    this.#waiting.clear();
    this.#aside.clear();
    for (const { seq, key, bodySha256, bodyBytes, isSetAside } of rows) {
      this.#nextSeq = Math.max(this.#nextSeq, seq + 1);
      const settled = this.#settled.get(seq);
      if (settled !== undefined && settled.note === null) continue;
      this.#bytes += entryBytes(bodyBytes);
      if (isSetAside || settled !== undefined) this.#countAside(bodySha256);
      else this.#countWaiting(key);
      // It may be on its way to the store right now.
      if (head !== null && head.seq === seq && !isSetAside) this.#head = head;
    }
  }

  /** Looks, at most once a second, whether the trouble is over. */
  #recover(): void {
    const now = this.#options.clockMs();
    if (now < this.#recoverFrom) return;
    this.#recoverFrom = now + RECOVER_EVERY_MS;
    const recovered = this.#broken ? this.#reopen() : this.#attempt(() => this.#file.probe());
    if (E.isLeft(recovered)) return;
    this.#trouble = null;
    if (this.#settled.size > 0) this.#commitSoon();
  }

  #reopen(): E.Either<SpoolFailed, void> {
    this.#attempt(() => this.#file.close());
    const opened = openSpoolFile(this.#options.file);
    if (E.isLeft(opened)) {
      this.#trouble = opened.left.detail;
      return E.left(failed(opened.left.detail));
    }
    this.#file = opened.right;
    const loaded = this.#attempt(() => this.#load());
    if (E.isRight(loaded)) this.#broken = false;
    return loaded;
  }

  /** Does what may fail, and keeps in mind that it did. */
  #attempt<A>(what: () => A): E.Either<SpoolFailed, A> {
    return E.tryCatch(what, (error) => {
      this.#trouble = describe(error);
      this.#recoverFrom = this.#options.clockMs() + RECOVER_EVERY_MS;
      if (!this.#broken && !AS_IT_WAS.has(spoolErrorCode(error))) this.#broken = true;
      return failed(this.#trouble);
    });
  }
}
