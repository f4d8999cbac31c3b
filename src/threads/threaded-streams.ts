import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { UntilGivenUp } from '../concurrency/until-given-up.ts';
import type { WrittenManifest } from '../queries/exports/written-manifest.ts';
import type { Exporter, OpenExport } from '../queries/exports/exporter.ts';
import type { Pieces } from '../queries/exports/export-table.ts';
import type { LiveFeed } from '../queries/live/live-feed.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import { LastingThread, type OnThreadState } from './lasting-thread.ts';
import {
  streamProtocol,
  type StreamAnswer,
  type StreamNote,
  type StreamOptions,
  type StreamQuestion,
  type StreamTask,
} from './stream-message.ts';
import type { WorkerClient } from './worker-client.ts';

/** Exports and live events, made in a thread of their own beside the one that receives. */
export type ThreadedStreams = {
  readonly exporter: Exporter;
  readonly liveFeed: LiveFeed;
  /** To be called after each commit of the event store. */
  readonly appended: () => void;
  /** To be called when other read models serve, or those that did are of another log. */
  readonly replaced: () => void;
  readonly close: () => Promise<void>;
};

const NOT_OPENED: QueryFailure = { _tag: 'StreamFailed', detail: 'it was not opened' };

const noThread = (detail: string): StreamAnswer => ({ _tag: 'Failed', failure: { _tag: 'StreamsEnded', detail } });

const OVER: StreamAnswer = { _tag: 'Ended', manifest: null };

type StreamClient = WorkerClient<StreamQuestion, StreamAnswer, StreamNote>;

/** A stream of the thread's, in one life of it. */
class ThreadedStream {
  static #last = 0;
  readonly #client: StreamClient;
  readonly #id: number;
  readonly #asked = new UntilGivenUp();
  #isOver = false;

  constructor(client: StreamClient) {
    ThreadedStream.#last += 1;
    this.#id = ThreadedStream.#last;
    this.#client = client;
  }

  open(task: StreamTask): Promise<StreamAnswer> {
    return this.#ask({ _tag: 'Open', stream: this.#id, task });
  }

  async *pieces(onEnd: (manifest: WrittenManifest | null) => void): Pieces {
    for (;;) {
      const answer = await this.#ask({ _tag: 'Next', stream: this.#id });
      if (answer._tag === 'Piece') yield E.right(answer.piece);
      else {
        if (answer._tag === 'Failed') yield E.left(answer.failure);
        if (answer._tag === 'Ended') onEnd(answer.manifest);
        return;
      }
    }
  }

  /** Who waits for its next piece is answered at once. */
  readonly end = (): void => {
    this.#client.tell({ _tag: 'End', stream: this.#id });
    this.#isOver = true;
    this.#asked.giveUp();
  };

  async #ask(question: StreamQuestion): Promise<StreamAnswer> {
    if (this.#isOver) return OVER;
    const answer = await this.#asked.wait(this.#client.ask(question), null);
    if (answer === null) return OVER;
    return E.isRight(answer) ? answer.right : noThread(answer.left.detail);
  }
}

const threadedExport = (stream: ThreadedStream, position: OpenExport['position'], onClose: () => void): OpenExport => {
  let manifest: WrittenManifest | null = null;
  let closed = false;
  return {
    position,
    pieces: stream.pieces((made) => {
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
  'verify' in request && request.verify ? secrets() : [];

/** All that events may have been signed with; keys in hex. */
type Secrets = () => Extract<StreamTask, { readonly _tag: 'Export' }>['secrets'];

/** The thread begins with the first stream: most of the time nobody needs it. */
export const startStreams = (
  options: StreamOptions,
  secrets: Secrets,
  onState: OnThreadState = () => undefined,
): ThreadedStreams => {
  const thread = new LastingThread(
    {
      name: 'streams',
      file: new URL('./stream-thread.ts', import.meta.url),
      data: options,
      protocol: streamProtocol,
    },
    onState,
  );

  const exporter: Exporter =
    (request): TE.TaskEither<QueryFailure, OpenExport> =>
    async () => {
      const stream = new ThreadedStream(thread.current());
      const answer = await stream.open({ _tag: 'Export', request, secrets: secretsOf(request, secrets) });
      if (answer._tag === 'Opened') return E.right(threadedExport(stream, answer.position, stream.end));
      stream.end();
      return E.left(answer._tag === 'Failed' ? answer.failure : NOT_OPENED);
    };

  const liveFeed: LiveFeed = async function* (after, personal, signal) {
    if (signal.aborted) return;
    const stream = new ThreadedStream(thread.current());
    signal.addEventListener('abort', stream.end, { once: true });
    try {
      const opened = await stream.open({ _tag: 'Live', after, personal });
      if (opened._tag === 'Failed') yield E.left(opened.failure);
      else if (opened._tag === 'Opened') yield* stream.pieces(() => undefined);
    } finally {
      signal.removeEventListener('abort', stream.end);
      stream.end();
    }
  };

  return {
    exporter,
    liveFeed,
    appended: () => thread.tell({ _tag: 'Appended' }),
    replaced: () => thread.tell({ _tag: 'Replaced' }),
    close: () => thread.close(),
  };
};
