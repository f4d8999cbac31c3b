import { Worker } from 'node:worker_threads';
import { either as E, type taskEither as TE } from 'fp-ts';
import type { ExportManifest } from '../api/exports/export-manifest.ts';
import type { Exporter, OpenExport } from '../api/exports/exporter.ts';
import type { Pieces } from '../api/exports/export-table.ts';
import type { LiveFeed } from '../api/live/live-feed.ts';
import { Semaphore } from '../concurrency/semaphore.ts';
import type { Overloaded, QueryFailure } from '../queries/failure/query-failure.ts';
import type { FromStreamThread, StreamAnswer, StreamOptions, StreamTask, ToStreamThread } from './stream-message.ts';

/** Exports and live events, made in a thread of their own beside the one that receives. */
export type ThreadedStreams = {
  readonly exporter: Exporter;
  readonly liveFeed: LiveFeed;
  /** To be called after each commit of the event store. */
  readonly appended: () => void;
  readonly close: () => Promise<void>;
};

/** Exports at a time: each holds a read transaction and a batch of rows, and they share one thread. */
const MOST_EXPORTS = 4;
const WAIT_FOR_OTHERS_MS = 5_000;

const OVERLOADED: Overloaded = { _tag: 'Overloaded', by: 'exports' };

const noThread = (detail: string): StreamAnswer => ({ _tag: 'Failed', failure: { _tag: 'StreamsEnded', detail } });

/** The thread's other end: one question at a time for each stream. */
class StreamClient {
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  readonly #waiting = new Map<number, (answer: StreamAnswer) => void>();
  #next = 0;
  #broken: string | null = null;

  constructor(options: StreamOptions) {
    this.#worker = new Worker(new URL('./stream-thread.ts', import.meta.url), { name: 'streams', workerData: options });
    this.#worker.on('message', ({ id, answer }: FromStreamThread) => this.#answer(id, answer));
    this.#worker.on('error', (error) => this.#break(`the stream thread failed: ${String(error)}`));
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#break('the stream thread has ended; restart the ledger');
        resolve();
      });
    });
  }

  get isBroken(): boolean {
    return this.#broken !== null;
  }

  newId(): number {
    this.#next += 1;
    return this.#next;
  }

  ask(message: Extract<ToStreamThread, { readonly _tag: 'Open' | 'Next' }>): Promise<StreamAnswer> {
    if (this.#broken !== null) return Promise.resolve(noThread(this.#broken));
    return new Promise((resolve) => {
      this.#waiting.set(message.id, resolve);
      this.tell(message);
    });
  }

  /** Ends a stream; who waits for its next piece is answered at once. */
  end(id: number): void {
    this.tell({ _tag: 'End', id });
    this.#answer(id, { _tag: 'Ended', manifest: null });
  }

  tell(message: ToStreamThread): void {
    this.#worker.postMessage(message, []);
  }

  async close(): Promise<void> {
    if (this.#broken === null) this.tell({ _tag: 'Close' });
    await this.#exited;
  }

  #answer(id: number, answer: StreamAnswer): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }

  #break(detail: string): void {
    this.#broken ??= detail;
    for (const id of this.#waiting.keys()) this.#answer(id, noThread(this.#broken));
  }
}

async function* piecesOf(client: StreamClient, id: number, onEnd: (manifest: ExportManifest | null) => void): Pieces {
  for (;;) {
    const answer = await client.ask({ _tag: 'Next', id });
    if (answer._tag === 'Piece') yield E.right(answer.piece);
    else {
      if (answer._tag === 'Failed') yield E.left(answer.failure);
      if (answer._tag === 'Ended') onEnd(answer.manifest);
      return;
    }
  }
}

const threadedExport = (
  client: StreamClient,
  id: number,
  position: OpenExport['position'],
  onClose: () => void,
): OpenExport => {
  let manifest: ExportManifest | null = null;
  let closed = false;
  return {
    position,
    pieces: piecesOf(client, id, (made) => {
      manifest = made;
    }),
    manifest: () => manifest,
    close: () => {
      if (!closed) onClose();
      closed = true;
      return Promise.resolve();
    },
  };
};

const secretsOf = (request: Parameters<Exporter>[0], secrets: Secrets): ReturnType<Secrets> =>
  request.kind !== 'orders' && request.verify ? secrets() : [];

/** All that events may have been signed with; keys in hex. */
type Secrets = () => Extract<StreamTask, { readonly _tag: 'Export' }>['secrets'];

/** The thread begins with the first stream, and again with the next one after it failed: most of the time nobody needs it. */
export const startStreams = (options: StreamOptions, secrets: Secrets): ThreadedStreams => {
  let thread: StreamClient | null = null;
  const started = (): StreamClient => {
    if (thread === null || thread.isBroken) thread = new StreamClient(options);
    return thread;
  };
  const exportsAtOnce = new Semaphore(MOST_EXPORTS, WAIT_FOR_OTHERS_MS);

  const exporter: Exporter =
    (request): TE.TaskEither<QueryFailure, OpenExport> =>
    async () => {
      if (!(await exportsAtOnce.acquire())) return E.left(OVERLOADED);
      const client = started();
      const id = client.newId();
      const end = (): void => {
        exportsAtOnce.release();
        client.end(id);
      };
      const task: StreamTask = { _tag: 'Export', request, secrets: secretsOf(request, secrets) };
      const answer = await client.ask({ _tag: 'Open', id, task });
      if (answer._tag === 'Opened') return E.right(threadedExport(client, id, answer.position, end));
      end();
      return E.left(answer._tag === 'Failed' ? answer.failure : OVERLOADED);
    };

  const liveFeed: LiveFeed = async function* (after, signal) {
    if (signal.aborted) return;
    const client = started();
    const id = client.newId();
    const end = (): void => client.end(id);
    signal.addEventListener('abort', end, { once: true });
    try {
      const opened = await client.ask({ _tag: 'Open', id, task: { _tag: 'Live', after } });
      if (opened._tag === 'Failed') yield E.left(opened.failure);
      else if (opened._tag === 'Opened') yield* piecesOf(client, id, () => undefined);
    } finally {
      signal.removeEventListener('abort', end);
      end();
    }
  };

  return {
    exporter,
    liveFeed,
    appended: () => thread?.tell({ _tag: 'Appended' }),
    close: async () => {
      await thread?.close();
    },
  };
};
