import * as E from 'fp-ts/lib/Either.js';
import { FairTurns } from '../../concurrency/fair-turns.ts';
import type { SpoolFailed, SpoolFull } from '../spool.ts';
import { spoolFailed, type AskedFile } from './asked-file.ts';
import type { CountedSpool } from './counted-spool.ts';
import { packBatch } from './spool-batch.ts';
import type { Put, SpoolQueue } from './spool-queue.ts';

/** What becomes of a delivery that is put. A Right is durable, and counted. */
export type Kept = E.Either<SpoolFull | SpoolFailed, void>;

/** What comes in one turn of the event loop goes over together. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/**
 * Writes what is due, all of it together, one commit at a time. Whatever else changes what is known of the file waits for its
 * turn too (`alone`), so that what is counted is what the file holds.
 */
export class SpoolCommits {
  readonly #file: AskedFile;
  readonly #queue: SpoolQueue<Kept>;
  readonly #counted: CountedSpool;
  readonly #onWaiting: () => void;
  readonly #turns = new FairTurns(1);
  #isDue = false;

  /** @param onWaiting told when further deliveries wait */
  constructor(file: AskedFile, queue: SpoolQueue<Kept>, counted: CountedSpool, onWaiting: () => void) {
    this.#file = file;
    this.#queue = queue;
    this.#counted = counted;
    this.#onWaiting = onWaiting;
  }

  /** Does something while nothing is written. */
  readonly alone = <A>(deed: () => Promise<A>): Promise<A> => this.#turns.run('', deed);

  /** Writes what is due, once this turn of the event loop is over and what is under way is done. */
  readonly soon = (): void => {
    if (this.#isDue) return;
    this.#isDue = true;
    void this.alone(async () => {
      await turn();
      this.#isDue = false;
      await this.#write();
    });
  };

  /** Writes all that is due, as long as that succeeds. */
  readonly all = async (): Promise<void> => {
    while ((await this.alone(() => this.#write())) && !this.#queue.isEmpty());
  };

  /** @returns whether something was written */
  async #write(): Promise<boolean> {
    if (this.#file.isBroken) this.#answer(this.#queue.drop(), E.left(spoolFailed(this.#file.trouble ?? '')));
    if (this.#file.isBroken || this.#queue.isEmpty()) return false;
    const due = this.#queue.take(this.#counted);
    const written = await this.#file.write(packBatch(due.incoming, due.settled));
    const isWritten = E.isRight(written);
    const kept = E.flatten(written);
    this.#queue.over(due, isWritten);
    if (isWritten) this.#counted.add(due.incoming);
    if (E.isRight(kept)) this.#file.works();
    this.#answer(due.puts, kept);
    if (isWritten && due.incoming.length > 0) this.#onWaiting();
    if (this.#queue.hasPuts || (isWritten && !this.#queue.isEmpty())) this.soon();
    else if (E.isRight(kept) && due.settled.length > 0 && this.#counted.isEmpty)
      await this.#file.ask({ _tag: 'TruncateLog' }, 'Done');
    return isWritten;
  }

  #answer(puts: readonly Put<Kept>[], answer: Kept): void {
    for (const put of puts) put.answer(answer);
  }
}
