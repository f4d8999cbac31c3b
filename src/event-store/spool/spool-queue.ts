import type { VerifiedDelivery } from '../../domain/delivery.ts';
import type { Sha256 } from '../../domain/ids.ts';
import type { SetAsideNote } from '../spool.ts';
import { entryBytes } from './entry-bytes.ts';
import type { SpoolCounts } from './spool-counts.ts';
import type { Incoming, Settled } from './spool-file.ts';

/** A delivery on its way into the file; with a note it is set aside at once. */
export type Put<Answer> = {
  readonly verified: VerifiedDelivery;
  readonly key: string;
  readonly note: SetAsideNote | null;
  readonly answer: (answer: Answer) => void;
};

/** What is written together. */
export type Due<Answer> = {
  readonly puts: readonly Put<Answer>[];
  readonly incoming: readonly Incoming[];
  readonly settled: readonly Settled[];
};

/** What goes over at once: packing it takes a millisecond or two of the thread that receives. */
const MOST_PUTS = 1_024;
const MOST_BODY_BYTES = 4_194_304;
const MOST_SETTLED = 4_096;

/** What is to be written to a spool: all that came while the last was being written shares one transaction and one fsync. */
export class SpoolQueue<Answer> {
  #puts: Put<Answer>[] = [];
  /** What became of deliveries and is not yet written: it waits where the disk has no room even for that. */
  readonly #settled = new Map<number, Settled>();
  #reserved = 0;
  #nextSeq = 1;

  /** What those take that are on their way into the file. */
  get reserved(): number {
    return this.#reserved;
  }

  get hasPuts(): boolean {
    return this.#puts.length > 0;
  }

  isEmpty(): boolean {
    return this.#puts.length === 0 && this.#settled.size === 0;
  }

  put(put: Put<Answer>): void {
    this.#reserved += entryBytes(put.verified.body.length);
    this.#puts.push(put);
  }

  settle(settled: Settled): void {
    this.#settled.set(settled.seq, settled);
  }

  /** What became of a delivery that may still be in the file as one that waits. */
  settled(seq: number): Settled | undefined {
    return this.#settled.get(seq);
  }

  /** A place in the order of arrival is taken: whatever comes is behind it. */
  isTaken(seq: number): void {
    this.#nextSeq = Math.max(this.#nextSeq, seq + 1);
  }

  /** Takes what is to be written next; a place is given once, also where the write fails. A body that is set aside comes in once. */
  take(counts: Pick<SpoolCounts, 'isAside'>): Due<Answer> {
    const puts = this.#puts.splice(0, this.#most());
    const aside = new Set<Sha256>();
    const incoming: Incoming[] = [];
    for (const { verified, key, note } of puts) {
      const { bodySha256 } = verified;
      if (note !== null && (aside.has(bodySha256) || counts.isAside(bodySha256))) continue;
      if (note !== null) aside.add(bodySha256);
      incoming.push({ seq: this.#nextSeq, key, verified, note });
      this.#nextSeq += 1;
    }
    return { puts, incoming, settled: [...this.#settled.values().take(MOST_SETTLED)] };
  }

  /** What was taken has come to its end, and is in the file or not. */
  over({ puts, settled }: Due<Answer>, isWritten: boolean): void {
    this.#letGo(puts);
    if (isWritten) for (const { seq } of settled) this.#settled.delete(seq);
  }

  /** Takes out the deliveries that have not been taken yet: they are not written. */
  drop(): readonly Put<Answer>[] {
    const puts = this.#puts.splice(0);
    this.#letGo(puts);
    return puts;
  }

  #letGo(puts: readonly Put<Answer>[]): void {
    for (const { verified } of puts) this.#reserved -= entryBytes(verified.body.length);
  }

  #most(): number {
    let bytes = 0;
    const beyond = this.#puts.findIndex(({ verified }, i) => {
      bytes += verified.body.length;
      return i > 0 && bytes > MOST_BODY_BYTES;
    });
    return Math.min(beyond < 0 ? this.#puts.length : beyond, MOST_PUTS);
  }
}
