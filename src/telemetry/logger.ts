import pino, { type DestinationStream, type LevelWithSilent, type Logger } from 'pino';
import pretty from 'pino-pretty';

export type Log = {
  readonly logger: Logger;
  /** Writes a line at every level, the silent one too: what scripts wait for must not hang on how much is logged. */
  readonly announce: (fields: object, message: string) => void;
  /** Writes out what is buffered. */
  readonly flush: () => void;
};

/** Lines are gathered up to this size, since a system call for each would cost more than what it tells. */
const BUFFERED_BYTES = 8_192;
const FLUSH_EVERY_MS = 200;

/** A safety net: nothing logs these on purpose (contract.md, Asking). */
const REDACTED = ['authorization', 'signature', 'secret', 'key', 'email', 'phone', 'body'];

type Destination = { readonly stream: DestinationStream; readonly flush: () => void };

const jsonLines = (): Destination => {
  const stream = pino.destination({ dest: 1, sync: false, minLength: BUFFERED_BYTES });
  // A reader of the log that goes away is no reason to stop taking deliveries.
  stream.on('error', () => undefined);
  const flush = (): void => {
    try {
      stream.flushSync();
    } catch {
      // The same reader is gone; there is nobody left to tell.
    }
  };
  setInterval(() => stream.flush(), FLUSH_EVERY_MS).unref();
  return { stream, flush };
};

const forPeople = (): Destination => ({
  stream: pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' }),
  flush: () => undefined,
});

/** A logger to standard output: readable text on a terminal, JSON lines elsewhere. */
export const createLog = (level: LevelWithSilent, onTerminal: boolean): Log => {
  const { stream, flush } = onTerminal ? forPeople() : jsonLines();
  const options = { base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: REDACTED };
  const logger = pino({ ...options, level }, stream);
  const announcer = pino({ ...options, level: 'info' }, stream);
  return {
    logger,
    announce: (fields, message) => {
      announcer.info(fields, message);
      flush();
    },
    flush,
  };
};
