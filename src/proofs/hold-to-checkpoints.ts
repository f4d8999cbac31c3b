import type { EventHeader } from '../domain/recorded-event.ts';
import type { Checkpoint } from './checkpoint.ts';
import { eventLeafHash } from './log-leaf.ts';
import { TreeFrontier } from './tree-frontier.ts';
import { soMany } from '../domain/so-many.ts';
import { anotherBeginning } from './another-beginning.ts';

/** How a log differs from what its checkpoints say. */
export type CheckpointProblem =
  /** The log has fewer events than when the checkpoint was signed. */
  | 'checkpoint-beyond-log'
  /** The log has as many events, and others: one was changed, taken out, put in between, or moved. */
  | 'checkpoint-not-in-log'
  /** Those that were signed are no longer kept: the log is held to none. */
  | 'checkpoints-gone'
  /** What was handed in is no checkpoint. */
  | 'checkpoint-unreadable'
  /** It is one of another log, or not signed by this ledger's key. */
  | 'checkpoint-not-of-this-log';

/** One difference, which is about the log as a whole. */
export type CheckpointFailure = {
  readonly stream: null;
  readonly revision: null;
  readonly eventId: null;
  readonly orderId: null;
  readonly problem: CheckpointProblem;
  readonly detail: string;
};

export const checkpointFailure = (problem: CheckpointProblem, detail: string): CheckpointFailure => ({
  stream: null,
  revision: null,
  eventId: null,
  orderId: null,
  problem,
  detail,
});

/**
 * Holds a log to checkpoints, event by event from its start. Of those that it does not keep only the smallest is told of
 * each kind: all larger ones can't but differ as well.
 */
export class CheckpointHolder {
  readonly #tree = new TreeFrontier();
  readonly #bySize: readonly Checkpoint[];
  readonly #failures: CheckpointFailure[] = [];
  #next = 0;

  constructor(checkpoints: readonly Checkpoint[]) {
    this.#bySize = checkpoints.toSorted((a, b) => a.size - b.size);
    this.#compare();
  }

  add(event: EventHeader): void {
    this.#tree.append(eventLeafHash(event));
    this.#compare();
  }

  /** What was found, once the whole log was added. */
  failures(): readonly CheckpointFailure[] {
    const beyond = this.#bySize[this.#next];
    if (beyond === undefined) return this.#failures;
    const largest = this.#bySize.at(-1) ?? beyond;
    const detail = `a checkpoint of ${soMany(largest.size, 'event')} was signed, and the log has ${this.#tree.size}`;
    return [...this.#failures, checkpointFailure('checkpoint-beyond-log', detail)];
  }

  #compare(): void {
    for (;;) {
      const checkpoint = this.#bySize[this.#next];
      if (checkpoint?.size !== this.#tree.size) return;
      this.#next += 1;
      if (this.#failures.length > 0 || checkpoint.root.equals(this.#tree.root())) continue;
      const detail = anotherBeginning(checkpoint.size, 'a checkpoint that was signed');
      this.#failures.push(checkpointFailure('checkpoint-not-in-log', detail));
    }
  }
}
