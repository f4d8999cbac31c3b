/** A count with its noun, as lines of text have it: `1 event`, `12000 events`. */
export const soMany = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;
