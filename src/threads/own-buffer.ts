/** The memory of some bytes, where it holds nothing else: small ones share theirs, which can't be given to another thread. */
export const ownBufferOf = ({ buffer, byteLength }: Uint8Array): readonly ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
