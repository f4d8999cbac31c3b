import * as E from 'fp-ts/lib/Either.js';
import type { Sha256 } from '../../domain/ids.ts';
import type { SetAsideNote, SpooledDelivery, SpoolFailed, SpoolState } from '../spool.ts';
import type { AskedFile } from './asked-file.ts';
import { BEFORE_ALL, type SpoolFound, type SpoolRows } from './keeper-message.ts';
import { SpoolCounts } from './spool-counts.ts';
import type { Incoming, SpoolIndexRow } from './spool-file.ts';
import type { CountNews } from './spool-news.ts';
import type { SpoolOpenError } from './spool-open-error.ts';
import type { SpoolQueue } from './spool-queue.ts';
import { UncountedPart } from './uncounted-part.ts';
import { VanishedKeys } from './vanished-keys.ts';

/** Beyond every place in the order of arrival. */
const TO_THE_END = Number.MAX_SAFE_INTEGER;

/** So many of those that came meanwhile are counted among the others in one go: more than come in a turn. */
const MOST_TAKEN = 4_096;

/** Rows that are counted in one go leave their turn to deliveries. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

type Listeners = {
  readonly onNews: (news: CountNews) => void;
  /** Told when further deliveries are counted, and when all are. */
  readonly onCounted: () => void;
};

/**
 * What the file of a spool holds, but for what became of deliveries and is not written yet.
 *
 * The first opening waits for no count: what was there is counted slice by slice behind it (`goOn`), in order of places,
 * while others are written behind all of it. What is counted is the first of its key there, since all before it is counted
 * too; what came since is shown only once all is. An opening or a count later on is one piece: nothing may be written
 * meanwhile, and what was known stays until it is over.
 */
export class CountedSpool {
  readonly #file: AskedFile;
  readonly #queue: Pick<SpoolQueue<never>, 'isTaken' | 'settled'>;
  readonly #listeners: Listeners;
  #now = new SpoolCounts();
  /** What is being counted anew. */
  #next: SpoolCounts | null = null;
  /** What the first count has not come to; null once it is over. */
  #rest: UncountedPart | null = null;
  #isOpen = false;
  #isGoingOn = false;
  #isStopped = false;
  #isFailureTold = false;
  /** Those that the first count found, and that are not there any more. */
  #gone = new VanishedKeys();
  readonly #whole = Promise.withResolvers<void>();

  /** @param listeners told of those that waited and are not there when they are counted, once for each count, and that the first count fails, once */
  constructor(file: AskedFile, queue: Pick<SpoolQueue<never>, 'isTaken' | 'settled'>, listeners: Listeners) {
    this.#file = file;
    this.#queue = queue;
    this.#listeners = listeners;
  }

  /** What is known of its contents. */
  get sums(): Omit<SpoolState, 'ready'> {
    const { depth, bytes, oldestReceivedAt, asideCount: setAside } = this.#now;
    const rest = this.#rest;
    if (rest === null) return { isCounting: false, depth, bytes, oldestReceivedAt, setAside };
    return { isCounting: true, depth: depth + rest.depth, bytes: bytes + rest.bytes, oldestReceivedAt, setAside };
  }

  /** Whether it is known that none waits. */
  get isEmpty(): boolean {
    return this.#rest === null && this.#now.depth === 0;
  }

  /** Resolves once all is counted. */
  get whole(): Promise<void> {
    return this.#whole.promise;
  }

  holds(key: string): boolean {
    return this.#rest !== null || this.#now.holds(key);
  }

  keys(): IterableIterator<string> {
    return this.#now.keys();
  }

  firstOf(key: string): number | null {
    return this.#now.firstOf(key);
  }

  isAside(bodySha256: Sha256): boolean {
    return this.#now.isAside(bodySha256);
  }

  /** Opens the file, anew where it is open: what is not there was never durable, or was taken out by hand. */
  readonly open = async (): Promise<E.Either<SpoolOpenError | SpoolFailed, void>> => {
    const opened = await this.#file.open();
    if (E.isLeft(opened)) return opened;
    // The note of a delivery that somebody took out would set aside whatever came to its place.
    this.#queue.isTaken(opened.right.highest);
    const counted = this.#isOpen ? await this.#countAnew(opened.right) : this.#begin(opened.right);
    if (E.isRight(counted)) this.#file.works();
    return counted;
  };

