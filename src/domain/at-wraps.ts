/**
 * What of a bank line stands where its text was wrapped. A file that is wrapped at the width of its fields may lose the blank
 * between two words there, or cut a word in two; only the line as it stood in the file tells.
 */
export type AtWraps = {
  /** References of the line that are words of its text: they stand beside a wrap, and in no place for references. */
  readonly words: readonly string[];
  /** For each wrap the last word before it and the first behind it, with one blank between them. */
  readonly joints: readonly string[];
};
