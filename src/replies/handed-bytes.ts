/**
 * Bytes as they are handed to another thread, which takes their memory away here: a copy, but for those that were made for this
 * alone and fill their memory, as a large file does.
 */
export const handedBytes = (bytes: Uint8Array, areOwn?: true): Uint8Array<ArrayBuffer> =>
  areOwn === true && bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? new Uint8Array(bytes.buffer)
    : new Uint8Array(bytes);
