import * as E from 'fp-ts/lib/Either.js';
import limited from 'p-limit';
import { WorkerClient, type NoAnswer, type ThreadStart } from './worker-client.ts';

/** Some threads of one program; a task goes to whichever is free first. One that fails answers no task any more. */
export class TaskPool<Task, A> {
  readonly #clients: readonly WorkerClient<Task, A>[];
  readonly #idle: WorkerClient<Task, A>[];
  readonly #limit: ReturnType<typeof limited>;

  constructor(start: ThreadStart<Task, A, never, never>, threads: number) {
    this.#clients = Array.from({ length: threads }, () => new WorkerClient(start));
    this.#idle = [...this.#clients];
    this.#limit = limited(threads);
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
    await Promise.all(this.#clients.map((client) => client.terminate()));
  }
}
