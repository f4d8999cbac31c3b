import type { Logger } from 'pino';
import type { SpoolNews } from '../../event-store/spool/spool-news.ts';
import type { SpoolEvent } from '../../ledger/spool-event.ts';
import type { Wavering } from '../../doctor/told-state.ts';
import { OutageLines, outageTime, type OutageTime } from './outage-lines.ts';
import { SpoolLog } from './spool-log.ts';

/** The log of a store on another machine, and of the deliveries that wait for it. */
export type StoreLog = {
  /** The connection was lost, for a reason, or is there (null). */
  readonly onState: (problem: string | null) => void;
  readonly onSpool: (event: SpoolEvent) => void;
  readonly onSpoolFile: (news: SpoolNews) => void;
  /** Which outage of the connection goes on, by its number, until its end is told; null: none. */
  readonly toldAway: () => number | null;
  /** How the store comes and goes, its connection or what it takes; null: it does not. */
  readonly wavering: () => Wavering | null;
  /** What happened until now is logged, and from now on at once: a start that is refused says nothing but why. */
  readonly begin: () => void;
};

/** What operators should know: a line when the connection changes, not one for each try, nor for each break of a store that comes and goes. */
export const logStore = (logger: Logger, time: OutageTime = outageTime): StoreLog => {
  let held: (() => void)[] | null = [];
  const say = (line: () => void): void => {
    if (held === null) line();
    else held.push(line);
  };
  const connection = new OutageLines(
    {
      away: (problem) =>
        say(() =>
          logger.warn(
            { problem },
            'the event store is away; deliveries are kept here meanwhile: run "ramp-ledger doctor"',
          ),
        ),
      wavers: (wavering) =>
        say(() => logger.warn(wavering, 'the event store comes and goes: run "ramp-ledger doctor"')),
      back: (breaks) => say(() => logger.info({ breaks }, 'the event store is there')),
    },
    time,
  );
  const spool = new SpoolLog(logger, say, time);
  return {
    onState: (problem) => connection.is(problem),
    onSpool: (event) => spool.on(event),
    onSpoolFile: (news) => say(() => logFile(logger, news)),
    toldAway: connection.told,
    wavering: () => spool.wavering() ?? connection.wavering(),
    begin: () => {
      for (const line of held ?? []) line();
      held = null;
    },
  };
};

const logFile = (logger: Logger, news: SpoolNews): void => {
  switch (news._tag) {
    case 'DiskSilent':
      logger.error(
        { problem: news.detail },
        'the disk of the spool hangs, and what the event store does not take is answered 503 until it answers: run "ramp-ledger doctor"',
      );
      return;
    case 'DiskAnswers':
      logger.info({ seconds: news.seconds }, 'the disk of the spool answers again');
      return;
    case 'Uncounted':
      logger.error(
        { problem: news.detail },
        'what waits in the spool can not be counted, and all deliveries are answered 503 until it is: run "ramp-ledger doctor"',
      );
      return;
    case 'LogBroken':
      logger.error(
        { problem: news.detail },
        'what was answered 202 just before the ledger ended may not be in the spool: ask the provider to send it again',
      );
      return;
    case 'Vanished':
      logger.error(
        { deliveries: news.deliveries, firstKeys: news.keys },
        'deliveries that waited are gone from the spool, and are not given to the event store: ask the provider to send them again',
      );
  }
};
