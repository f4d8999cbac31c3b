import type { Readable, Writable } from 'node:stream';

/** Of what comes in one piece: a few hundred of the smallest parts of a form. */
const SLICE_BYTES = 4_096;

/**
 * Gives a parser what comes, slice by slice, and no more of it once it is over: of a piece that a connection brings at once the parser
 * would else go through all, thousands of parts, though the first ones were too many.
 *
 * @param isOver asked before each slice
 */
export const feedInSlices = (source: Readable, parser: Writable, isOver: () => boolean): void => {
  source.on('data', (piece: Buffer) => {
    let hasRoom = true;
    for (let at = 0; at < piece.length && !isOver(); at += SLICE_BYTES)
      hasRoom = parser.write(piece.subarray(at, at + SLICE_BYTES));
    if (hasRoom || isOver()) return;
    source.pause();
    parser.once('drain', () => {
      if (!isOver()) source.resume();
    });
  });
  source.once('end', () => {
    if (!isOver()) parser.end();
  });
};
