import { pino, type DestinationStream, type LevelWithSilent, type Logger } from 'pino';
import { logDestination } from './log-destination.ts';
import { REDACTED } from './redaction.ts';
import { systemClock } from './system-clock.ts';

/** What is told of a request. */
type RequestFields = Readonly<{ requestId: string } & Record<string, string | number>>;

export type Log = {
  readonly logger: Logger;
  /**
   * Writes the one line of a request. `fields` must hold nothing to be hidden: they are not searched for it, which
   * would cost 40 µs a line.
   */
  readonly request: (fields: RequestFields) => void;
  /** Writes a line at every log level, `silent` too: scripts wait for it, however much is logged. */
  readonly announce: (fields: object, message: string) => void;
  /** Writes out what is buffered. */
  readonly flush: () => void;
};

const STANDARD_OUTPUT = 1;

const now = systemClock();

/** The time as pino's own `isoTime` writes it, which makes the text anew for each line. */
const timestamp = (): string => `,"time":"${now()}"`;

const INFO = pino.levels.values['info'];

/** The line that pino would write at level `info`, at half the cost: every delivery has one. */
const requestLine = (fields: RequestFields): string =>
  `{"level":${INFO}${timestamp()},${JSON.stringify(fields).slice(1, -1)},"msg":"request"}\n`;

/** What makes lines readable, which is loaded where somebody reads them. */
const readableLine = async (): Promise<(line: string) => string> => {
  const { isColorSupported, prettyFactory } = await import('pino-pretty');
  return prettyFactory({ colorize: isColorSupported, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' });
};

/** Tells on standard error that the log failed. If nobody reads that either, nothing more can be done. */
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
  return {
    logger,
    request: (fields) => {
      if (logger.isLevelEnabled('info')) stream.write(requestLine(fields));
    },
    announce: (fields, message) => {
      announcer.info(fields, message);
      flushSync();
    },
    flush: flushSync,
  };
};
