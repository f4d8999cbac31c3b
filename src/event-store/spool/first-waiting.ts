import * as E from 'fp-ts/lib/Either.js';
import type { SpooledDelivery, SpoolFailed } from '../spool.ts';
import type { AskedFile } from './asked-file.ts';
import type { CountedSpool } from './counted-spool.ts';
import type { SpoolCommits } from './spool-commits.ts';
import type { StoredDelivery } from './spool-file.ts';

/** Its turn is over in the queue that it waits in, whatever its row says now: else it would be appended again and again. */
const inQueue = (key: string, { seq, verified }: StoredDelivery): SpooledDelivery => {
  const { buffer, byteOffset, byteLength } = verified.body;
  return { seq, key, verified: { ...verified, body: Buffer.from(buffer, byteOffset, byteLength) } };
};

/** Reads the first that waits of a key and is counted, as it is when it was read; null where there is none. */
export const firstWaiting = async (
  key: string,
  file: AskedFile,
  counted: CountedSpool,
  { alone }: Pick<SpoolCommits, 'alone'>,
): Promise<E.Either<SpoolFailed, SpooledDelivery | null>> => {
  for (;;) {
    const seq = counted.firstOf(key);
    if (seq === null) return E.right(null);
    const isFirst = (): boolean => counted.firstOf(key) === seq;
    const read = await file.ask({ _tag: 'Read', seq }, 'Delivery');
    if (E.isLeft(read)) return read;
    if (!isFirst()) continue;
    const { delivery } = read.right;
    if (delivery !== null) return E.right(inQueue(key, delivery));
    // Somebody took out by hand what waited: whoever counts on it would wait for ever.
    if (counted.isLeftOut(key, seq)) continue;
    const again = await alone(() => (isFirst() ? counted.again() : Promise.resolve(E.right(undefined))));
    if (E.isLeft(again)) return again;
    if (isFirst()) return E.right(null);
  }
};
