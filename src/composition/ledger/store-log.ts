import type { Logger } from 'pino';
import type { SpoolNews } from '../../event-store/spool/spool-news.ts';
import type { SpoolEvent } from '../../ledger/spool-event.ts';

/** The log of a store on another machine, and of the deliveries that wait for it. */
export type StoreLog = {
  /** The connection was lost, for a reason, or is there (null). */
  readonly onState: (problem: string | null) => void;
  readonly onSpool: (event: SpoolEvent) => void;
  readonly onSpoolFile: (news: SpoolNews) => void;
  /** What happened until now is logged, and from now on at once: a start that is refused says nothing but why. */
  readonly begin: () => void;
};

/** What operators should know: a line when the connection changes, not one for each try. */
export const logStore = (logger: Logger): StoreLog => {
  let held: (() => void)[] | null = [];
  let problem: string | null = null;
  const say = (line: () => void): void => {
    if (held === null) line();
    else held.push(line);
  };
  return {
    onState: (now) => {
      const changed = (now === null) !== (problem === null);
      problem = now;
      if (!changed) return;
      say(() => {
        if (now === null) logger.info('the event store is there');
        else
          logger.warn(
            { problem: now },
            'the event store is away; deliveries are kept here meanwhile: run "ramp-ledger doctor"',
          );
      });
    },
    onSpool: (event) => say(() => logSpool(logger, event)),
    onSpoolFile: (news) => say(() => logFile(logger, news)),
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
    case 'Vanished':
      logger.error(
        { deliveries: news.deliveries, firstKeys: news.keys },
        'deliveries that waited are gone from the spool, and are not given to the event store: ask the provider to send them again',
      );
  }
};

const logSpool = (logger: Logger, event: SpoolEvent): void => {
  switch (event._tag) {
    case 'StoreAway':
      logger.warn({ problem: event.detail }, 'deliveries are spooled');
      return;
    case 'StoreBack':
      logger.info('the event store takes deliveries again');
      return;
    case 'SpoolRefuses':
      logger.error(
        { problem: event.detail },
        'the spool refuses deliveries too, and they are answered 503: run "ramp-ledger doctor"',
      );
      return;
    case 'SpoolTakes':
      logger.info('the spool takes deliveries again');
      return;
    case 'Drained':
      logger.info({ deliveries: event.deliveries }, 'the spool is empty');
      return;
    case 'SetAside': {
      const { bodySha256, requestId, problem } = event;
      logger.error({ bodySha256, requestId, problem }, 'a delivery was set aside: run "ramp-ledger doctor"');
      return;
    }
    case 'SpoolUnreadable':
      logger.error(
        { problem: event.detail },
        'what is in the spool can not be read; it is tried again: run "ramp-ledger doctor"',
      );
  }
};
