import { LineByTurns } from '../concurrency/line-by-turns.ts';
import type { HeldByPeers } from '../http/connections/held-by-peers.ts';

/**
 * Whose body it is. `address`: where its connection comes from; `who`: by whom turns are taken, which behind a proxy may be
 * told apart where addresses are not; `isKnown`: by the connection or its peer somebody has proved who they are.
 */
export type Sender = { readonly address: string; readonly who: string; readonly isKnown: boolean };

type Waiting = { readonly tell: (isItsTurn: boolean) => void; isOver: boolean };

/** Beside known senders one of the others has its turn in so many. */
const ONE_OF = 8;

/**
 * Bodies that wait to be judged: first those of known senders, by turns of the senders. Where more is held of them than there
 * may be, the eldest of the peer for which most is held is given up.
 */
export class WaitingBodies {
  readonly #held: HeldByPeers;
  readonly #known = new LineByTurns<Waiting>();
  readonly #others = new LineByTurns<Waiting>();
  #size = 0;
  #begun = 0;

  constructor(held: HeldByPeers) {
    this.#held = held;
  }

  get size(): number {
    return this.#size;
  }

  /** Resolves when it is one's turn: true; or false when it is given up. */
  async turn({ address, who, isKnown }: Sender, bytes: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting: Waiting = { tell: resolve, isOver: false };
    this.#size += 1;
    (isKnown ? this.#known : this.#others).add(who, waiting);
    const held = this.#held.enter(address, () => this.#end(waiting, false));
    this.#held.holds(held, bytes);
    const isItsTurn = await promise;
    this.#held.leave(held);
    return isItsTurn;
  }

  /** Gives the next one its turn, if any waits. */
  beginOne(): void {
    let next = this.#next();
    // Those that were given up are still in the line, without their bodies.
    while (next?.isOver === true) next = this.#next();
    if (next !== undefined) this.#end(next, true);
  }

  #next(): Waiting | undefined {
    this.#begun += 1;
    const [first, second] = this.#begun % ONE_OF === 0 ? [this.#others, this.#known] : [this.#known, this.#others];
    return first.next() ?? second.next();
  }

  #end(waiting: Waiting, isItsTurn: boolean): void {
    if (waiting.isOver) return;
    waiting.isOver = true;
    this.#size -= 1;
    waiting.tell(isItsTurn);
  }
}
