import type { RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A reply that is not finished, and whether its request is at work or waits for its turn. */
type UnderWay = { readonly reply: ServerResponse; hasBegun: boolean };

/**
 * Holds the replies that are not finished yet, and tells when there are none. Those of a connection are a list, of one
 * nearly always: a `Set` would keep what is long answered from being forgotten (held-by-peers.ts says why).
 */
export class RepliesUnderWay {
  readonly #onSockets = new WeakMap<Duplex, UnderWay[]>();
  #count = 0;
  #whenNone: (() => void) | null = null;

  counted(listener: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request;
      if (socket.destroyed) return;
      const replies = this.#onSocket(socket);
      replies.push({ reply: response, hasBegun: false });
      this.#count += 1;
      // Not `once`, which makes two functions more of this one and takes them away again: it comes once anyway.
      response.on('close', () => this.#finished(replies, response));
      listener(request, response);
    };
  }

  /** Marks those that are heard: what is before it lets them wait. */
  begun(listener: RequestListener): RequestListener {
    return (request, response) => {
      const one = this.#onSockets.get(request.socket)?.find(({ reply }) => reply === response);
      if (one !== undefined) one.hasBegun = true;
      listener(request, response);
    };
  }

  on(socket: Duplex): readonly ServerResponse[] {
    return (this.#onSockets.get(socket) ?? []).map(({ reply }) => reply);
  }

  /**
   * Whether a whole request has come by a connection and is at work: its answer is not made yet. Who does not read one that
   * is waits for nobody. One that has not begun can be sent again: whoever fills all connections with those, which costs him
   * nothing, would keep everybody else out.
   */
  isWaitedFor(socket: Duplex): boolean {
    const replies = this.#onSockets.get(socket);
    return replies?.some(({ reply, hasBegun }) => hasBegun && reply.req.complete && !reply.writableEnded) ?? false;
  }

  none(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#count === 0) resolve();
      else this.#whenNone = resolve;
    });
  }

  #onSocket(socket: Duplex): UnderWay[] {
    const known = this.#onSockets.get(socket);
    if (known !== undefined) return known;
    const replies: UnderWay[] = [];
    this.#onSockets.set(socket, replies);
    // Replies that wait behind another one are not told that their connection is closed.
    socket.once('close', () => {
      this.#count -= replies.splice(0).length;
      if (this.#count === 0) this.#whenNone?.();
    });
    return replies;
  }

  #finished(replies: UnderWay[], finished: ServerResponse): void {
    const at = replies.findIndex(({ reply }) => reply === finished);
    if (at === -1) return;
    replies.splice(at, 1);
    this.#count -= 1;
    if (this.#count === 0) this.#whenNone?.();
  }
}
