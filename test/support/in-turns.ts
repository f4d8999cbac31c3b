/** Does work for each item, for so many at the same time. */
export const inTurns = async <A>(
  items: readonly A[],
  atOnce: number,
  work: (item: A) => Promise<void>,
): Promise<void> => {
  const rest = items.values();
  const worker = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};
