import type { IncomingMessage } from 'node:http';

/** What is looked at of a request that nobody has heard. */
type Unheard = Pick<IncomingMessage, 'url' | 'rawHeaders'>;

/** What is made of a request and its answer-to-be, without headers, and of each line of these beside its characters. */
const BYTES_OF_REQUEST = 3_072;
const BYTES_OF_LINE = 128;

/**
 * The memory that a request takes while nobody has heard it, in bytes, without its body: measured, and rounded up. A line of
 * headers takes twenty times as much as its shortest text has characters.
 */
export const memoryOfRequest = ({ url = '', rawHeaders }: Unheard): number => {
  let bytes = BYTES_OF_REQUEST + url.length + (rawHeaders.length / 2) * BYTES_OF_LINE;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
};
