import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { VerifiedDelivery } from '../../domain/delivery.ts';
import type { Readiness } from '../event-store.ts';
import type { HeldFile } from '../kept-place.ts';
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
import { MendingFile } from './mending-file.ts';
import { openSpoolFile } from './open-spool-file.ts';
import { SpoolCounts } from './spool-counts.ts';
import type { Arrival, SpoolFile } from './spool-file.ts';
import { spoolOpenFailure, type SpoolOpenError } from './spool-open-error.ts';
import { SpoolWrites } from './spool-writes.ts';

export type SpoolOptions = {
  /** `spool.db` in the data directory, which is there, and which no other ledger uses. */
  readonly file: string;
  /** What keeps other ledgers out, as it was taken: where it is gone, nothing more is kept. */
  readonly locks?: readonly HeldFile[];
  /** What all deliveries may take together: about the size of the file. */
  readonly mostBytes: number;
  /** The longest body that may come: as long as there is room for it, the spool is ready. */
  readonly longestBody: number;
  /** A clock that never goes back, in ms. */
  readonly clockMs: () => number;
};

const CLOSED: SpoolFailed = { _tag: 'SpoolFailed', detail: 'the spool is closed' };

/** The spool on SQLite. */
export class SqliteSpool implements Spool {
  readonly #options: SpoolOptions;
  readonly #file: MendingFile;
  readonly #counts = new SpoolCounts();
  readonly #writes: SpoolWrites;
  /** Those that wait are behind it. */
  #settledUpTo = 0;
  /** The first of all that wait; null where it is to be looked up. */
  #oldest: Arrival | null = null;
  #closed = false;

