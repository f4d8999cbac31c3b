import type { IncomingMessage } from 'node:http';

/** What is made of each piece of a body beside its bytes: measured, and rounded up. */
const BYTES_OF_PIECE = 640;

/** The bytes that Node reads at once. */
const MOST_OF_READ = 65_536;

type Body = { bytes: number; tell: (bytes: number) => void };

const bodies = new WeakMap<IncomingMessage, Body>();

/** The bytes that a body is announced to have; one in chunks may have any number. */
const announced = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;

/** Whether more of a body may come than one read brings. */
export const isOfManyReads = (request: IncomingMessage): boolean => announced(request) > MOST_OF_READ;

/**
 * Counts the memory, in bytes, that a body takes which nobody reads yet, as it comes. What a request announces costs its
 * sender nothing, and takes nothing.
 *
 * @param tell told what all of it takes, with each piece that comes from now on; who was to be told before is not any more
 * @returns what it takes by now
 */
export const countBody = (request: IncomingMessage, tell: (bytes: number) => void): number => {
  const known = bodies.get(request);
  if (known !== undefined) {
    known.tell = tell;
    return known.bytes;
  }
  if (announced(request) === 0) return 0;
  const body: Body = { bytes: 0, tell };
  bodies.set(request, body);
  const push = request.push.bind(request);
  request.push = (piece: unknown, encoding) => {
    const isMoreWanted = push(piece, encoding);
    if (piece instanceof Uint8Array) {
      body.bytes += piece.length + BYTES_OF_PIECE;
      body.tell(body.bytes);
    }
    return isMoreWanted;
  };
  return 0;
};
