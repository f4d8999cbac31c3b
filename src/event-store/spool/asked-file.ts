import * as E from 'fp-ts/lib/Either.js';
import { Silence } from '../../concurrency/silence.ts';
import { troubleLine } from '../../domain/trouble.ts';
import type { DiskNews } from '../disk-news.ts';
import type { HeldFile } from '../kept-place.ts';
import type { SpoolFailed } from '../spool.ts';
import type { KeeperEnd, SpoolAnswer, SpoolFound, SpoolQuestion } from './keeper-message.ts';
import type { SpoolBatch } from './spool-batch.ts';
import { spoolOpenError, type SpoolOpenError } from './spool-open-error.ts';

export const spoolFailed = (detail: string): SpoolFailed => ({ _tag: 'SpoolFailed', detail });

const isOfKind = <Tag extends SpoolAnswer['_tag']>(
  answer: SpoolAnswer,
  tag: Tag,
): answer is Extract<SpoolAnswer, { readonly _tag: Tag }> => answer._tag === tag;

/** The file of a spool as its keeper's answers show it: whether it works, why not, and whether it answers at all. */
export class AskedFile {
  readonly #keeper: KeeperEnd;
  readonly #onNews: (news: DiskNews) => void;
  readonly #silence = new Silence();
  /** Questions that have no answer yet, the oldest first. */
  readonly #open = new Set<SpoolQuestion>();
  /** The file of the first opening: what was promised since is in this one. */
  #known: HeldFile | null = null;
  #trouble: string | null = null;
  #isBroken = false;

  constructor(keeper: KeeperEnd, onNews: (news: DiskNews) => void) {
    this.#keeper = keeper;
    this.#onNews = onNews;
  }

  /** Whether it has to be opened anew before anything is read or written. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  get isSilent(): boolean {
    return this.#silence.seconds !== null;
  }

  /** Why nothing can be written at present; null where all is well. */
  get trouble(): string | null {
    const { seconds } = this.#silence;
    return seconds === null ? this.#trouble : `the disk has not answered for ${seconds} s`;
  }

  /** Opens the file, anew where it is open, and gives what is found there, however much that is. Once it was open, only the same file will do. */
  async open(): Promise<E.Either<SpoolOpenError, SpoolFound>> {
    const answer = await this.#answered({ _tag: 'Open', known: this.#known }, []);
    if (answer._tag === 'Opened') {
      this.#known ??= answer.known;
      return E.right(answer);
    }
    if (answer._tag === 'NotOpened') {
      this.#failed(troubleLine(answer.reason), true);
      return E.left(answer.reason);
    }
    const { detail } = this.#otherThan(answer);
    return E.left(spoolOpenError('SpoolUnusable', `the spool can't be opened (${detail})`, 'restart the ledger'));
  }

  /** The answer of one kind; a Left where there is another one, or none. What it says of the file is kept in mind. */
  async ask<Tag extends SpoolAnswer['_tag']>(
    question: SpoolQuestion,
    wanted: Tag,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<E.Either<SpoolFailed, Extract<SpoolAnswer, { readonly _tag: Tag }>>> {
    const answer = await this.#answered(question, transfer);
    return isOfKind(answer, wanted) ? E.right(answer) : E.left(this.#otherThan(answer));
  }

  /**
   * Writes a batch. A Left: as far as is known nothing of it is in the file. A Right: all of it is, and is counted from now on,
   * and whether that may be promised: nobody else may find the file any more.
   */
  async write(batch: SpoolBatch): Promise<E.Either<SpoolFailed, E.Either<SpoolFailed, void>>> {
    const written = await this.ask({ _tag: 'Write', batch }, 'Written', [batch.bodies.buffer]);
    return E.map(({ astray }: { readonly astray: string | null }) =>
      astray === null ? E.right(undefined) : E.left(this.#failed(astray, false)),
    )(written);
  }

  /** It can be written. */
  works(): void {
    this.#trouble = null;
    this.#isBroken = false;
  }

  /** Done once a second: whether it turns out now that there is no answer; that is told. */
  look(): boolean {
    const begins = this.#silence.look(this.#open.values().next().value);
    if (begins) this.#onNews({ _tag: 'DiskSilent', detail: this.trouble ?? '' });
    return begins;
  }

  close(): Promise<void> {
    return this.#keeper.close();
  }

  /** Who is not there, or says what was not asked, knows nothing of the file: it is opened anew. */
  async #answered(question: SpoolQuestion, transfer: readonly ArrayBuffer[]): Promise<SpoolAnswer> {
    this.#open.add(question);
    const answer = await this.#keeper.ask(question, transfer);
    this.#open.delete(question);
    const seconds = this.#silence.answered();
    if (seconds !== null && E.isRight(answer)) this.#onNews({ _tag: 'DiskAnswers', seconds });
    return E.getOrElse<{ readonly detail: string }, SpoolAnswer>(({ detail }) => ({
      _tag: 'Failed',
      detail,
      isBroken: true,
    }))(answer);
  }

  #otherThan(answer: SpoolAnswer): SpoolFailed {
    return answer._tag === 'Failed'
      ? this.#failed(answer.detail, answer.isBroken)
      : this.#failed('the thread of the spool said what it was not asked', true);
  }

  #failed(detail: string, isBroken: boolean): SpoolFailed {
    this.#trouble = detail;
    this.#isBroken ||= isBroken;
    return spoolFailed(detail);
  }
}
