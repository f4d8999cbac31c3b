import type { IncomingMessage } from 'node:http';

/** What is looked at of a request that nobody has heard. */
export type Unheard = Pick<IncomingMessage, 'url' | 'rawHeaders' | 'headers'>;

/** What is made of a request and its answer-to-be, without headers, and of each line of these beside its characters. */
const BYTES_OF_REQUEST = 3_072;
const BYTES_OF_LINE = 128;

/** So much of a body lies ready at the most while nobody reads it and its connection is read no further. */
const MOST_OF_BODY = 65_536;

/**
 * The memory that a request takes while nobody has heard it, in bytes: measured, and rounded up. A line of headers takes
 * twenty times as much as its shortest text has characters.
 */
export const memoryOfRequest = ({ url = '', rawHeaders }: Unheard): number => {
  let bytes = BYTES_OF_REQUEST + url.length + (rawHeaders.length / 2) * BYTES_OF_LINE;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
};

/** The bytes that a body is announced to have; one in chunks may have any number. */
const announced = ({ headers }: Unheard): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;

/**
 * The memory that its body may take until then, in bytes: no more than what it is announced to have, and no more than one
 * read brings where the connection is read no further.
 */
export const memoryOfBody = (request: Unheard): number => Math.min(MOST_OF_BODY, announced(request));

/** Whether more of its body may come than `memoryOfBody` says. */
export const mayHaveMoreBody = (request: Unheard): boolean => announced(request) > MOST_OF_BODY;
