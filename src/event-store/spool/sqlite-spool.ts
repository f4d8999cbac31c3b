import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { inTime } from '../../concurrency/in-time.ts';
import { LOOK_EVERY_MS } from '../../concurrency/silence.ts';
import { UntilGivenUp } from '../../concurrency/until-given-up.ts';
import type { VerifiedDelivery } from '../../domain/delivery.ts';
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
import { AskedFile, spoolFailed } from './asked-file.ts';
import { CountedSpool } from './counted-spool.ts';
import { entryBytes } from './entry-bytes.ts';
import { firstWaiting } from './first-waiting.ts';
import type { KeeperEnd } from './keeper-message.ts';
import { SpoolCommits, type Kept } from './spool-commits.ts';
import type { SpoolNews } from './spool-news.ts';
import { spoolOpenError, type SpoolOpenError } from './spool-open-error.ts';
import { SpoolQueue } from './spool-queue.ts';

export type SpoolOptions = {
  /** What all deliveries may take together: about the size of the file. */
  readonly mostBytes: number;
  /** The longest body that may come: as long as there is room for it, the spool is ready. */
  readonly longestBody: number;
  /** Told that the disk hangs, that it answers again, and what vanished from the file. */
  readonly onNews?: (news: SpoolNews) => void;
  /** Calls again and again, once a second; its answer ends that. */
  readonly everySecond?: (call: () => void) => () => void;
};

const CLOSED = spoolFailed('the spool is closed');
const GIVEN_UP = E.left(spoolFailed('the disk does not answer'));
const NOTHING = E.right(undefined);

/** What is under way when it is closed has so long for it; a disk that hangs is left to the end of the process. */
const FINISH_WITHIN_MS = 2_000;

