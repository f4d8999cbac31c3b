import { connect } from 'node:net';
import type { Answer } from './exchange.ts';

/** A plain connection, for what no HTTP client would send. */
export type Wire = {
  readonly write: (part: string | Buffer) => void;
  /** Sends, and looks at nothing that comes back before all of it is sent; fails where that can't be, as many a client does. */
  readonly writeBlindly: (part: Buffer) => Promise<void>;
  /** Says that nothing more will be sent; what comes is still read. */
  readonly end: () => void;
  /** Cuts the connection. */
  readonly cut: () => void;
  readonly received: () => string;
  /** The whole answers so far, those of 100 left out. */
  readonly answers: () => readonly Answer[];
  /** Waits for so many whole answers. */
  readonly answered: (count: number) => Promise<readonly Answer[]>;
  /** Waits until the other side has closed. */
  readonly closed: () => Promise<void>;
};

const HANGS_AFTER_MS = 20_000;

const headersOf = (lines: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );

/** Reads answers that say how long they are, which those of the ledger to a delivery do. */
const parseAnswers = (received: Buffer): readonly Answer[] => {
  const answers: Answer[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return answers;
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = headersOf(lines);
    const length = Number(headers['content-length'] ?? '0');
    const bytes = rest.subarray(end + 4, end + 4 + length);
    if (bytes.length < length) return answers;
    rest = rest.subarray(end + 4 + length);
    const status = Number(first.split(' ')[1]);
    if (status !== 100) answers.push({ status, headers, bytes, text: bytes.toString() });
  }
};

/** Opens a connection to a ledger. */
export const openWire = (url: string): Wire => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  // A failed test leaves its connections open; they are no reason for the run not to end.
  socket.unref();
  const parts: Buffer[] = [];
  const waiting = new Set<() => void>();
  let isClosed = false;
  const wake = (): void => {
    for (const look of waiting) look();
  };
  socket.on('data', (part: Buffer) => {
    parts.push(part);
    wake();
  });
  // A reset is one way of closing; what was received before it counts.
  socket.on('error', () => undefined);
  for (const event of ['end', 'close']) {
    socket.on(event, () => {
      isClosed = true;
      wake();
    });
  }
  const received = (): Buffer => Buffer.concat(parts);
  const until = (what: string, holds: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const done = (then: () => void): void => {
        clearTimeout(timer);
        waiting.delete(look);
        then();
      };
      const fail = (why: string): void =>
        done(() => reject(new Error(`${why} ${what}: ${received().toString('latin1')}`)));
      const timer = setTimeout(() => fail('waited too long for'), HANGS_AFTER_MS);
      const look = (): void => {
        if (holds()) done(resolve);
        else if (isClosed) fail('closed before');
      };
      waiting.add(look);
      look();
    });
  const answers = (): readonly Answer[] => parseAnswers(received());
  return {
    write: (part) => {
      if (socket.writable) socket.write(part);
    },
    writeBlindly: (part) =>
      new Promise((resolve, reject) => {
        socket.pause();
        socket.write(part, (error) => {
          socket.resume();
          if (error === null || error === undefined) resolve();
          else reject(error);
        });
      }),
    end: () => socket.end(),
    cut: () => socket.destroy(),
    received: () => received().toString('latin1'),
    answers,
    answered: async (count) => {
      await until(`${count} answers`, () => answers().length >= count);
      return answers();
    },
    closed: () => until('the end', () => isClosed),
  };
};

/** The head of a request, ended by an empty line. */
export const head = (first: string, headers: Readonly<Record<string, string | number>> = {}): string =>
  [first, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');

/** One chunk of a chunked body. */
export const chunk = (part: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);

export const LAST_CHUNK = '0\r\n\r\n';
