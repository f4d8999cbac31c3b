/** What is wrong with a thing that the ledger stands on, for whoever operates it. */
export type Trouble = {
  /** What is wrong, and with what. */
  readonly detail: string;
  /** What to do about it; null where only whoever asked can know. */
  readonly cure: string | null;
};

/** A trouble in one line: what is wrong and, behind a semicolon, what to do about it. */
export const troubleLine = ({ detail, cure }: Trouble): string => (cure === null ? detail : `${detail}; ${cure}`);
