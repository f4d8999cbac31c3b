import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { either as E } from 'fp-ts';

/** An answer, or why there is none: the thread could not open what it works on, failed or ended. */
export type TaskAnswer<A> = E.Either<string, A>;

/** What a worker posts: the answer to its task, or that it can't work at all. */
export type FromWorker<A> =
  { readonly _tag: 'Answer'; readonly answer: A } | { readonly _tag: 'Broken'; readonly detail: string };

/** One worker, one task at a time. */
class Hand<Task, A> {
  readonly #worker: Worker;
  #reply: ((answer: TaskAnswer<A>) => void) | null = null;
  #broken: string | null = null;

  constructor(file: URL, data: unknown) {
    this.#worker = new Worker(file, { workerData: data });
    this.#worker.on('message', (message: FromWorker<A>) => {
      if (message._tag === 'Broken') this.#break(message.detail);
      else this.#answer(E.right(message.answer));
    });
    this.#worker.on('error', (error) => this.#break(`a thread failed: ${String(error)}`));
    this.#worker.on('exit', () => this.#break('a thread has ended'));
  }

  run(task: Task): Promise<TaskAnswer<A>> {
    return new Promise((resolve) => {
      if (this.#broken !== null) {
        resolve(E.left(this.#broken));
        return;
      }
      this.#reply = resolve;
      this.#worker.postMessage(task, []);
    });
  }

  async close(): Promise<void> {
    const exited = this.#broken === null ? once(this.#worker, 'exit') : Promise.resolve([]);
    await this.#worker.terminate();
    await exited;
  }

  #answer(answer: TaskAnswer<A>): void {
    const reply = this.#reply;
    this.#reply = null;
    reply?.(answer);
  }

  #break(detail: string): void {
    this.#broken ??= detail;
    this.#answer(E.left(this.#broken));
  }
}

/** So many threads of one program; a task goes to whichever is free first. */
export class TaskPool<Task, A> {
  readonly #hands: readonly Hand<Task, A>[];
  readonly #idle: Hand<Task, A>[];
  readonly #waiting: ((hand: Hand<Task, A>) => void)[] = [];

  constructor(file: URL, data: unknown, threads: number) {
    this.#hands = Array.from({ length: threads }, () => new Hand<Task, A>(file, data));
    this.#idle = [...this.#hands];
  }

  async run(task: Task): Promise<TaskAnswer<A>> {
    const hand = await this.#acquire();
    const answer = await hand.run(task);
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(hand);
    else next(hand);
    return answer;
  }

  /** Gives a task to each thread; none may have another at that time. */
  runOnEach(task: Task): Promise<readonly TaskAnswer<A>[]> {
    return Promise.all(this.#hands.map((hand) => hand.run(task)));
  }

  async close(): Promise<void> {
    await Promise.all(this.#hands.map((hand) => hand.close()));
  }

  #acquire(): Promise<Hand<Task, A>> {
    const hand = this.#idle.pop();
    return hand === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(hand);
  }
}
