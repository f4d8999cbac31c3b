import type { Duplex } from 'node:stream';

/** A function that Node's parser calls, itself as `this`. */
export type ParserCallback = (this: unknown, ...given: unknown[]) => unknown;

export const isParserCallback = (value: unknown): value is ParserCallback => typeof value === 'function';

/**
 * Node's parser of a connection; null where there is none. It is not documented, so that whoever uses it leaves all as it
 * is where it looks different.
 */
export const parserOf = (socket: Duplex): object | null => {
  const parser: unknown = Reflect.get(socket, 'parser');
  return typeof parser === 'object' ? parser : null;
};
