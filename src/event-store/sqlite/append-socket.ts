import { renameSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { AppendError, Appended } from '../event-store.ts';
import { held, movedAway } from '../kept-place.ts';
import type { AppendRequest } from './append-frame.ts';
import {
  answerLine,
  parseAnswerLine,
  parsedLine,
  parseRequestLine,
  requestLine,
  STATE_QUESTION,
} from './append-wire.ts';

type Append = (request: AppendRequest) => TE.TaskEither<AppendError, Appended>;

const NOT_UNDERSTOOD = answerLine(E.left({ _tag: 'StoreUnavailable', detail: 'the request was not understood' }));
const ANSWER_WITHIN_MS = 10_000;
/** Under which name a socket is made: as long as its own, since the system bounds the path of one. */
const DRAFT = 'ledger.bind';
/** Only the user who runs the ledger may write through it. */
const OWNER_ONLY = 0o177;

/** What a ledger tells of itself, as JSON has it; null: nothing. */
export type Told = () => unknown;

const answerLines = async (socket: Socket, append: Append, told: Told): Promise<void> => {
  for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
    if (line === STATE_QUESTION) {
      socket.write(`${JSON.stringify(told())}\n`);
      continue;
    }
    const request = parseRequestLine(line);
    socket.write(`${request === null ? NOT_UNDERSTOOD : answerLine(await append(request)())}\n`);
  }
};

export type AppendServer = { readonly close: () => Promise<void> };

/**
 * Listens on a socket file, mode 0600, for appends that commands ask of the ledger that serves, and for their question how
 * it is. The caller holds the lock of the folder, so a file that is there was left by a ledger that was killed.
 */
export const serveAppends = (socketFile: string, append: Append, told: Told): Promise<AppendServer> => {
  // Its end takes away whatever has the name that it was made under, the next ledger's too.
  const draft = join(dirname(socketFile), DRAFT);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A command that goes away in the middle has its append done or not; there is nobody to tell.
    socket.on('error', () => socket.destroy());
    answerLines(socket, append, told).catch(() => socket.destroy());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // Of a ledger that was killed; also a link that leads nowhere.
    for (const left of [socketFile, draft]) rmSync(left, { force: true });
    const before = process.umask(OWNER_ONLY);
    server.listen(draft, () => {
      try {
        renameSync(draft, socketFile);
      } catch (error) {
        server.close(() => reject(error instanceof Error ? error : new Error(String(error))));
        return;
      }
      const own = held(socketFile);
      resolve({
        close: () =>
          new Promise((closed) => {
            if (own !== null && movedAway(own) === null) rmSync(socketFile, { force: true });
            server.close(() => closed());
            for (const socket of sockets) socket.destroy();
          }),
      });
    });
    process.umask(before);
  });
};

const NO_ANSWER: E.Either<AppendError, never> = E.left({
  _tag: 'StoreUnavailable',
  detail: 'the serving ledger gave no answer in time; ask again, an append that was made is found',
});

/** Whether somebody listens on the socket file. */
export const isServed = (socketFile: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(socketFile);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** Why whoever listens gave no answer: nobody could be asked, or it hung up, or there was none in time. */
type Unanswered =
  | { readonly _tag: 'Unreachable'; readonly detail: string }
  | { readonly _tag: 'HungUp' }
  | { readonly _tag: 'Late' };

/** The answer to a line that is asked of whoever listens. */
const answerTo = (socketFile: string, line: string, withinMs: number): Promise<E.Either<Unanswered, string>> =>
  new Promise((resolve) => {
    const socket = connect(socketFile);
    const finish = (answer: E.Either<Unanswered, string>): void => {
      socket.destroy();
      resolve(answer);
    };
    const failed = ({ message }: Error): void => finish(E.left({ _tag: 'Unreachable', detail: message }));
    socket.setTimeout(withinMs, () => finish(E.left({ _tag: 'Late' })));
    socket.once('error', failed);
    socket.once('close', () => finish(E.left({ _tag: 'HungUp' })));
    const lines = createInterface({ input: socket, crlfDelay: Infinity });
    // It passes on what the socket fails with; where nobody listens for that, it ends the process.
    lines.once('error', failed);
    lines.once('line', (answer) => finish(E.right(answer)));
    socket.write(`${line}\n`);
  });

/** Asks the serving ledger for an append. */
export const askForAppend =
  (socketFile: string): Append =>
  (request) =>
  async () => {
    const answer = await answerTo(socketFile, requestLine(request), ANSWER_WITHIN_MS);
    if (E.isRight(answer)) return parseAnswerLine(answer.right);
    const { left } = answer;
    return left._tag === 'Unreachable' ? E.left({ _tag: 'StoreUnavailable', detail: left.detail }) : NO_ANSWER;
  };

/** Asks the ledger that serves how it is; what it says is JSON. */
export const askForState = async (socketFile: string, withinMs: number): Promise<E.Either<Unanswered, unknown>> =>
  E.map(parsedLine)(await answerTo(socketFile, STATE_QUESTION, withinMs));
