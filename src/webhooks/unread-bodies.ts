/** Takes back a place that was taken; more than once does nothing. */
type Leave = () => void;

/**
 * The bodies that are being waited for, so many at the most. Nothing is proved of them yet, and whoever opens connections
 * can have as many as he likes, so none is refused for want of room: the one that has been waited for longest, of the
 * peer that has most, gives up its place. A delivery that is sent without a pause is read long before it is its turn.
 */
export class UnreadBodies {
  readonly #most: number;
  /** In the order in which they came. */
  readonly #byPeer = new Map<string, Set<() => void>>();
  #count = 0;

  /** @param most each holds as much memory as a body may have */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Takes a place.
   *
   * @param peer the address that the request came from
   * @param giveUp called where others need the place
   */
  enter(peer: string, giveUp: () => void): Leave {
    if (this.#count >= this.#most) this.#makeRoom();
    const own = () => giveUp();
    const ofPeer = this.#byPeer.get(peer) ?? new Set();
    this.#byPeer.set(peer, ofPeer.add(own));
    this.#count += 1;
    return () => this.#leave(peer, own);
  }

  #leave(peer: string, own: () => void): void {
    const ofPeer = this.#byPeer.get(peer);
    if (ofPeer?.delete(own) !== true) return;
    this.#count -= 1;
    if (ofPeer.size === 0) this.#byPeer.delete(peer);
  }

  #makeRoom(): void {
    let [peer, most]: [string, ReadonlySet<() => void>] = ['', new Set()];
    for (const [other, ofOther] of this.#byPeer) if (ofOther.size > most.size) [peer, most] = [other, ofOther];
    const [eldest] = most;
    if (eldest === undefined) return;
    this.#leave(peer, eldest);
    eldest();
  }
}
