const FIRST_MS = 100;
const LONGEST_MS = 5_000;

/**
 * How many ms to wait after so many failures in a row, from 1: 100 ms, doubling to 5 s, of which a random half is left
 * out, so that several ledgers don't all come back to a store at once.
 *
 * @param random at least 0 and below 1
 */
export const spoolBackOff = (failures: number, random: () => number): number => {
  const most = Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
  return most * (1 - random() / 2);
};
