import type * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EventId } from '../../domain/ids.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import { checkpointIn } from '../../proofs/checkpoint.ts';
import { eventLeafHash, leafText } from '../../proofs/log-leaf.ts';
import { illFormed, notFound, type QueryFailure } from '../failure/query-failure.ts';
import { recordedEvent } from '../orders/one-event.ts';
import type { Query } from '../parameters/parameters.ts';
import { whenIncluded } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import type { INCLUSION_PARAMETERS } from './proof-parameters.ts';
import type { InclusionResource } from './proof-resources.ts';
import { signedSize, signedWith } from './signed-log.ts';

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'proofs'>;

const NO_SUCH_EVENT = notFound('event');

/** What one term of the trail's index may find at the most: others with the same short digest among them. */
const MOST_FOUND = 50;

const indexed = (
  { store, readModels }: Deps,
  eventId: EventId,
): TE.TaskEither<QueryFailure, RecordedEvent | undefined> =>
  pipe(
    readModels.auditPositions({ term: eventId, type: null, from: null, to: null, after: null, limit: MOST_FOUND }),
    TE.chainW(({ data }) => store.readAt(data)),
    TE.map((events) => events.find(({ id }) => id === eventId)),
  );

/** An event by its id. One that the read models don't know may just have come: they are asked again when they are level. */
const eventById = (deps: Deps, eventId: EventId): TE.TaskEither<QueryFailure, RecordedEvent> =>
  pipe(
    indexed(deps, eventId),
    TE.chain((event) =>
      event !== undefined
        ? TE.right(event)
        : pipe(
            deps.store.head(),
            TE.chainW((head) => whenIncluded(deps, head)),
            TE.chain(() => indexed(deps, eventId)),
          ),
    ),
    TE.filterOrElseW(
      (event) => event !== undefined,
      () => NO_SUCH_EVENT,
    ),
  );

const eventNamed = (
  deps: Deps,
  { eventId, orderId, revision }: Query<typeof INCLUSION_PARAMETERS>,
): TE.TaskEither<QueryFailure, RecordedEvent> => {
  if (eventId !== null) {
    return orderId === null && revision === null
      ? eventById(deps, eventId)
      : TE.left(illFormed('eventId', 'no order and no revision beside it'));
  }
  if (orderId === null) return TE.left(illFormed('eventId', 'the id of an event, or orderId and revision'));
  if (revision === null) return TE.left(illFormed('revision', 'a revision beside the order'));
  return recordedEvent(deps.store, orderId, revision);
};

/** That an event is in the log, as of the newest checkpoint or of an earlier size (docs/spec/http.md, Proofs). */
export const inclusion = (
  deps: Deps,
  query: Query<typeof INCLUSION_PARAMETERS>,
): TE.TaskEither<QueryFailure, t.TypeOf<typeof InclusionResource>> =>
  pipe(
    TE.Do,
    TE.bind('event', () => eventNamed(deps, query)),
    TE.bind('signed', ({ event }) => signedWith(deps, event.position)),
    TE.bind('treeSize', ({ signed }): TE.TaskEither<QueryFailure, number> =>
      query.size === null ? TE.right(signed.size) : signedSize('size', query.size, signed),
    ),
    TE.bind('leafIndex', ({ event, treeSize }): TE.TaskEither<QueryFailure, number> =>
      pipe(
        deps.proofs.indexOf(event.position, treeSize),
        TE.chainW((index) => (index === null ? TE.left(NO_SUCH_EVENT) : TE.right(index))),
      ),
    ),
    TE.bindW('included', ({ event, leafIndex, treeSize }) =>
      deps.proofs.inclusion(eventLeafHash(event), leafIndex, treeSize),
    ),
    TE.bindW('checkpoint', ({ treeSize }) => deps.proofs.noteOf(treeSize)),
    // Between the two the log may have got another name, and with it another tree.
    TE.filterOrElseW(
      ({ included, checkpoint }) => checkpointIn(checkpoint)?.root.equals(included.root) === true,
      () => ({ _tag: 'ProofsBehind' as const, detail: null }),
    ),
    TE.map(({ event, leafIndex, treeSize, included: { root, hashes }, checkpoint }) => ({
      leaf: leafText(event),
      leafIndex,
      treeSize,
      rootHash: root.toString('base64'),
      hashes: hashes.map((hash) => hash.toString('base64')),
      checkpoint,
    })),
  );
