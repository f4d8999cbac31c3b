import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Delivery } from '../domain/delivery.ts';
import { quarantineStream } from '../domain/ids.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import type { KnownQuarantine, QuarantinedBodies } from './quarantined-bodies.ts';
import { recordDelivery, type RecordDeps } from './record-delivery.ts';
import type { Recorded, RecordFailure } from './recorded.ts';

type Deps = Omit<RecordDeps, 'quarantined' | 'store'> & {
  readonly store: RecordDeps['store'] & Pick<EventStore, 'listStreams'>;
  readonly quarantine: KnownQuarantine;
};

/** Whether the body of a delivery is in quarantine, as its own stream says. */
const asked = (
  { store, quarantine }: Deps,
  { verified: { bodySha256 } }: Delivery,
): TE.TaskEither<StoreUnavailable, QuarantinedBodies> =>
  pipe(
    store.readStream(quarantineStream(bodySha256)),
    TE.map((events): QuarantinedBodies => ({
      has: (body) => body === bodySha256 && events.length > 0,
      add: (body) => quarantine.saw([quarantineStream(body)]),
    })),
  );

/**
 * `recordDelivery` with what is known of the quarantine. Reading all of it takes long where others have written much to the
 * same log: a delivery that comes meanwhile asks for the one stream that its own body would have.
 */
export const recordKnowingQuarantine = (
  deps: Deps,
): ((delivery: Delivery) => TE.TaskEither<RecordFailure, Recorded>) => {
  const { store, recent, quarantine } = deps;
  const recordKnowing = (quarantined: QuarantinedBodies) => recordDelivery({ store, recent, quarantined });
  return (delivery) => {
    const { bodies } = quarantine;
    if (bodies !== null) return recordKnowing(bodies)(delivery);
    return () => {
      // One reading for everybody who comes meanwhile; after a failure it begins anew.
      void quarantine.load(store)();
      return pipe(
        asked(deps, delivery),
        TE.chainW((known) => recordKnowing(known)(delivery)),
      )();
    };
  };
};
