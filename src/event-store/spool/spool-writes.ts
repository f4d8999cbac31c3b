import * as E from 'fp-ts/lib/Either.js';
import type { VerifiedDelivery } from '../../domain/delivery.ts';
import type { Sha256 } from '../../domain/ids.ts';
import type { SetAsideNote, SpoolFailed } from '../spool.ts';
import { entryBytes } from './entry-bytes.ts';
import type { MendingFile } from './mending-file.ts';
import type { SpoolCounts } from './spool-counts.ts';
import type { Incoming, Settled } from './spool-file.ts';

/** A delivery on its way into the file; with a note it is set aside at once. */
type Put = {
  readonly verified: VerifiedDelivery;
  readonly key: string;
  readonly note: SetAsideNote | null;
  readonly answer: (answer: E.Either<SpoolFailed, void>) => void;
};

/** What is to be written to a spool. What comes in one turn of the event loop shares one transaction and one fsync. */
export class SpoolWrites {
  readonly #file: MendingFile;
  readonly #counts: SpoolCounts;
  #puts: Put[] = [];
  /** What became of deliveries and is not yet written: it waits where the disk has no room even for that. */
  readonly #settled = new Map<number, Settled>();
  #isDue = false;
  #reserved = 0;
  #nextSeq = 1;

  constructor(file: MendingFile, counts: SpoolCounts) {
    this.#file = file;
    this.#counts = counts;
  }

  /** What those take that are on their way into the file. */
  get reserved(): number {
    return this.#reserved;
  }

  put(put: Put): void {
    this.#reserved += entryBytes(put.verified.body.length);
    this.#puts.push(put);
    this.#commitSoon();
  }

  settle(settled: Settled): void {
    this.#settled.set(settled.seq, settled);
    this.#commitSoon();
  }

  /** What became of a delivery that may still be in the file as one that waits. */
  settled(seq: number): Settled | undefined {
    return this.#settled.get(seq);
  }

  /** A place in the order of arrival is taken: whatever comes is behind it. */
  isTaken(seq: number): void {
    this.#nextSeq = Math.max(this.#nextSeq, seq + 1);
  }

  /** What could not be written is written with the next turn. */
  again(): void {
    if (this.#settled.size > 0) this.#commitSoon();
  }

  /** Writes all of it now. */
  commit(): void {
    this.#isDue = false;
    const puts = this.#puts;
    this.#puts = [];
    if (puts.length === 0 && this.#settled.size === 0) return;
    const written = this.#file.write((file) => {
      // Not before, since what is there is counted anew where the file had to be opened anew.
      const incoming = this.#incoming(puts);
      const settled = [...this.#settled.values()];
      file.write(incoming, settled);
      return { incoming, settled };
    });
    for (const { verified } of puts) this.#reserved -= entryBytes(verified.body.length);
    if (E.isRight(written)) this.#count(written.right.incoming, written.right.settled);
    for (const { answer } of puts) answer(E.map(() => undefined)(written));
    const isEmptied = E.isRight(written) && written.right.settled.length > 0 && this.#counts.depth === 0;
    if (isEmptied) this.#file.read((file) => file.truncateLog());
  }

  #commitSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.commit());
  }

  /** Those of a turn, at their places; a body that is set aside comes in once. */
  #incoming(puts: readonly Put[]): readonly Incoming[] {
    const aside = new Set<Sha256>();
    const incoming: Incoming[] = [];
    for (const { verified, key, note } of puts) {
      const { bodySha256 } = verified;
      if (note !== null && (aside.has(bodySha256) || this.#counts.isAside(bodySha256))) continue;
      if (note !== null) aside.add(bodySha256);
      incoming.push({ seq: this.#nextSeq + incoming.length, key, verified, note });
    }
    return incoming;
  }

  /** Takes into account what is now in the file. */
  #count(incoming: readonly Incoming[], settled: readonly Settled[]): void {
    for (const { seq } of settled) this.#settled.delete(seq);
    for (const { seq, key, verified, note } of incoming) {
      this.isTaken(seq);
      if (note === null) this.#counts.add(key, seq, verified.body.length);
      else this.#counts.addAside(verified.bodySha256, verified.body.length);
    }
  }
}
