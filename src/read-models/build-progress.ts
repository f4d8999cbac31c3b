/** What a build of the read models has read. */
export type Built = { readonly events: number; readonly orders: number };

/** The share of a build that is done, 0 to 1, and the events that were projected so far. */
export type OnBuildProgress = (share: number, events: number) => void;
