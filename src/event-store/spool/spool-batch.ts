import type { VerifiedDelivery } from '../../domain/delivery.ts';
import type { Incoming, Settled } from './spool-file.ts';

type Packed = Omit<Incoming, 'verified'> & {
  readonly verified: Omit<VerifiedDelivery, 'body'>;
  readonly bodyBytes: number;
};

/** What is written together, on its way to the thread that has the file. */
export type SpoolBatch = {
  readonly incoming: readonly Packed[];
  readonly settled: readonly Settled[];
  /** The bodies, one behind the other. */
  readonly bodies: Uint8Array<ArrayBuffer>;
};

/**
 * Packs what is to be written. Bodies are copied: what a request was read into may be part of memory that others use, and
 * its delivery may be on the way to the store as well.
 */
export const packBatch = (incoming: readonly Incoming[], settled: readonly Settled[]): SpoolBatch => {
  const bodies = new Uint8Array(incoming.reduce((bytes, { verified }) => bytes + verified.body.length, 0));
  let at = 0;
  const packed = incoming.map(({ seq, key, note, verified: { body, ...verified } }) => {
    bodies.set(body, at);
    at += body.length;
    return { seq, key, note, verified, bodyBytes: body.length };
  });
  return { incoming: packed, settled, bodies };
};

/** The deliveries of a batch; their bodies are parts of its memory. */
export const unpackIncoming = ({ incoming, bodies }: SpoolBatch): readonly Incoming[] => {
  let at = 0;
  return incoming.map(({ bodyBytes, verified, ...rest }) => {
    const body = Buffer.from(bodies.buffer, bodies.byteOffset + at, bodyBytes);
    at += bodyBytes;
    return { ...rest, verified: { ...verified, body } };
  });
};
