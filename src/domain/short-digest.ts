/**
 * A short digest of a text, 48 bits as a number, for indexes: what it finds is compared with the text itself, so equal
 * digests of different texts cost a comparison and nothing else.
 */
export const shortDigest = (text: string): number => {
  let [high, low] = [0x811c9dc5, 0x9747b28c];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x5bd1e995);
    low ^= low >>> 15;
  }
  high ^= high >>> 16;
  return (high & 0xffff) * 0x1_0000_0000 + (low >>> 0);
};