  /** Goes on with the first count until it is over, fails or is stopped. Where one is under way already this does nothing. */
  readonly goOn = async (): Promise<void> => {
    const rest = this.#rest;
    if (rest === null || this.#isGoingOn) return;
    this.#isGoingOn = true;
    while (await this.#countMore(rest));
    this.#isGoingOn = false;
  };

  /** Begins nothing more of the first count. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Counts once more what is in the file. */
  readonly again = async (): Promise<E.Either<SpoolFailed, void>> => {
    const first = await this.#rowsBehind(BEFORE_ALL, TO_THE_END);
    return E.isLeft(first) ? first : this.#countAnew(first.right);
  };

  /**
   * Somebody took out by hand the first of a key. While the first count goes on it is left out, and told at the end: whether
   * that is so. Else only a count says what else is gone.
   */
  isLeftOut(key: string, seq: number): boolean {
    if (this.#rest === null) return false;
    if (this.#now.removeFirst(key, seq)) this.#gone.add(key);
    return true;
  }

  /** These were written: they are in the file now. */
  add(incoming: readonly Incoming[]): void {
    for (const { seq, key, verified, note } of incoming) {
      const { body, bodySha256, receivedAt } = verified;
      const one = { seq, bodyBytes: body.length, receivedAt };
      if (note !== null) this.#now.addAside(bodySha256, body.length);
      else if (this.#rest === null) this.#now.add(key, one);
      else this.#rest.add({ key, ...one });
    }
  }

  /** The turn of the first of a key is over, where it is this one: whether it was. With a note it was set aside. */
  settle({ seq, key, verified }: SpooledDelivery, note: SetAsideNote | null): boolean {
    const counts = [this.#now, this.#next].filter((one) => one?.removeFirst(key, seq) === true);
    if (note !== null) for (const one of counts) one?.addAside(verified.bodySha256, verified.body.length);
    return counts.length > 0;
  }

  #rowsBehind(behind: number, upTo: number): Promise<E.Either<SpoolFailed, SpoolRows>> {
    return this.#file.ask({ _tag: 'NextRows', behind, upTo }, 'Rows');
  }

  #begin(found: SpoolFound): E.Either<never, void> {
    const rest = new UncountedPart(found);
    this.#isOpen = true;
    if (found.brokenLog !== null) this.#listeners.onNews({ _tag: 'LogBroken', detail: found.brokenLog });
    this.#rest = rest;
    this.#counted(rest, found);
    return E.right(undefined);
  }

  /** @returns whether there is more */
  async #countMore(rest: UncountedPart): Promise<boolean> {
    await turn();
    // What is opened anew is counted there.
    if (this.#isStopped || this.#file.isBroken || this.#rest !== rest) return false;
    if (rest.isRead) {
      this.#counted(rest, { rows: [], isLast: true });
      return !this.#isOver;
    }
    const more = await this.#rowsBehind(rest.behind, rest.upTo);
    if (this.#rest !== rest) return false;
    if (E.isLeft(more)) {
      this.#failed(more.left);
      return false;
    }
    this.#counted(rest, more.right);
    return !this.#isOver;
  }

  get #isOver(): boolean {
    return this.#rest === null;
  }

  /** Who comes behind all that was there is counted behind it. */
  #counted(rest: UncountedPart, rows: SpoolRows): void {
    for (const row of rows.rows) this.#put(this.#now, row);
    rest.counted(rows);
    if (rest.isRead) this.#takeCome(rest, MOST_TAKEN);
    if (rest.isRead && rest.depth === 0) this.#isWhole();
    this.#listeners.onCounted();
  }

  #takeCome(rest: UncountedPart, most: number): void {
    for (const { key, ...one } of rest.take(most)) this.#now.add(key, one);
  }

  #isWhole(): void {
    this.#rest = null;
    this.#isFailureTold = false;
    this.#tellVanished(this.#gone);
    this.#gone = new VanishedKeys();
    this.#whole.resolve();
  }

  #failed({ detail }: SpoolFailed): void {
    if (this.#isStopped || this.#isFailureTold || !this.#file.isBroken) return;
    this.#isFailureTold = true;
    this.#listeners.onNews({ _tag: 'Uncounted', detail });
  }

  async #countAnew(first: SpoolRows): Promise<E.Either<SpoolFailed, void>> {
    const next = new SpoolCounts();
    const found = new Set<number>();
    this.#next = next;
    try {
      for (let { rows, isLast } = first; ;) {
        for (const row of rows) {
          found.add(row.seq);
          this.#put(next, row);
        }
        if (isLast) break;
        await turn();
        const more = await this.#rowsBehind(rows.at(-1)?.seq ?? BEFORE_ALL, TO_THE_END);
        if (E.isLeft(more)) return more;
        ({ rows, isLast } = more.right);
      }
      if (this.#rest !== null) this.#takeCome(this.#rest, Infinity);
      for (const key of this.#now.keysBut(found)) this.#gone.add(key);
      this.#now = next;
      this.#isWhole();
      return E.right(undefined);
    } finally {
      this.#next = null;
    }
  }

  #put(counts: SpoolCounts, { seq, key, bodySha256, bodyBytes, receivedAt, isSetAside }: SpoolIndexRow): void {
    this.#queue.isTaken(seq);
    const settled = this.#queue.settled(seq);
    if (settled !== undefined && settled.note === null) return;
    if (isSetAside || settled !== undefined) counts.addAside(bodySha256, bodyBytes);
    else counts.add(key, { seq, bodyBytes, receivedAt });
  }

  #tellVanished({ deliveries, keys }: VanishedKeys): void {
    if (deliveries > 0) this.#listeners.onNews({ _tag: 'Vanished', deliveries, keys });
  }
}
