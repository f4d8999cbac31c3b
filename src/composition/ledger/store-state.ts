/** Whether a store on another machine is away, and why; one on this machine never is. */
export class StoreState {
  #problem: string | null = null;

  /** It was lost, for a reason, or is there (null). */
  readonly is = (problem: string | null): void => {
    this.#problem = problem;
  };

  /** Why it is away; null: it is there. */
  readonly away = (): string | null => this.#problem;
}
