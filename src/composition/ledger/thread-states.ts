import type { Logger } from 'pino';
import type { ThreadHealth } from '../../console/health/ledger-health.ts';
import type { Instant } from '../../domain/instant.ts';
import type { OnThreadState } from '../../threads/lasting-thread.ts';

/** The threads that last as long as the ledger, beside the one that receives, the writer of an embedded store, and that of a spool. */
const THREADS = ['projections', 'queries', 'moments', 'orders', 'streams'] as const;

/** Which threads work, and which are down: from when on, and why. */
export class ThreadStates {
  readonly #down = new Map<string, ThreadHealth>();
  readonly #names: Set<string> = new Set(THREADS);
  readonly #logger: Pick<Logger, 'error' | 'info'>;
  readonly #now: () => Instant;

  constructor(logger: Pick<Logger, 'error' | 'info'>, now: () => Instant) {
    this.#logger = logger;
    this.#now = now;
  }

  readonly onState: OnThreadState = (name, problem) => {
    if (problem === null) {
      this.#down.delete(name);
      this.#logger.info({ thread: name }, 'a thread works again');
      return;
    }
    this.#down.set(name, { name, since: this.#down.get(name)?.since ?? this.#now(), problem });
    this.#logger.error({ thread: name, problem }, 'a thread is down; it is started again: run "ramp-ledger doctor"');
  };

  /** This ledger has this one too. */
  readonly alsoHas = (name: string): void => {
    this.#names.add(name);
  };

  /** Those that are down now. */
  readonly down = (): readonly ThreadHealth[] => [...this.#down.values()];

  /** Whether each works, by its name. */
  readonly working = (): ReadonlyMap<string, boolean> =>
    new Map([...this.#names].map((name) => [name, !this.#down.has(name)]));
}
