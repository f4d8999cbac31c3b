import type { Socket } from 'node:net';

/** How much is given to the system at a time: it copies a megabyte in up to three milliseconds. */
export const PIECE_BYTES = 262_144;

type Written = (error?: Error | null) => void;

/** As streams hand on what is written: text, or bytes, whose encoding says nothing then. */
type Chunk = { readonly chunk: unknown; readonly encoding: BufferEncoding };

/** Of each character of a text, at the most: what it comes to is not known before it is written. */
const BYTES_OF_CHARACTER = 3;

const mostBytesOf = ({ chunk }: Chunk): number => {
  if (typeof chunk === 'string') return BYTES_OF_CHARACTER * chunk.length;
  return chunk instanceof Uint8Array ? chunk.length : 0;
};

/** Whether there may be more than one piece. */
const isMoreThanAPiece = (chunks: readonly Chunk[]): boolean => {
  let size = 0;
  for (const chunk of chunks) size += mostBytesOf(chunk);
  return size > PIECE_BYTES;
};

/** The same bytes in pieces of at most `PIECE_BYTES`, each of one or more parts, none of them copied but for text. */
function* piecesOf(chunks: readonly Chunk[]): Generator<Chunk[], void> {
  let piece: Chunk[] = [];
  let room = PIECE_BYTES;
  for (const { chunk, encoding } of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    if (!(bytes instanceof Uint8Array)) throw new TypeError('a connection takes text and bytes only');
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + room);
      piece.push({ chunk: part, encoding });
      at += part.length;
      room -= part.length;
      if (room > 0) continue;
      yield piece;
      [piece, room] = [[], PIECE_BYTES];
    }
  }
  if (piece.length > 0) yield piece;
}

/**
 * Lets the loop turn between the pieces of a large answer. Node gives all of it to the system at once, which copies it in one
 * call, tens of milliseconds for ten megabytes, and as long as its reader keeps up goes on with the next: meanwhile no delivery
 * is heard. What waits on the connection is counted as before, the whole answer until its last byte is taken.
 */
export const writesInPieces = (socket: Pick<Socket, '_write' | '_writev'>): void => {
  const writeOne = socket._write.bind(socket);
  const writeAll = socket._writev?.bind(socket);
  if (writeAll === undefined) return;

  const write = (chunks: readonly Chunk[], written: Written): void => {
    const pieces = piecesOf(chunks);
    const next = (): void => {
      const piece = pieces.next();
      if (piece.done === true) {
        written();
        return;
      }
      writeAll(piece.value, (error) => {
        if (error instanceof Error) written(error);
        else setImmediate(next);
      });
    };
    next();
  };
  socket._write = (chunk: unknown, encoding, written) => {
    const chunks = [{ chunk, encoding }];
    if (isMoreThanAPiece(chunks)) write(chunks, written);
    else writeOne(chunk, encoding, written);
  };
  socket._writev = (chunks, written) => (isMoreThanAPiece(chunks) ? write : writeAll)(chunks, written);
};
