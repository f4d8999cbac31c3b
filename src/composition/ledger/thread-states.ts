import type { Logger } from 'pino';
import type { ThreadHealth } from '../../console/health/ledger-health.ts';
import { epochMsOf, instantOf, type Instant } from '../../domain/instant.ts';
import type { OnThreadState } from '../../threads/lasting-thread.ts';

/**
 * The threads that last as long as the ledger, beside the one that receives, the writer of an embedded store, and that of a spool;
 * and, as one, those that build read models.
 */
const THREADS = ['projections', 'build', 'queries', 'moments', 'orders', 'streams'] as const;

type Lines = Pick<Logger, 'error' | 'warn' | 'info'>;

/** Which threads work, and which are down or answer nothing: from when on, and why. */
export class ThreadStates {
  readonly #down = new Map<string, ThreadHealth>();
  readonly #names: Set<string> = new Set(THREADS);
  readonly #logger: Lines;
  readonly #now: () => Instant;

  constructor(logger: Lines, now: () => Instant) {
    this.#logger = logger;
    this.#now = now;
  }

  readonly onState: OnThreadState = (name, state) => {
    switch (state._tag) {
      case 'Works':
        this.#down.delete(name);
        this.#logger.info({ thread: name }, 'a thread works again');
        return;
      case 'Answers':
        this.#down.delete(name);
        this.#logger.info({ thread: name, seconds: state.seconds }, 'a thread answers again');
        return;
      case 'Over':
        this.#down.delete(name);
        return;
      case 'Silent': {
        const since = instantOf(epochMsOf(this.#now()) - state.seconds * 1_000);
        this.#down.set(name, { name, since, problem: null });
        this.#logger.warn(
          { thread: name, since },
          'a thread answers nothing, and what it does stands still: run "ramp-ledger doctor"',
        );
        return;
      }
      case 'Down': {
        const { problem } = state;
        const before = this.#down.get(name);
        this.#down.set(name, { name, since: before?.since ?? this.#now(), problem });
        // It is started again and again while that lasts.
        if (before?.problem === problem) return;
        this.#logger.error(
          { thread: name, problem },
          'a thread is down; it is started again: run "ramp-ledger doctor"',
        );
      }
    }
  };

  /** This ledger has this one too. */
  readonly alsoHas = (name: string): void => {
    this.#names.add(name);
  };

  /** Those that are down now, or answer nothing. */
  readonly down = (): readonly ThreadHealth[] => [...this.#down.values()];

  /** Whether each works, by its name. */
  readonly working = (): ReadonlyMap<string, boolean> =>
    new Map([...this.#names].map((name) => [name, !this.#down.has(name)]));
}
