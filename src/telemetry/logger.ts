import { pino, type DestinationStream, type LevelWithSilent, type Logger } from 'pino';
import { logDestination } from './log-destination.ts';
import { REDACTED } from './redaction.ts';
import { systemClock } from './system-clock.ts';

export type Log = {
  readonly logger: Logger;
  /** Writes the one line of a request, `fields` being free of anything to hide: the search for that costs 40 µs a line. */
  readonly request: (fields: object) => void;
  /** Writes a line at every level, the silent one too: what scripts wait for must not hang on how much is logged. */
  readonly announce: (fields: object, message: string) => void;
  /** Writes out what is buffered. */
  readonly flush: () => void;
};

const STANDARD_OUTPUT = 1;

const now = systemClock();

/** As pino's own isoTime, which makes the text anew for each line. */
const timestamp = (): string => `,"time":"${now()}"`;

/** What makes lines readable, which is loaded where somebody reads them. */
const readableLine = async (): Promise<(line: string) => string> => {
  const { isColorSupported, prettyFactory } = await import('pino-pretty');
  return prettyFactory({ colorize: isColorSupported, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' });
};

/** The log itself failed, so standard error is what is left; there too a reader may be gone, which changes nothing. */
const complain = (error: Error): void => {
  process.stderr.write(`the log can't be written: ${error.message}\n`, () => undefined);
};

/** A logger to standard output, or to another descriptor: readable text on a terminal, JSON lines elsewhere. */
export const createLog = async (
  level: LevelWithSilent,
  onTerminal: boolean,
  fd = STANDARD_OUTPUT,
  onError: (error: Error) => void = complain,
): Promise<Log> => {
  const { write, flushSync } = logDestination({ fd, atOnce: onTerminal, onError });
  const toText = onTerminal ? await readableLine() : null;
  const stream: DestinationStream = { write: toText === null ? write : (line) => write(toText(line)) };
  const logger = pino({ base: null, timestamp, redact: REDACTED, level }, stream);
  const announcer = logger.child({}, { level: 'info' });
  const requests = logger.child({}, { redact: [] });
  return {
    logger,
    request: (fields) => {
      requests.info(fields, 'request');
    },
    announce: (fields, message) => {
      announcer.info(fields, message);
      flushSync();
    },
    flush: flushSync,
  };
};
