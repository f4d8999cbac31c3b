import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/**
 * Requests that wait to be heard, in the order in which they came. What has begun or left is kept by nobody: one whose
 * caller went away would otherwise stay until its turn, with all that came with it.
 */
export class WaitingLine {
  readonly #listener: RequestListener;
  readonly #waiting = new Set<() => void>();

  constructor(listener: RequestListener) {
    this.#listener = listener;
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    const begin = (): void => {
      if (!request.socket.destroyed) this.#listener(request, response);
    };
    this.#waiting.add(begin);
    response.once('close', () => this.#waiting.delete(begin));
  }

  /** Begins the one that has waited longest, if there is any. */
  beginOne(): void {
    const [begin] = this.#waiting;
    if (begin === undefined) return;
    this.#waiting.delete(begin);
    begin();
  }
}
