import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/**
 * Requests that wait to be heard, in the order in which they came. What has begun or left is kept by nobody: one whose
 * caller went away would otherwise stay until its turn, with all that came with it.
 */
export class WaitingLine {
  readonly #hold: (request: IncomingMessage) => () => void;
  readonly #listener: RequestListener;
  readonly #waiting = new Set<() => void>();

  /** @param hold told of each that begins to wait; what it returns is called once, when that is heard or gone */
  constructor(hold: (request: IncomingMessage) => () => void, listener: RequestListener) {
    this.#hold = hold;
    this.#listener = listener;
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    const letGo = this.#hold(request);
    const begin = (): void => {
      letGo();
      if (!request.socket.destroyed) this.#listener(request, response);
    };
    this.#waiting.add(begin);
    response.once('close', () => {
      if (this.#waiting.delete(begin)) letGo();
    });
  }

  /** Begins the one that has waited longest, if there is any. */
  beginOne(): void {
    const [begin] = this.#waiting;
    if (begin === undefined) return;
    this.#waiting.delete(begin);
    begin();
  }
}