const everySecondByTheClock = (call: () => void): (() => void) => {
  const timer = setInterval(call, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
};

/**
 * The spool on SQLite, as the thread has it that receives: it knows what waits, and asks the keeper of the file for all that
 * touches the disk. A file that fails is tried again, or opened anew, once a second until it works.
 */
export class SqliteSpool implements Spool {
  readonly #options: SpoolOptions;
  readonly #file: AskedFile;
  readonly #queue = new SpoolQueue<Kept>();
  readonly #counted: CountedSpool;
  readonly #commits: SpoolCommits;
  /** Those who wait for the disk. */
  readonly #waiting = new UntilGivenUp();
  #onWaiting: () => void = () => undefined;
  #stopLooking: () => void = () => undefined;
  #isTended = false;
  #isClosed = false;

  private constructor(options: SpoolOptions, keeper: KeeperEnd) {
    this.#options = options;
    const onNews = options.onNews ?? (() => undefined);
    const onCounted = (): void => this.#onWaiting();
    this.#file = new AskedFile(keeper, onNews);
    this.#counted = new CountedSpool(this.#file, this.#queue, { onNews, onCounted });
    this.#commits = new SpoolCommits(this.#file, this.#queue, this.#counted, onCounted);
  }

  /**
   * Opens a spool, or makes it where there is none. Where it can't be, nothing of it is left open. It does not wait until what is
   * in it is counted.
   */
  static async open(options: SpoolOptions, keeper: KeeperEnd): Promise<E.Either<SpoolOpenError, Spool>> {
    const spool = new SqliteSpool(options, keeper);
    const opened = await spool.#counted.open();
    if (E.isRight(opened)) {
      spool.#stopLooking = (options.everySecond ?? everySecondByTheClock)(() => spool.#look());
      void spool.#counted.goOn();
      return E.right(spool);
    }
    await spool.close();
    const { left: failure } = opened;
    return E.left(
      failure._tag === 'SpoolFailed'
        ? spoolOpenError('SpoolUnusable', `the spool can't be read (${failure.detail})`, 'see that its disk works')
        : failure,
    );
  }

  readonly put = (verified: VerifiedDelivery, key: string): TE.TaskEither<SpoolFull | SpoolFailed, void> =>
    this.#keep(verified, key, null);

  readonly putAside = (
    verified: VerifiedDelivery,
    key: string,
    note: SetAsideNote,
  ): TE.TaskEither<SpoolFull | SpoolFailed, void> => this.#keep(verified, key, note);

  readonly holds = (key: string): boolean => this.#counted.holds(key);

  readonly keys = (): IterableIterator<string> => this.#counted.keys();

  readonly firstOf =
    (key: string): TE.TaskEither<SpoolFailed, SpooledDelivery | null> =>
    () =>
      this.#inTime(() => firstWaiting(key, this.#file, this.#counted, this.#commits));

  readonly done = (delivery: SpooledDelivery): void => this.#settle(delivery, null);

  readonly setAside = (delivery: SpooledDelivery, note: SetAsideNote): void => this.#settle(delivery, note);

  readonly setAsideEntries = (): TE.TaskEither<SpoolFailed, readonly SetAsideEntry[]> => () =>
    this.#inTime(async () => {
      await this.#commits.all();
      const found = await this.#file.ask({ _tag: 'ReadSetAside' }, 'SetAside');
      return E.isLeft(found) ? found : E.right(found.right.entries);
    });

  readonly state = (): SpoolState => ({ ...this.#counted.sums, ready: this.#readiness() });

  readonly onWaiting = (call: () => void): void => {
    this.#onWaiting = call;
  };

  readonly close = async (): Promise<void> => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopLooking();
    this.#counted.stop();
    if (!this.#file.isSilent) await inTime(FINISH_WITHIN_MS, this.#commits.all(), undefined);
    this.#giveUp();
    await this.#file.close();
  };

  #keep(
    verified: VerifiedDelivery,
    key: string,
    note: SetAsideNote | null,
  ): TE.TaskEither<SpoolFull | SpoolFailed, void> {
    return () => {
      if (note === null || !this.#counted.sums.isCounting) return this.#keepNow(verified, key, note);
      // Until all is counted it is not known which bodies are set aside already.
      return this.#inTime(async () => {
        await this.#counted.whole;
        return this.#keepNow(verified, key, note);
      });
    };
  }

  #keepNow(
    verified: VerifiedDelivery,
    key: string,
    note: SetAsideNote | null,
  ): Promise<E.Either<SpoolFull | SpoolFailed, void>> {
    if (!this.#isClosed && note !== null && this.#counted.isAside(verified.bodySha256)) {
      return Promise.resolve(NOTHING);
    }
    return this.#inTime<SpoolFull | SpoolFailed, void>(() => {
      if (!this.#fits(verified.body.length)) {
        return Promise.resolve(E.left({ _tag: 'SpoolFull', detail: this.#fullness() }));
      }
      const { promise, resolve } = Promise.withResolvers<Kept>();
      this.#queue.put({ verified, key, note, answer: resolve });
      this.#commits.soon();
      return promise;
    });
  }

  /** What the disk answers, unless that is given up; at once where nothing is to be expected of it. */
  #inTime<F, A>(ask: () => Promise<E.Either<F | SpoolFailed, A>>): Promise<E.Either<F | SpoolFailed, A>> {
    const { isSilent, isBroken, trouble } = this.#file;
    if (this.#isClosed) return Promise.resolve(E.left(CLOSED));
    if (isSilent || isBroken) return Promise.resolve(E.left(spoolFailed(trouble ?? '')));
    return this.#waiting.wait<E.Either<F | SpoolFailed, A>, E.Either<F | SpoolFailed, A>>(ask(), GIVEN_UP);
  }

  #settle(delivery: SpooledDelivery, note: SetAsideNote | null): void {
    if (this.#isClosed || !this.#counted.settle(delivery, note)) return;
    this.#queue.settle({ seq: delivery.seq, note });
    this.#commits.soon();
  }

  #taken(): number {
    return this.#counted.sums.bytes + this.#queue.reserved;
  }

  #fits(bodyBytes: number): boolean {
    return this.#taken() + entryBytes(bodyBytes) <= this.#options.mostBytes;
  }

  #fullness(): string {
    return `spool.db holds ${this.#taken()} of at most ${this.#options.mostBytes} bytes`;
  }

  #readiness(): Readiness {
    if (this.#isClosed) return { ready: false, detail: CLOSED.detail };
    const { trouble } = this.#file;
    if (trouble !== null) return { ready: false, detail: `spool.db: ${trouble}` };
    return this.#fits(this.#options.longestBody) ? { ready: true } : { ready: false, detail: this.#fullness() };
  }

  /** Who waits is answered; what has not gone over is not written. */
  #giveUp(): void {
    this.#queue.drop();
    this.#waiting.giveUp();
  }

  #look(): void {
    if (this.#file.look()) this.#giveUp();
    if (this.#isTended || this.#file.isSilent) return;
    this.#isTended = true;
    void this.#tend().finally(() => {
      this.#isTended = false;
    });
  }

  /** Looks whether a trouble is over, or, where there is none, whether the file is where it was: where nothing comes, nobody else looks. */
  async #tend(): Promise<void> {
    if (this.#file.trouble === null) {
      await this.#file.ask({ _tag: 'Look' }, 'Done');
      // Where it failed, and the file is as it was.
      void this.#counted.goOn();
      return;
    }
    const mended = this.#file.isBroken
      ? await this.#commits.alone(this.#counted.open)
      : await this.#file.ask({ _tag: 'Probe' }, 'Done');
    if (E.isLeft(mended)) return;
    this.#file.works();
    this.#commits.soon();
    if (!this.#counted.isEmpty) this.#onWaiting();
  }
}
