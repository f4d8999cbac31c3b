import type { Logger } from 'pino';
import type { SpoolEvent } from '../../ledger/spool-event.ts';
import type { Wavering } from '../../doctor/told-state.ts';
import { OutageLines, type OutageTime } from './outage-lines.ts';

/**
 * The lines of deliveries that wait for a store. One that comes and goes has its spool filled and emptied many times a minute:
 * that is told of all of it together.
 */
export class SpoolLog {
  readonly #logger: Logger;
  readonly #say: (line: () => void) => void;
  readonly #store: OutageLines;
  readonly #room: OutageLines;
  /** What was appended since it was told last that nothing waits. */
  #drained = 0;
  #isEmpty = false;

  /** @param say writes a line, or keeps it until lines may be written */
  constructor(logger: Logger, say: (line: () => void) => void, time: OutageTime) {
    this.#logger = logger;
    this.#say = say;
    this.#store = new OutageLines(
      {
        away: (problem) => say(() => logger.warn({ problem }, 'deliveries are spooled')),
        wavers: (wavering) =>
          say(() =>
            logger.warn(
              wavering,
              'the event store takes deliveries now and then, and they are spooled in between: run "ramp-ledger doctor"',
            ),
          ),
        back: (breaks) => {
          say(() => logger.info({ breaks }, 'the event store takes deliveries again'));
          this.#tellEmpty();
        },
      },
      time,
    );
    this.#room = new OutageLines(
      {
        away: (problem) =>
          say(() =>
            logger.error(
              { problem },
              'the spool refuses deliveries too, and they are answered 503: run "ramp-ledger doctor"',
            ),
          ),
        wavers: (wavering) =>
          say(() =>
            logger.error(
              wavering,
              'the spool refuses deliveries now and then, and they are answered 503: run "ramp-ledger doctor"',
            ),
          ),
        back: () => say(() => logger.info('the spool takes deliveries again')),
      },
      time,
    );
  }

  /** How the store takes deliveries and takes none by turns; null: it does not. */
  wavering(): Wavering | null {
    return this.#store.wavering();
  }

  on(event: SpoolEvent): void {
    switch (event._tag) {
      case 'StoreAway':
        this.#isEmpty = false;
        this.#store.is(event.detail);
        return;
      case 'StoreBack':
        this.#store.is(null);
        // What the store takes needs no room.
        this.#room.is(null);
        return;
      case 'SpoolRefuses':
        this.#room.is(event.detail);
        return;
      case 'SpoolTakes':
        this.#room.is(null);
        return;
      case 'Drained':
        this.#drained += event.deliveries;
        this.#isEmpty = true;
        if (this.#store.wavering() === null) this.#tellEmpty();
        return;
      case 'SetAside': {
        const { bodySha256, requestId, problem } = event;
        this.#say(() =>
          this.#logger.error({ bodySha256, requestId, problem }, 'a delivery was set aside: run "ramp-ledger doctor"'),
        );
        return;
      }
      case 'SpoolUnreadable':
        this.#say(() =>
          this.#logger.error(
            { problem: event.detail },
            'what is in the spool can not be read; it is tried again: run "ramp-ledger doctor"',
          ),
        );
    }
  }

  #tellEmpty(): void {
    if (!this.#isEmpty) return;
    this.#isEmpty = false;
    const deliveries = this.#drained;
    this.#drained = 0;
    this.#say(() => this.#logger.info({ deliveries }, 'the spool is empty'));
  }
}
