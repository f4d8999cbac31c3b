import * as E from 'fp-ts/lib/Either.js';
import limited from 'p-limit';
import { LOOK_EVERY_MS, Silence } from '../concurrency/silence.ts';
import type { ThreadState } from './lasting-thread.ts';
import { LONGEST_SLICE_LOOKS } from './thread-silence.ts';
import { WorkerClient, type NoAnswer, type ThreadStart } from './worker-client.ts';

/** How threads that share tasks are, as one: silent while any of them is. */
export type PoolState = Extract<ThreadState, { readonly _tag: 'Silent' | 'Answers' | 'Over' }>;

/** Some threads of one program; a task goes to whichever is free first. One that fails answers no task any more. */
export class TaskPool<Task, A, Note = never, News = never> {
  readonly #clients: readonly WorkerClient<Task, A, Note, News>[];
  readonly #idle: WorkerClient<Task, A, Note, News>[];
  readonly #limit: ReturnType<typeof limited>;
  readonly #silences: readonly Silence[];
  readonly #onState: (state: PoolState) => void;
  readonly #looking: NodeJS.Timeout;

  /** @param onState told where one of them hangs, though the thread that asks does not; nobody may need to know */
  constructor(
    start: ThreadStart<Task, A, Note, News>,
    threads: number,
    onState: (state: PoolState) => void = () => undefined,
  ) {
    this.#silences = Array.from({ length: threads }, () => new Silence(LONGEST_SLICE_LOOKS));
    this.#clients = this.#silences.map((silence) => {
      const turned = (): void => this.#turned(silence);
      return new WorkerClient(start, { onPong: turned, onEnd: turned });
    });
    this.#onState = onState;
    this.#looking = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    this.#idle = [...this.#clients];
    this.#limit = limited(threads);
  }

  /** Done once a second: tells once of a silence that begins. */
  look(): void {
    const before = this.#seconds;
    for (const [at, silence] of this.#silences.entries()) silence.look(this.#clients[at]?.ping());
    const seconds = this.#seconds;
    if (before === null && seconds !== null) this.#onState({ _tag: 'Silent', seconds });
  }

  run(task: Task): Promise<E.Either<NoAnswer, A>> {
    return this.#limit(async () => {
      const client = this.#idle.pop();
      if (client === undefined) return E.left({ _tag: 'NoAnswer', detail: 'no thread is free', why: 'not asked' });
      const answer = await client.ask(task);
      this.#idle.push(client);
      return answer;
    });
  }

  /** Gives a task to each thread; none may have another at that time. */
  runOnEach(task: Task): Promise<readonly E.Either<NoAnswer, A>[]> {
    return Promise.all(this.#clients.map((client) => client.ask(task)));
  }

  /** Ends the threads at once: what they hold is thrown away, or written by others. */
  async close(): Promise<void> {
    clearInterval(this.#looking);
    if (this.#seconds !== null) this.#onState({ _tag: 'Over' });
    for (const silence of this.#silences) silence.answered();
    await Promise.all(this.#clients.map((client) => client.terminate()));
  }

  /** For how long one of them has said nothing; null where none is silent. */
  get #seconds(): number | null {
    const all = this.#silences.flatMap(({ seconds }) => seconds ?? []);
    return all.length === 0 ? null : Math.max(...all);
  }

  #turned(silence: Silence): void {
    const before = this.#seconds;
    silence.answered();
    if (before !== null && this.#seconds === null) this.#onState({ _tag: 'Answers', seconds: before });
  }
}
