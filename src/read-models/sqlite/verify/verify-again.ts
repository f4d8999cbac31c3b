import * as E from 'fp-ts/lib/Either.js';
import { atMost } from '../../../concurrency/at-most.ts';
import { businessCalendar } from '../../../domain/business-day.ts';
import type { StreamName } from '../../../domain/ids.ts';
import type { EventStore, StoreUnavailable } from '../../../event-store/event-store.ts';
import { isAt } from '../../is-at.ts';
import type { ReadModelFailure } from '../../verification.ts';
import { servingGeneration } from '../serving-generation.ts';
import { BankVerification } from './verify-bank.ts';
import { OrderVerification } from './verify-orders.ts';

/** Streams that are read at a time: each is a question to a store that may be on another machine. */
const READS_AT_ONCE = 32;

type OfStream = readonly [StreamName, readonly ReadModelFailure[]];

/**
 * Looks once more at streams that differed from the read models: these are taken as of one moment, and the streams as far
 * as that moment, so that what was recorded between two reads is no difference.
 *
 * @param store the one that is written to, not a copy, which may end before that moment
 * @returns the differences of each stream; null where no read models can be opened by now
 */
export const verifyAgain = async (
  store: Pick<EventStore, 'readStream'>,
  readModelFile: string | null,
  streams: readonly StreamName[],
): Promise<E.Either<StoreUnavailable, ReadonlyMap<StreamName, readonly ReadModelFailure[]> | null>> => {
  const generation = servingGeneration(readModelFile, 'of-one-moment');
  if (typeof generation === 'string') return E.right(null);
  const { database, timeZone, checkpoint } = generation;
  const orders = new OrderVerification(database, businessCalendar(timeZone), checkpoint);
  const bank = new BankVerification(database, checkpoint);
  const again = async (stream: StreamName): Promise<E.Either<StoreUnavailable, OfStream>> => {
    const read = await store.readStream(stream)();
    if (E.isLeft(read)) return read;
    const events = read.right.filter(({ position }) => isAt(checkpoint, position));
    return E.right([stream, [...orders.of({ stream, events }), ...bank.of({ stream, events })]]);
  };
  try {
    const found = await atMost(READS_AT_ONCE, streams, again);
    return E.isLeft(found) ? found : E.right(new Map(found.right));
  } finally {
    generation.close();
  }
};
