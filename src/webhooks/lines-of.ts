const LINE_FEED = 0x0a;

/**
 * The lines of a file, without their ends, as they are read. A line of more bytes than `most` is null: it is passed over
 * and never held. The last line needs no end.
 */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Buffer | null, void> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array): void => {
    length += part.length;
    if (length > most) parts = [];
    else parts.push(part);
  };
  const take = (): Buffer | null => {
    const line = length > most ? null : Buffer.concat(parts);
    [parts, length] = [[], 0];
    return line;
  };
  for await (const piece of bytes) {
    let from = 0;
    for (let end = piece.indexOf(LINE_FEED, from); end !== -1; end = piece.indexOf(LINE_FEED, from)) {
      add(piece.subarray(from, end));
      from = end + 1;
      yield take();
    }
    if (from < piece.length) add(piece.subarray(from));
  }
  if (length > 0) yield take();
}
