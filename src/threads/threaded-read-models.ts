import { Worker } from 'node:worker_threads';
import { either as E, type taskEither as TE } from 'fp-ts';
import type { OrderState } from '../../projections/order-state/index.ts';
import type { Position } from '../domain/ids.ts';
import { isAt } from '../read-models/runner.ts';
import type {
  Checkpoint,
  Page,
  ReadModels,
  ReadModelsBehind,
  ReadModelsUnavailable,
} from '../read-models/read-models.ts';
import { readState } from '../read-models/stored-state.ts';
import type { FromProjector, ProjectorOptions, ToProjector } from './projector-message.ts';
import type { Answer, FromQueryThread, Question, ToQueryThread } from './query-message.ts';

/** Read models in two threads beside the one that receives: one follows the log, the other answers. */
export type ThreadedReadModels = ReadModels & {
  /** To be called after each commit of the event store. */
  readonly appended: () => void;
};

/** Told of what operators should know. */
export type ReadModelsEvents = (message: Exclude<FromProjector, { readonly _tag: 'Applied' | 'Closed' }>) => void;

const unavailable = (detail: string): ReadModelsUnavailable => ({ _tag: 'ReadModelsUnavailable', detail });

/** Resolves when a thread has ended, however it did: one that fails must not take the receiving thread with it. */
const exitOf = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    worker.once('exit', () => resolve());
  });

/** The query thread's end: questions by number, answered in any order. */
class QueryClient {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #next = 0;
  #broken: string | null = null;

