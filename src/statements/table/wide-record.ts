const QUOTE = 0x22;
const LINE_END = 0x0a;

/**
 * The line, from 1, at which a CSV record has more columns than that; null where none has. A reader of CSV keeps each
 * column of a record before it can count them, and 16 MiB may be one record of nothing but delimiters.
 *
 * @param text with line ends of one character
 */
export const wideRecord = (text: string, delimiter: string, most: number): number | null => {
  const separator = delimiter.charCodeAt(0);
  let line = 1;
  let columns = 1;
  let inQuotes = false;
  let isCellStart = true;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LINE_END) line += 1;
    if (inQuotes) {
      if (code !== QUOTE) continue;
      // Two of them stand for one; one by itself ends the quoted part, whatever follows.
      if (text.charCodeAt(at + 1) === QUOTE) at += 1;
      else inQuotes = false;
    } else if (code === QUOTE && isCellStart) {
      [inQuotes, isCellStart] = [true, false];
    } else if (code === separator) {
      [columns, isCellStart] = [columns + 1, true];
      if (columns > most) return line;
    } else if (code === LINE_END) {
      [columns, isCellStart] = [1, true];
    } else {
      isCellStart = false;
    }
  }
  return null;
};
