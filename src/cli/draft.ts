import type { FileHandle } from 'node:fs/promises';

/** A file under way, in the folder that it will be in. */
export type Draft = {
  /** Its name until it is whole; what has a name that begins with this one and a point or a dash belongs to it. */
  readonly file: string;
  /**
   * Makes a file of it, for its owner only: in the data directory whoever that belongs to. Rejects where it is there, or can't be made.
   *
   * @param behind what its name has behind that of the draft: empty, or `.manifest.json`
   */
  readonly make: (behind: string) => Promise<FileHandle>;
  /** Removes what is left of it, to be called whatever came of it. What can't be removed is left to the next draft. */
  readonly end: () => void;
};
