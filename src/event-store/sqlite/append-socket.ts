import { rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { AppendError, Appended } from '../event-store.ts';
import type { AppendRequest } from './append-frame.ts';
import { answerLine, parseAnswerLine, parseRequestLine, requestLine } from './append-wire.ts';

type Append = (request: AppendRequest) => TE.TaskEither<AppendError, Appended>;

const NOT_UNDERSTOOD = answerLine(E.left({ _tag: 'StoreUnavailable', detail: 'the request was not understood' }));
const ANSWER_WITHIN_MS = 10_000;
/** Only the user who runs the ledger may write through it. */
const OWNER_ONLY = 0o177;

const answerLines = async (socket: Socket, append: Append): Promise<void> => {
  for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
    const request = parseRequestLine(line);
    socket.write(`${request === null ? NOT_UNDERSTOOD : answerLine(await append(request)())}\n`);
  }
};

export type AppendServer = { readonly close: () => Promise<void> };

/**
 * Listens on a socket file, mode 0600, for appends that commands ask of the ledger that serves. The caller holds the lock
 * of the folder, so a file that is there was left by a ledger that was killed.
 */
export const serveAppends = (socketFile: string, append: Append): Promise<AppendServer> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A command that goes away in the middle has its append done or not; there is nobody to tell.
    socket.on('error', () => socket.destroy());
    answerLines(socket, append).catch(() => socket.destroy());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // Of a ledger that was killed; also a link that leads nowhere.
    rmSync(socketFile, { force: true });
    const before = process.umask(OWNER_ONLY);
    server.listen(socketFile, () =>
      resolve({
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            for (const socket of sockets) socket.destroy();
          }),
      }),
    );
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

/** Asks the serving ledger for an append. */
export const askForAppend =
  (socketFile: string): Append =>
  (request) =>
  () =>
    new Promise((resolve) => {
      const socket = connect(socketFile);
      const finish = (answer: E.Either<AppendError, Appended>): void => {
        socket.destroy();
        resolve(answer);
      };
      socket.setTimeout(ANSWER_WITHIN_MS, () => finish(NO_ANSWER));
      socket.once('error', (error) => finish(E.left({ _tag: 'StoreUnavailable', detail: error.message })));
      socket.once('close', () => finish(NO_ANSWER));
      createInterface({ input: socket, crlfDelay: Infinity }).once('line', (line) => finish(parseAnswerLine(line)));
      socket.write(`${requestLine(request)}\n`);
    });