  private constructor(options: SpoolOptions, file: SpoolFile) {
    this.#options = options;
    this.#file = new MendingFile(file, {
      ...options,
      load: (anew) => this.#load(anew),
      onMended: () => this.#writes.again(),
    });
    this.#writes = new SpoolWrites(this.#file, this.#counts);
    this.#load(file);
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
    )(openSpoolFile(options.file, options.locks));
  }

  readonly put = (verified: VerifiedDelivery, key: string): TE.TaskEither<SpoolFull | SpoolFailed, void> =>
    this.#keep(verified, key, null);

  readonly putAside = (
    verified: VerifiedDelivery,
    key: string,
    note: SetAsideNote,
  ): TE.TaskEither<SpoolFull | SpoolFailed, void> => this.#keep(verified, key, note);

  readonly holds = (key: string): boolean => this.#counts.holds(key);

  readonly keys = (): IterableIterator<string> => this.#counts.keys();

  readonly firstOf =
    (key: string): TE.TaskEither<SpoolFailed, SpooledDelivery | null> =>
    () =>
      Promise.resolve(this.#firstOf(key));

  readonly done = (delivery: SpooledDelivery): void => this.#settle(delivery, null);

  readonly setAside = (delivery: SpooledDelivery, note: SetAsideNote): void => this.#settle(delivery, note);

  readonly setAsideEntries = (): TE.TaskEither<SpoolFailed, readonly SetAsideEntry[]> => () => {
    if (this.#closed) return Promise.resolve(E.left(CLOSED));
    this.#writes.commit();
    return Promise.resolve(this.#file.read((file) => file.setAsideEntries()));
  };

  readonly state = (): SpoolState => {
    // First, since it may open the file anew.
    const ready = this.#readiness();
    const oldest = this.#closed || this.#counts.depth === 0 ? E.right(null) : this.#oldestThatWaits();
    const { depth, bytes, asideCount: setAside } = this.#counts;
    return {
      depth,
      bytes,
      oldestReceivedAt: E.isRight(oldest) ? (oldest.right?.receivedAt ?? null) : null,
      setAside,
      ready,
    };
  };

  readonly close = (): Promise<void> => {
    if (!this.#closed) this.#writes.commit();
    this.#closed = true;
    this.#file.close();
    return Promise.resolve();
  };

  #firstOf(key: string): E.Either<SpoolFailed, SpooledDelivery | null> {
    if (this.#closed) return E.left(CLOSED);
    return this.#file.read((file) => {
      const first = this.#firstIn(file, key);
      // Somebody took out by hand what waited: whoever counts on it would wait for ever.
      if (first !== null || !this.#counts.holds(key)) return first;
      this.#load(file);
      return this.#firstIn(file, key);
    });
  }

  #keep(
    verified: VerifiedDelivery,
    key: string,
    note: SetAsideNote | null,
  ): TE.TaskEither<SpoolFull | SpoolFailed, void> {
    return () =>
      new Promise((resolve) => {
        if (this.#closed) resolve(E.left(CLOSED));
        else if (note !== null && this.#counts.isAside(verified.bodySha256)) resolve(E.right(undefined));
        else if (!this.#fits(verified.body.length)) resolve(E.left({ _tag: 'SpoolFull', detail: this.#fullness() }));
        else this.#writes.put({ verified, key, note, answer: resolve });
      });
  }

  #taken(): number {
    return this.#counts.bytes + this.#writes.reserved;
  }

  #fits(bodyBytes: number): boolean {
    return this.#taken() + entryBytes(bodyBytes) <= this.#options.mostBytes;
  }

  #fullness(): string {
    return `spool.db holds ${this.#taken()} of at most ${this.#options.mostBytes} bytes`;
  }

  #readiness(): Readiness {
    if (this.#closed) return { ready: false, detail: CLOSED.detail };
    const trouble = this.#file.trouble();
    if (trouble !== null) return { ready: false, detail: `spool.db: ${trouble}` };
    const fits = this.#fits(this.#options.longestBody);
    return fits ? { ready: true } : { ready: false, detail: this.#fullness() };
  }

  #firstIn(file: SpoolFile, key: string): SpooledDelivery | null {
    const seq = this.#counts.firstOf(key);
    const first = seq === null ? null : file.at(seq);
    // Its turn is over in the queue that it waits in, whatever its row says now: else it would be appended again and again.
    return first === null ? null : { ...first, key };
  }

  /** The first of all that wait. Those whose turn is over may still be in the file. */
  #oldestThatWaits(): E.Either<SpoolFailed, Arrival | null> {
    return this.#file.read((file) => {
      while (this.#oldest === null) {
        const first = file.firstAfter(this.#settledUpTo);
        if (first === null) return null;
        if (this.#writes.settled(first.seq) !== undefined) this.#settledUpTo = first.seq;
        else this.#oldest = first;
      }
      return this.#oldest;
    });
  }

  #settle({ seq, key, verified }: SpooledDelivery, note: SetAsideNote | null): void {
    if (this.#closed || this.#counts.firstOf(key) !== seq) return;
    const bodyBytes = verified.body.length;
    this.#writes.settle({ seq, note });
    this.#counts.removeFirst(key, bodyBytes);
    if (note !== null) this.#counts.addAside(verified.bodySha256, bodyBytes);
    if (this.#oldest?.seq === seq) [this.#oldest, this.#settledUpTo] = [null, seq];
  }

  /** Counts anew what is in the file. What is not there any more was never durable, or was taken out by hand. */
  #load(file: SpoolFile): void {
    // All of it or nothing: what a file that fails half way would leave is less than what waits.
    const rows = [...file.index()];
    [this.#oldest, this.#settledUpTo] = [null, 0];
    this.#counts.clear();
    for (const { seq, key, bodySha256, bodyBytes, isSetAside } of rows) {
      this.#writes.isTaken(seq);
      const settled = this.#writes.settled(seq);
      if (settled !== undefined && settled.note === null) continue;
      if (isSetAside || settled !== undefined) this.#counts.addAside(bodySha256, bodyBytes);
      else this.#counts.add(key, seq, bodyBytes);
    }
  }
}
