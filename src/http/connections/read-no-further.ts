import type { Duplex } from 'node:stream';
import { isParserCallback, parserOf, type ParserCallback } from './parser-of.ts';

/** What Node's parser takes for "another protocol begins here", and stops at. */
const ENOUGH = 2;

/**
 * Lets Node's parser stop at the next request where a connection was destroyed. By itself it reads all that came in one
 * packet, makes each request of it, and at the connection's end an error with a stack for each: a packet of two thousand
 * requests took thirty times as long as the thirty-four at which the connection is cut off.
 *
 * Where Node has no such parser there, it reads on as ever.
 */
export const readNoFurther = (socket: Duplex): void => {
  const parser = parserOf(socket);
  if (parser === null) return;
  const inner: unknown = Reflect.get(parser, 'onIncoming');
  if (!isParserCallback(inner)) return;
  const incoming: ParserCallback = function incoming(...given) {
    return socket.destroyed ? ENOUGH : Reflect.apply(inner, this, given);
  };
  Reflect.set(parser, 'onIncoming', incoming);
};
