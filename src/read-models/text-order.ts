/** The order in which databases compare texts: by their UTF-8 bytes, which differs from code units beyond U+FFFF. */
export const compareTexts = (a: string, b: string): number => {
  if (a === b) return 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
};
