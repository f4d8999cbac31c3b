/** Passes on what happens to whoever has begun to listen by then, so that what tells can be made before what listens. */
export class Notices<A> {
  readonly #listeners: ((notice: A) => void)[] = [];

  readonly listen = (listener: (notice: A) => void): void => {
    this.#listeners.push(listener);
  };

  readonly tell = (notice: A): void => {
    for (const listener of this.#listeners) listener(notice);
  };
}
