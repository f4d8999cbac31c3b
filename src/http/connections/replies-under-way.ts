import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A reply that is not finished, and whether its request is at work or waits for its turn. */
type UnderWay = { readonly reply: ServerResponse; hasBegun: boolean };

/** What is under way on a connection, and the request that was answered before all of it had come; null where none was last. */
type OnSocket = { readonly replies: UnderWay[]; answeredEarly: IncomingMessage | null };

/**
 * Holds the replies that are not finished yet, and tells when there are none. Those of a connection are a list, of one
 * nearly always: a `Set` would keep what is long answered from being forgotten (held-by-peers.ts says why).
 */
export class RepliesUnderWay {
  readonly #onSockets = new WeakMap<Duplex, OnSocket>();
  #count = 0;
  #whenNone: (() => void) | null = null;

  counted(listener: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request;
      if (socket.destroyed) return;
      const onSocket = this.#onSocket(socket);
      onSocket.replies.push({ reply: response, hasBegun: false });
      onSocket.answeredEarly = null;
      this.#count += 1;
      // Not `once`, which makes two functions more of this one and takes them away again: it comes once anyway.
      response.on('close', () => this.#finished(onSocket, response));
      listener(request, response);
    };
  }

  /** Marks those that are heard: what is before it lets them wait. */
  begun(listener: RequestListener): RequestListener {
    return (request, response) => {
      const one = this.#onSockets.get(request.socket)?.replies.find(({ reply }) => reply === response);
      if (one !== undefined) one.hasBegun = true;
      listener(request, response);
    };
  }

  on(socket: Duplex): readonly ServerResponse[] {
    return (this.#onSockets.get(socket)?.replies ?? []).map(({ reply }) => reply);
  }

  /** Whether what comes by a connection still belongs to a request that is answered: nothing is owed for it any more. */
  isAnswered(socket: Duplex): boolean {
    return this.#onSockets.get(socket)?.answeredEarly?.complete === false;
  }

  /**
   * Whether a whole request has come by a connection and is at work: its answer is not made yet. Who does not read one that
   * is waits for nobody. One that has not begun can be sent again: whoever fills all connections with those, which costs him
   * nothing, would keep everybody else out. Where nothing more comes by a connection, its caller may have left (half-closed.ts).
   */
  isWaitedFor(socket: Duplex): boolean {
    if (socket.readableEnded) return false;
    const replies = this.#onSockets.get(socket)?.replies ?? [];
    return replies.some(({ reply, hasBegun }) => hasBegun && reply.req.complete && !reply.writableEnded);
  }

  /** Whether all that was asked by a connection is answered, to the last byte, and the next may come. */
  isIdle(socket: Duplex): boolean {
    return this.#onSockets.get(socket)?.replies.length === 0 && !this.isAnswered(socket);
  }

  /** Resolves when there are none, those counted that one of these kept waiting. */
  async none(): Promise<void> {
    while (this.#count > 0) {
      await new Promise<void>((resolve) => {
        this.#whenNone = resolve;
      });
      // By then the next one of a connection is heard (in-turn.ts).
      await nextTurn();
    }
  }

  #onSocket(socket: Duplex): OnSocket {
    const known = this.#onSockets.get(socket);
    if (known !== undefined) return known;
    const onSocket: OnSocket = { replies: [], answeredEarly: null };
    this.#onSockets.set(socket, onSocket);
    // Replies that wait behind another one are not told that their connection is closed.
    socket.once('close', () => {
      this.#count -= onSocket.replies.splice(0).length;
      if (this.#count === 0) this.#whenNone?.();
    });
    return onSocket;
  }

  #finished(onSocket: OnSocket, finished: ServerResponse): void {
    const { replies } = onSocket;
    const at = replies.findIndex(({ reply }) => reply === finished);
    if (at === -1) return;
    replies.splice(at, 1);
    if (!finished.req.complete) onSocket.answeredEarly = finished.req;
    this.#count -= 1;
    if (this.#count === 0) this.#whenNone?.();
  }
}
