/** Numbers of the blocks of one run, the first being its fences. */
export const BLOCKS_OF_A_RUN = 65_536;

/** Less than any rank. */
export const FIRST_RANK = -Number.MAX_SAFE_INTEGER;

/** A run of an index. `size`: its entries. */
export type RunRow = { readonly no: number; readonly size: number };

/** The blocks of a run, without its fences. */
export const blocksOf = (no: number): { readonly first: number; readonly last: number } => ({
  first: no * BLOCKS_OF_A_RUN + 1,
  last: (no + 1) * BLOCKS_OF_A_RUN - 1,
});
