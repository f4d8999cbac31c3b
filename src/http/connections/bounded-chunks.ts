import type { IncomingMessage } from 'node:http';
import { isParserCallback, parserOf, type ParserCallback } from './parser-of.ts';
import { paced, type PacedBody } from './paced-bodies.ts';
import { isBodyProved } from './proved-bodies.ts';
import { BYTES_OF_LINE, SmallChunks } from './small-chunks.ts';

/** What came of a body so far. */
type Came = PacedBody & { chunks: number; bytes: number; isRefused: boolean };

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Under which name a parser has the function that it gives each chunk to; null where it has none. */
const placeOf = (parser: object): number | null => {
  const place: unknown = Reflect.get(parser.constructor, 'kOnBody');
  return typeof place === 'number' ? place : null;
};

/**
 * Bounds the chunks that bodies come in, whoever reads them, or nobody. Of a body in too many small ones nothing is handed
 * on any more, not even its end, so that nobody takes it for whole. Only bodies in chunks are looked at: the network of an
 * honest sender may cut any other one into small pieces, but each of those is sent and read by itself.
 * Somebody who has shown a valid key may send a file line by line: such a body waits for its turn and is not refused.
 *
 * Where Node's parser is another one, all chunks are handed on as ever.
 *
 * @param refuse called once for such a body, when the read that it came with is over
 * @returns to be told of each request before anything of its body comes
 */
export const boundedChunks = (refuse: (request: IncomingMessage) => void): ((request: IncomingMessage) => void) => {
  const small = new SmallChunks();
  const pace = paced(new SmallChunks());
  const bodies = new WeakMap<object, Came>();
  /** Node's own, the same for all parsers. */
  let handOn: ParserCallback | null = null;
  /** Parsers that give no chunk to anybody in this turn of the loop. */
  let silent = 0;

  const cameBy = (parser: object): Came | undefined => {
    const incoming: unknown = Reflect.get(parser, 'incoming');
    return isObject(incoming) ? bodies.get(incoming) : undefined;
  };
  const put = (parser: object): void => {
    const place = placeOf(parser);
    const now: unknown = place === null ? null : Reflect.get(parser, place);
    if (isParserCallback(now) && now !== take) handOn ??= now;
    if (place !== null && handOn !== null) Reflect.set(parser, place, take);
  };
  const end = (came: Came, parser: object): void => {
    came.isRefused = true;
    came.request.push = () => false;
    const place = placeOf(parser);
    if (place === null) return;
    // One read may hold ten thousand more: with nothing to call, the parser makes no chunks of them.
    Reflect.set(parser, place, null);
    silent += 1;
    // The read is over then: nobody may let go of the parser before.
    setImmediate(() => {
      silent -= 1;
      put(parser);
      refuse(came.request);
    });
  };
  const take: ParserCallback = function take(...given) {
    const came = isObject(this) ? cameBy(this) : undefined;
    if (isObject(this) && came !== undefined) {
      if (came.isRefused) return undefined;
      const [chunk] = given;
      came.chunks += 1;
      const bytes = chunk instanceof Uint8Array ? chunk.length : 0;
      came.bytes += bytes;
      if (bytes >= BYTES_OF_LINE && isBodyProved(came.request)) {
        pace(came);
      } else if (!small.mayHave(came.chunks, came.bytes)) {
        end(came, this);
        return undefined;
      }
    }
    return handOn === null ? undefined : Reflect.apply(handOn, this, given);
  };

  return (request) => {
    const isInChunks = request.headers['transfer-encoding'] !== undefined;
    if (!isInChunks && silent === 0) return;
    const parser = parserOf(request.socket);
    if (parser === null) return;
    // Node gives a parser to the next connection as it was left.
    put(parser);
    if (isInChunks) bodies.set(request, { request, chunks: 0, bytes: 0, isRefused: false, isHeld: false });
  };
};
