import type { Logger } from 'pino';
import { troubleLine } from '../../domain/trouble.ts';
import type { WriterNews } from '../../event-store/sqlite/writer-message.ts';

/** What happened to the files that a ledger has for itself. */
export type PlaceNews =
  | WriterNews
  /** A lock of the data directory is gone, beside a store on another machine. */
  | { readonly _tag: 'LockLost'; readonly detail: string };

/** Logs what happened to the files of a ledger: once, whether or not a delivery comes. */
export const logPlace =
  (logger: Logger): ((news: PlaceNews) => void) =>
  (news) => {
    switch (news._tag) {
      case 'Stopped':
        logger.error(
          { problem: news.detail },
          'nothing more is acknowledged until the ledger is restarted: run "ramp-ledger doctor"',
        );
        return;
      case 'SecondName':
        logger.warn(
          { problem: troubleLine(news) },
          'the events have another name: no ledger starts on them until it is gone',
        );
        return;
      case 'DiskSilent':
        logger.error(
          { problem: news.detail },
          'the disk of the events hangs, and deliveries are answered 503 until it answers: run "ramp-ledger doctor"',
        );
        return;
      case 'DiskAnswers':
        logger.info({ seconds: news.seconds }, 'the disk of the events answers again');
        return;
      case 'DiskReadOnly':
        logger.error(
          { problem: news.detail },
          'the disk of the events is read-only, and deliveries are answered 503 until it can be written to: run "ramp-ledger doctor"',
        );
        return;
      case 'DiskWritable':
        logger.info('the disk of the events can be written to again');
        return;
      case 'LockLost':
        logger.error({ problem: news.detail }, 'another ledger may use the data directory: run "ramp-ledger doctor"');
    }
  };
