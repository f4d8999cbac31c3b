/** What the index of the match leads to: orders and evidence, by number. */
export const orderRef = (no: number): number => no * 2;

/** The same for a line or a transfer. */
export const evidenceRef = (no: number): number => no * 2 + 1;

/** Whether it leads to an order. */
export const isOrderRef = (ref: number): boolean => ref % 2 === 0;

/** The number of what it leads to. */
export const numberOfRef = (ref: number): number => (ref - (ref % 2)) / 2;

/** Adds a term that leads to something. */
export type AddTerm = (term: number, ref: number) => void;
