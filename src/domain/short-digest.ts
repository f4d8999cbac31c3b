const HIGH_SEED = 0x811c9dc5;
const LOW_SEED = 0x9747b28c;

const highOf = (text: string, seed: number): number => {
  let high = seed;
  for (let i = 0; i < text.length; i += 1) high = Math.imul(high ^ text.charCodeAt(i), 0x01000193);
  return high;
};

const lowOf = (text: string, seed: number): number => {
  let low = seed;
  for (let i = 0; i < text.length; i += 1) {
    low = Math.imul(low ^ text.charCodeAt(i), 0x5bd1e995);
    low ^= low >>> 15;
  }
  return low;
};

const joined = (high: number, low: number): number => ((high ^ (high >>> 16)) & 0xffff) * 0x1_0000_0000 + (low >>> 0);

/**
 * A short digest of a text, 48 bits as a number, for indexes: what it finds is compared with the text itself, so equal
 * digests of different texts cost a comparison and nothing else.
 */
export const shortDigest = (text: string): number => joined(highOf(text, HIGH_SEED), lowOf(text, LOW_SEED));

/** The short digests of texts that begin alike, from what comes behind that beginning: nothing is put together for them. */
export const shortDigestBehind = (beginning: string): ((rest: string) => number) => {
  const [high, low] = [highOf(beginning, HIGH_SEED), lowOf(beginning, LOW_SEED)];
  return (rest) => joined(highOf(rest, high), lowOf(rest, low));
};