  constructor(file: string) {
    this.#worker = new Worker(new URL('./query-thread.ts', import.meta.url), { name: 'queries', workerData: file });
    this.#worker.on('message', ({ id, answer }: FromQueryThread) => {
      this.#waiting.get(id)?.(answer);
      this.#waiting.delete(id);
    });
    this.#worker.on('error', (error) => this.#break(`the query thread failed: ${String(error)}`));
    this.#worker.on('exit', () => this.#break('the query thread has ended; restart the ledger'));
  }

  ask(question: Question): Promise<Answer> {
    return new Promise((resolve) => {
      if (this.#broken !== null) {
        resolve({ _tag: 'Unavailable', detail: this.#broken });
        return;
      }
      const id = this.#next;
      this.#next += 1;
      this.#waiting.set(id, resolve);
      this.#send({ _tag: 'Ask', id, question });
    });
  }

  reopen(): void {
    this.#send({ _tag: 'Reopen' });
  }

  async close(): Promise<void> {
    if (this.#broken !== null) return;
    const exited = exitOf(this.#worker);
    this.#send({ _tag: 'Close' });
    await exited;
  }

  #send(message: ToQueryThread): void {
    this.#worker.postMessage(message, []);
  }

  #break(detail: string): void {
    this.#broken ??= detail;
    for (const resolve of this.#waiting.values()) resolve({ _tag: 'Unavailable', detail: this.#broken });
    this.#waiting.clear();
  }
}

/** How far the projector is, and who waits for it. */
class Progress {
  checkpoint: Checkpoint | null = null;
  building: number | null = null;
  #serves = false;
  readonly #waiting = new Set<() => void>();

  /** A generation serves, up to a checkpoint. */
  advance(checkpoint: Checkpoint | null): void {
    this.checkpoint = checkpoint;
    this.#serves = true;
    for (const look of this.#waiting) look();
  }

  /** Whether a position is included within a time. */
  reaches(position: Position, withinMs: number): Promise<boolean> {
    return this.#becomes(() => isAt(this.checkpoint, position), withinMs);
  }

  /** Whether any generation serves within a time. */
  serves(withinMs: number): Promise<boolean> {
    return this.#becomes(() => this.#serves, withinMs);
  }

  #becomes(is: () => boolean, withinMs: number): Promise<boolean> {
    if (is()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (reached: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(reached);
      };
      const timer = setTimeout(() => end(false), withinMs);
      const look = (): void => {
        if (is()) end(true);
      };
      this.#waiting.add(look);
    });
  }
}

/** How long a question waits for the first build, as long as one for a position may (docs/spec/http.md, Position). */
const FIRST_BUILD_MS = 5_000;

const behind = ({ building }: Progress): ReadModelsBehind => ({
  _tag: 'ReadModelsBehind',
  detail:
    building === null
      ? 'the read models are not as far yet'
      : `the read models are being built: ${Math.floor(building * 100)} % are done`,
});

const statesOf = ({ data, more }: Page<string>): E.Either<ReadModelsUnavailable, Page<OrderState>> => {
  const states = data.map(readState).filter((state) => state !== null);
  return states.length === data.length
    ? E.right({ data: states, more })
    : E.left(unavailable('an order of the read models is damaged; run "ramp-ledger replay"'));
};

/** Starts both threads. They end with `close`, which waits for a batch that is under way. */
export const startReadModels = (options: ProjectorOptions, onEvent: ReadModelsEvents): ThreadedReadModels => {
  const progress = new Progress();
  const queries = new QueryClient(options.readModelFile);
  const projector = new Worker(new URL('./projector-thread.ts', import.meta.url), {
    name: 'projections',
    workerData: options,
  });
  let closed = false;
  const exited = exitOf(projector);
  const tell = (message: ToProjector): void => projector.postMessage(message, []);

  projector.on('message', (message: FromProjector) => {
    if (message._tag === 'Applied') {
      progress.advance(message.checkpoint);
      return;
    }
    if (message._tag === 'Closed') return;
    if (message._tag === 'Building') progress.building = message.share;
    if (message._tag === 'Built' || message._tag === 'Failed') progress.building = null;
    if (message._tag === 'Serving') {
      queries.reopen();
      progress.advance(message.checkpoint);
    }
    onEvent(message);
  });
  projector.on('error', (error) =>
    onEvent({ _tag: 'Failed', detail: `the projector thread failed: ${String(error)}` }),
  );
  projector.on('exit', () => {
    if (!closed) onEvent({ _tag: 'Failed', detail: 'the projector thread has ended; restart the ledger' });
  });

  const asked =
    <A>(
      question: Question,
      read: (answer: Answer) => E.Either<ReadModelsUnavailable, A> | null,
    ): TE.TaskEither<ReadModelsUnavailable, A> =>
    async () => {
      const first = await queries.ask(question);
      const waits = first._tag === 'NotBuilt' && (await progress.serves(FIRST_BUILD_MS));
      const answer = waits ? await queries.ask(question) : first;
      if (answer._tag === 'NotBuilt') return E.left(unavailable(behind(progress).detail));
      if (answer._tag === 'Unavailable') return E.left(unavailable(answer.detail));
      return read(answer) ?? E.left(unavailable('the query thread answered another question'));
    };

  return {
    includes: (position, withinMs) => async () =>
      (await progress.reaches(position, withinMs)) ? E.right(undefined) : E.left(behind(progress)),
    orders: (question) =>
      asked({ _tag: 'Orders', question }, (it) => (it._tag === 'Orders' ? statesOf(it.page) : null)),
    ordersWithUtr: (utr) =>
      asked({ _tag: 'OrdersWithUtr', utr }, (it) => (it._tag === 'OrdersWithUtr' ? E.right(it.orderIds) : null)),
    report: (question) =>
      asked({ _tag: 'Report', question }, (it) => (it._tag === 'Report' ? E.right(it.report) : null)),
    auditPositions: (question) =>
      asked({ _tag: 'AuditPositions', question }, (it) => (it._tag === 'AuditPositions' ? E.right(it.page) : null)),
    quarantine: (question) =>
      asked({ _tag: 'Quarantine', question }, (it) => (it._tag === 'Quarantine' ? E.right(it.page) : null)),
    quarantined: (eventId) =>
      asked({ _tag: 'Quarantined', eventId }, (it) => (it._tag === 'Quarantined' ? E.right(it.quarantined) : null)),
    quarantinedOf: (text) =>
      asked({ _tag: 'QuarantinedOf', text }, (it) => (it._tag === 'QuarantinedOf' ? E.right(it.positions) : null)),
    tallies: (now) => asked({ _tag: 'Tallies', now }, (it) => (it._tag === 'Tallies' ? E.right(it.tallies) : null)),
    progress: () => ({ checkpoint: progress.checkpoint, building: progress.building }),
    appended: () => tell({ _tag: 'Appended' }),
    close: async () => {
      closed = true;
      tell({ _tag: 'Close' });
      await exited;
      await queries.close();
    },
  };
};
