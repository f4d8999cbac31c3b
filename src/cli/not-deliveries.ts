/** As much of a file is looked at. */
const MOST_LOOKED_AT = 65_536;

/** How files of banks and explorers begin: XML, a ZIP, MT940, OFX; a byte order mark before them counts as a blank. */
const BANK_FILE = /^\s*(?:<|PK|:\d\d[A-Z]?:|\{1:|OFXHEADER)/;

const SEPARATOR = /[,;\t]/;

/** Two lines or more, none of which begins an object, and one of which has columns. */
const isTable = (text: string): boolean => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (
    lines.length > 1 &&
    !lines.some((line) => line.trimStart().startsWith('{')) &&
    lines.some((line) => SEPARATOR.test(line))
  );
};

/** Whether a file of past deliveries is no such file by what it begins with, so that each of its lines would be refused. */
export const isNoDeliveries = (beginning: Uint8Array): boolean => {
  const text = Buffer.from(beginning.subarray(0, MOST_LOOKED_AT)).toString('utf8');
  return BANK_FILE.test(text) || isTable(text);
};

/** Some bytes with what they begin with known; all of them are still read once. */
export const begun = async (
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ readonly beginning: Uint8Array; readonly bytes: AsyncIterable<Uint8Array> }> => {
  const pieces = bytes[Symbol.asyncIterator]();
  const first = await pieces.next();
  return {
    beginning: first.done === true ? new Uint8Array() : first.value,
    bytes: (async function* () {
      try {
        for (let piece = first; piece.done !== true; piece = await pieces.next()) yield piece.value;
      } finally {
        await pieces.return?.();
      }
    })(),
  };
};
