/** A line of an import that brought nothing in, from 1, and why: the code that a delivery is refused with, or `line-unreadable`. */
export type RefusedLine = { readonly line: number; readonly code: string };

/** What became of the deliveries of an import (docs/spec/command-line.md, import). */
export type ImportReport = {
  readonly recorded: number;
  readonly duplicates: number;
  readonly conflicts: number;
  readonly quarantined: number;
  /** In the order of lines. */
  readonly refused: readonly RefusedLine[];
};
