/** What a delivery takes beside its body: its row, its part of the write-ahead log, pages that are not full. */
const BESIDE_THE_BODY = 1_024;

/** What a delivery counts towards the most that a spool may take, in bytes, from the length of its body (docs/operating.md, Sizes). */
export const entryBytes = (bodyBytes: number): number => bodyBytes + BESIDE_THE_BODY;
