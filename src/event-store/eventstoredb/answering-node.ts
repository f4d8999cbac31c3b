/**
 * Whether the node that calls go to answers any of them as an EventStoreDB does, if only by an error of its own. The client
 * leaves a node that is unavailable, or says that another one leads, and stays for ever with one that answers something else:
 * a machine that was given the address of a node that is gone, a leader that takes calls and answers none.
 */
export class AnsweringNode {
  readonly #leaveAfterMs: number;
  #failingSince: number | null = null;

  constructor(leaveAfterMs: number) {
    this.#leaveAfterMs = leaveAfterMs;
  }

  /** It has answered, or another one is asked from now on. */
  readonly answered = (): void => {
    this.#failingSince = null;
  };

  /** A call has failed. Whether nothing else was heard for so long that the nodes are to be looked for anew. */
  readonly isToBeLeft = (nowMs: number): boolean => {
    this.#failingSince ??= nowMs;
    return nowMs - this.#failingSince >= this.#leaveAfterMs;
  };
}
