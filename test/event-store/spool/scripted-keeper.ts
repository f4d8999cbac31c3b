import * as E from 'fp-ts/lib/Either.js';
import type {
  KeeperEnd,
  KeeperOptions,
  SpoolAnswer,
  SpoolQuestion,
} from '../../../src/event-store/spool/keeper-message.ts';
import { SpoolKeeper } from '../../../src/event-store/spool/spool-keeper.ts';

type Asked = {
  readonly question: SpoolQuestion;
  readonly answer: (answer: E.Either<{ readonly detail: string }, SpoolAnswer>) => void;
};

/** So that counting takes more than one answer. */
const FEW_ROWS = 2;

/** What becomes of a write whose commit fails: it is in the file all the same, or not. */
type Fate = 'written' | 'not written';

/** A keeper that answers when a test says so, in order; and fails, or dies, as it says. */
export class ScriptedKeeper implements KeeperEnd {
  readonly #options: KeeperOptions;
  #keeper: SpoolKeeper;
  #asked: Asked[] = [];

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#keeper = new SpoolKeeper(options, FEW_ROWS);
  }

  readonly ask: KeeperEnd['ask'] = (question, transfer) =>
    new Promise((answer) => {
      this.#asked.push({ question: structuredClone(question, { transfer: [...transfer] }), answer });
    });

  readonly close = (): Promise<void> => {
    this.#die(0);
    return Promise.resolve();
  };

  /** What it was asked and has not answered, the oldest first. */
  asked(): readonly SpoolQuestion['_tag'][] {
    return this.#asked.map(({ question }) => question._tag);
  }

  /** Does what it was asked so often, the oldest first, and answers. */
  answers(most = Infinity): void {
    for (const { question, answer } of this.#asked.splice(0, most)) answer(E.right(this.#do(question)));
  }

  /** Its next write finds no room: all is as it was. */
  findsNoRoom(): void {
    this.#answersUpToWrite(() => ({ _tag: 'Failed', detail: 'SQLITE_FULL', isBroken: false }));
  }

  /** It can't do what it was asked first, now: all is as it was. */
  isBusy(): void {
    this.#asked.shift()?.answer(E.right({ _tag: 'Failed', detail: 'SQLITE_BUSY', isBroken: false }));
  }

  /** The commit of its next write fails: what is on the disk is not known. */
  fails(fate: Fate): void {
    this.#answersUpToWrite((write) => {
      if (fate === 'written') this.#do(write);
      this.#keeper.close();
      return { _tag: 'Failed', detail: 'SQLITE_IOERR_FSYNC', isBroken: true };
    });
  }

  /** It dies, having done so much of what it was asked, and answered none of it; another one takes its place. */
  dies(did: number): void {
    this.#die(did);
    this.#keeper = new SpoolKeeper(this.#options, FEW_ROWS);
  }

  #answersUpToWrite(answer: (write: SpoolQuestion) => SpoolAnswer): void {
    const at = this.#asked.findIndex(({ question }) => question._tag === 'Write');
    this.answers(Math.max(0, at));
    const write = at < 0 ? undefined : this.#asked.shift();
    write?.answer(E.right(answer(write.question)));
  }

  #die(did: number): void {
    const asked = this.#asked.splice(0);
    for (const { question } of asked.slice(0, did)) this.#do(question);
    this.#keeper.close();
    for (const { answer } of asked) answer(E.left({ detail: 'thread spool has ended' }));
  }

  #do(question: SpoolQuestion): SpoolAnswer {
    return structuredClone(this.#keeper.answer(question));
  }
}
