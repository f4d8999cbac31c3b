/** More than a ledger has providers and callers, and few enough to be remembered. */
const MOST = 1_000;

/**
 * The peers by which somebody proved who they are, the last ones that began to: a provider that opens a connection for each
 * delivery is known between two. One that is known already changes nothing, so that this costs a delivery next to nothing.
 */
export class KnownPeers {
  readonly #addresses = new Set<string>();

  /** @returns whether it was not known */
  add(address: string): boolean {
    if (this.#addresses.has(address)) return false;
    this.#addresses.add(address);
    const [eldest] = this.#addresses;
    if (this.#addresses.size > MOST && eldest !== undefined) this.#addresses.delete(eldest);
    return true;
  }

  has(address: string): boolean {
    return this.#addresses.has(address);
  }
}
