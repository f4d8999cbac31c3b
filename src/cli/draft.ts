/** A file under way, in the folder that it will be in. */
export type Draft = {
  /** Its name until it is whole; what has a name that begins with this one and a point or a dash belongs to it. */
  readonly file: string;
  /** Removes what is left of it, to be called whatever came of it. What can't be removed is left to the next draft. */
  readonly end: () => void;
};
