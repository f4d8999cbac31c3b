const HIGH_SEED = 0x811c9dc5;
const LOW_SEED = 0x9747b28c;

const highWith = (high: number, unit: number): number => Math.imul(high ^ unit, 0x01000193);

const lowWith = (low: number, unit: number): number => {
  const mixed = Math.imul(low ^ unit, 0x5bd1e995);
  return mixed ^ (mixed >>> 15);
};

/** Both halves in one loop: neither waits for the other then. */
const digestFrom = (text: string, from: number, until: number, highSeed: number, lowSeed: number): number => {
  let [high, low] = [highSeed, lowSeed];
  for (let i = from; i < until; i += 1) {
    const unit = text.charCodeAt(i);
    high = highWith(high, unit);
    low = lowWith(low, unit);
  }
  return ((high ^ (high >>> 16)) & 0xffff) * 0x1_0000_0000 + (low >>> 0);
};

/**
 * A short digest of a text, 48 bits as a number, for indexes: what it finds is compared with the text itself, so equal
 * digests of different texts cost a comparison and nothing else.
 */
export const shortDigest = (text: string): number => digestFrom(text, 0, text.length, HIGH_SEED, LOW_SEED);

/** The short digest of a part of a text: a text made of the part alone would be read three times as slowly. */
export const shortDigestWithin = (text: string, from: number, until: number): number =>
  digestFrom(text, from, until, HIGH_SEED, LOW_SEED);

/** The short digests of texts that begin alike, from what comes behind that beginning: nothing is put together for them. */
export const shortDigestBehind = (beginning: string): ((rest: string) => number) => {
  const units = Array.from({ length: beginning.length }, (_, i) => beginning.charCodeAt(i));
  const [high, low] = [units.reduce(highWith, HIGH_SEED), units.reduce(lowWith, LOW_SEED)];
  return (rest) => digestFrom(rest, 0, rest.length, high, low);
};
