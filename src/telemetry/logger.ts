import { pino, type DestinationStream, type LevelWithSilent, type Logger } from 'pino';
import { LineBound, type LeftOut, type LineAbout } from './line-bound.ts';
import { logDestination } from './log-destination.ts';
import type { LostLines } from './lost-lines.ts';
import { REDACTED } from './redaction.ts';
import { systemClock } from './system-clock.ts';

/** What is told of a request, and more. */
type RequestFields = LineAbout & { readonly requestId: string };

/** What is told of a reply that its caller did not get whole: who ended it and why, or the error. */
type CutOffFields = RequestFields &
  ({ readonly by: 'caller' | 'ledger'; readonly reason: string } | { readonly err: unknown });

export type Log = {
  readonly logger: Logger;
  /**
   * Writes the one line of a request. `fields` must hold nothing to be hidden: they are not searched for it, which
   * would cost 40 µs a line. `proved`: whether whoever asked had proved who they are; such lines are always written,
   * those of others up to a bound.
   */
  readonly request: (fields: RequestFields, proved: boolean) => void;
  /** Writes a line of a reply that was cut off, with the same bound. */
  readonly cutOff: (fields: CutOffFields, proved: boolean) => void;
  /** Writes a line at every log level, `silent` too: scripts wait for it, however much is logged. */
  readonly announce: (fields: object, message: string) => void;
  /** How many lines were lost so far: nobody took them in time, or they could not be written. */
  readonly lost: () => number;
  /** Writes out what is buffered; resolves within a second or so, also where it can't be written. */
  readonly flush: () => Promise<void>;
};

const STANDARD_OUTPUT = 1;

/**
 * What strangers may have written: all that normal operation brings, health checks and a provider that is configured
 * wrongly too, and of a flood 40 KB a second.
 */
const STRANGERS = { burst: 1_000, perSecond: 100 };

const now = systemClock();

/** The time as pino's own `isoTime` writes it, which makes the text anew for each line. */
const timestamp = (): string => `,"time":"${now()}"`;

const INFO = pino.levels.values['info'];

/** The line that pino would write at level `info`, at half the cost: every delivery has one. */
const requestLine = (fields: RequestFields): string =>
  `{"level":${INFO}${timestamp()},${JSON.stringify(fields).slice(1, -1)},"msg":"request"}\n`;

/**
 * Makes the line that tells of lines that were lost, at every level but `silent`: the lines were of the level that is asked for. It is
 * no line that waits with others, since those may be many again by now.
 */
const lossLine = (level: LevelWithSilent, { lines, since }: LostLines): string => {
  let made = '';
  const write = (line: string): void => {
    made = line;
  };
  const teller = pino({ base: null, timestamp, level: level === 'silent' ? level : 'warn' }, { write });
  teller.warn({ lines, since }, 'lines of the log were lost');
  return made;
};

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
  const toText = onTerminal ? await readableLine() : (line: string) => line;
  const { write, flush, lost } = logDestination({
    fd,
    atOnce: onTerminal,
    onError,
    now,
    lossLine: (loss) => {
      const line = lossLine(level, loss);
      return line === '' ? line : toText(line);
    },
  });
  const stream: DestinationStream = { write: onTerminal ? (line) => write(toText(line)) : write };
  const logger = pino({ base: null, timestamp, redact: REDACTED, level }, stream);
  const announcer = logger.child({}, { level: 'info' });
  const tell = (leftOut: readonly LeftOut[]): void =>
    logger.warn({ leftOut }, 'lines of requests that proved nothing were left out');
  const strangers = new LineBound({ ...STRANGERS, tell });
  const isWritten = (at: 'info' | 'warn', fields: LineAbout, proved: boolean): boolean =>
    logger.isLevelEnabled(at) && (proved || strangers.admits(fields));
  return {
    logger,
    request: (fields, proved) => {
      if (isWritten('info', fields, proved)) stream.write(requestLine(fields));
    },
    cutOff: (fields, proved) => {
      const [isGone, about] = ['by' in fields && fields.by === 'caller', { ...fields, outcome: 'cut-off' }];
      if (!isWritten(isGone ? 'info' : 'warn', about, proved)) return;
      if (isGone) logger.info(fields, 'a caller went away before its reply was there');
      else logger.warn(fields, 'a reply was cut off');
    },
    announce: (fields, message) => {
      announcer.info(fields, message);
      void flush();
    },
    lost,
    flush: () => {
      strangers.tellNow();
      return flush();
    },
  };
};
