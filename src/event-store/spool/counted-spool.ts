import * as E from 'fp-ts/lib/Either.js';
import type { SetAsideNote, SpooledDelivery, SpoolFailed } from '../spool.ts';
import type { AskedFile } from './asked-file.ts';
import type { SpoolRows } from './keeper-message.ts';
import { SpoolCounts } from './spool-counts.ts';
import type { Incoming, SpoolIndexRow } from './spool-file.ts';
import type { VanishedNews } from './spool-news.ts';
import type { SpoolOpenError } from './spool-open-error.ts';
import type { SpoolQueue } from './spool-queue.ts';

/** So many keys of those that vanished are named. */
const MOST_NAMED = 5;

/** Rows that are counted in one go leave their turn to deliveries. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/**
 * What the file of a spool holds, but for what became of deliveries and is not written yet. While it is counted nothing may
 * be written; what was known stays until all of it is counted.
 */
export class CountedSpool {
  readonly #file: AskedFile;
  readonly #queue: Pick<SpoolQueue<never>, 'isTaken' | 'settled'>;
  readonly #onVanished: (news: VanishedNews) => void;
  #now = new SpoolCounts();
  /** What is being counted anew. */
  #next: SpoolCounts | null = null;

  /** @param onVanished told of those that waited and are not there when they are counted anew, once for each count */
  constructor(
    file: AskedFile,
    queue: Pick<SpoolQueue<never>, 'isTaken' | 'settled'>,
    onVanished: (news: VanishedNews) => void,
  ) {
    this.#file = file;
    this.#queue = queue;
    this.#onVanished = onVanished;
  }

  get now(): SpoolCounts {
    return this.#now;
  }

  /** Opens the file, anew where it is open, and counts what is in it: what is not there was never durable, or was taken out by hand. */
  readonly open = async (): Promise<E.Either<SpoolOpenError | SpoolFailed, void>> => {
    const opened = await this.#file.open();
    if (E.isLeft(opened)) return opened;
    // The note of a delivery that somebody took out would set aside whatever came to its place.
    this.#queue.isTaken(opened.right.highestSetAside);
    const counted = await this.#count(opened.right);
    if (E.isRight(counted)) this.#file.works();
    return counted;
  };

  /** Counts once more what is in the file. */
  readonly again = async (): Promise<E.Either<SpoolFailed, void>> => {
    const first = await this.#file.ask({ _tag: 'Count' }, 'Rows');
    return E.isLeft(first) ? first : this.#count(first.right);
  };

  /** These were written: they are in the file now. */
  add(incoming: readonly Incoming[]): void {
    for (const { seq, key, verified, note } of incoming) {
      const { body, bodySha256, receivedAt } = verified;
      if (note === null) this.#now.add(key, { seq, bodyBytes: body.length, receivedAt });
      else this.#now.addAside(bodySha256, body.length);
    }
  }

  /** The turn of the first of a key is over, where it is this one: whether it was. With a note it was set aside. */
  settle({ seq, key, verified }: SpooledDelivery, note: SetAsideNote | null): boolean {
    const counts = [this.#now, this.#next].filter((one) => one?.removeFirst(key, seq) === true);
    if (note !== null) for (const one of counts) one?.addAside(verified.bodySha256, verified.body.length);
    return counts.length > 0;
  }

  async #count(first: SpoolRows): Promise<E.Either<SpoolFailed, void>> {
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
        const more = await this.#file.ask({ _tag: 'NextRows' }, 'Rows');
        if (E.isLeft(more)) return more;
        ({ rows, isLast } = more.right);
      }
      const vanished = this.#now.waitingBut(found, MOST_NAMED);
      if (vanished.deliveries > 0) this.#onVanished({ _tag: 'Vanished', ...vanished });
      this.#now = next;
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
}
