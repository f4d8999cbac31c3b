import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import { ownStream, type EventId, type Position, type Sha256 } from '../../domain/ids.ts';
import type { EventForStream } from '../../domain/new-event.ts';
import { QUARANTINE_CLOSED, QUARANTINE_REOPENED } from '../../domain/own-event/closure-events.ts';
import { ownEvent, readOwnEvent, type OwnEvent } from '../../domain/own-event/own-event.ts';
import type { Author } from '../../domain/own-event/own-metadata.ts';
import type { AppendError } from '../../event-store/event-store.ts';
import { appendOwn } from '../../ledger/append-own.ts';
import { quarantinedDelivery } from '../../ledger/quarantined-delivery.ts';
import { isReleaseCutOff } from '../../ledger/release-quarantined.ts';
import type { Quarantined } from '../../read-models/read-models.ts';
import { decidedInTurn } from '../decided-in-turn.ts';
import { illFormed, type QueryFailure } from '../failure/query-failure.ts';
import { LONGEST_NOTE } from '../note.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { text, uuid } from '../resources/values.ts';
import { quarantinedById } from './quarantined-by-id.ts';
import { ClosingResource } from './quarantine-resource.ts';
import { notReleased } from './release.ts';

/** What closing a delivery, or opening it again, is answered with. */
export const ClosedResource = t.strict(
  {
    eventId: uuid('The id of the `DeliveryQuarantined` event.'),
    closed: t.union([ClosingResource, t.null]),
    position: text('What includes this position includes what was done.'),
  },
  'QuarantineClosed',
);

type ClosedAnswer = t.TypeOf<typeof ClosedResource> & { readonly position: Position };

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'release'>;

/** Something that somebody did about a quarantined delivery. */
type Deed = Extract<OwnEvent, { readonly _tag: 'QuarantineClosed' | 'QuarantineReopened' }>;

/** What is to be appended after the last deed, and what it makes of the delivery; null: it is so already. */
type Step = { readonly event: EventForStream; readonly closed: ClosedAnswer['closed'] } | null;

/** What somebody says about a body; the note is as it was read. */
type Said = { readonly bodySha256: Sha256; readonly note: string; readonly author: Author };

type Decide = (said: Said, last: Deed | null) => E.Either<QueryFailure, Step>;

/** A note that says something, as people write it. */
const noteIn = (note: string): E.Either<QueryFailure, string> => {
  const trimmed = note.trim();
  return trimmed === '' || trimmed.length > LONGEST_NOTE
    ? E.left(illFormed('note', `a text that says why, of at most ${LONGEST_NOTE} characters`))
    : E.right(trimmed);
};

/** What people did last about a body; null: nothing. */
const lastDeed = ({ store }: Deps, body: Sha256): TE.TaskEither<QueryFailure, Deed | null> =>
  pipe(
    store.lastOfStream(ownStream('closure', body)),
    TE.chainEitherKW((last): E.Either<QueryFailure, Deed | null> => {
      if (last === null) return E.right(null);
      return pipe(
        readOwnEvent(last),
        E.map((read) => (read._tag === 'QuarantineClosed' || read._tag === 'QuarantineReopened' ? read : null)),
      );
    }),
  );

/**
 * That a body was not released, as its own stream and its order's say: the read models may not know yet. A release that was
 * cut off is finished: its order counts the delivery, and nobody is to say that nothing more is done about it.
 */
const stillThere = (
  { store, release }: Deps,
  { stream, bodySha256 }: Quarantined,
  author: Author,
): TE.TaskEither<QueryFailure, void> => {
  const released: QueryFailure = { _tag: 'QuarantinedReleased' };
  return pipe(
    store.readStream(stream),
    TE.chainEitherKW(quarantinedDelivery),
    TE.chainW((found): TE.TaskEither<QueryFailure, void> => {
      if (found === null) return TE.right(undefined);
      if (found.release !== null) return TE.left(released);
      return pipe(
        isReleaseCutOff(store, found),
        TE.chainW((isCutOff): TE.TaskEither<QueryFailure, void> =>
          isCutOff
            ? pipe(
                release({ bodySha256, releasedAt: author.at, requestId: author.requestId }),
                TE.mapLeft(notReleased),
                TE.chainW(() => TE.left(released)),
              )
            : TE.right(undefined),
        ),
      );
    }),
  );
};

const closedBy = (deed: Deed | null): ClosedAnswer['closed'] =>
  deed?._tag === 'QuarantineClosed'
    ? { at: deed.metadata.receivedAt, by: deed.metadata.by, note: deed.data.note }
    : null;

/** Does something about a delivery, at the revision of what was done before. */
const perform = (
  deps: Deps,
  quarantined: Quarantined,
  decide: (last: Deed | null) => E.Either<QueryFailure, Step>,
  author: Author,
): TE.TaskEither<QueryFailure, ClosedAnswer> => {
  const { eventId, bodySha256 } = quarantined;
  const deed = pipe(
    stillThere(deps, quarantined, author),
    TE.chain(() => lastDeed(deps, bodySha256)),
    TE.bindTo('last'),
    TE.bind('step', ({ last }) => TE.fromEither(decide(last))),
    TE.chain(({ last, step }): TE.TaskEither<QueryFailure | AppendError, ClosedAnswer> => {
      if (step === null) {
        const position = last?.recorded.position ?? quarantined.position;
        return TE.right({ eventId, closed: closedBy(last), position });
      }
      return pipe(
        appendOwn(deps.store, last?.recorded.revision ?? 'none', [step.event]),
        TE.map(({ position }) => ({ eventId, closed: step.closed, position })),
      );
    }),
  );
  return decidedInTurn(deps.store, ownStream('closure', bodySha256), deed);
};

/** What is done about a quarantined delivery with a note. */
type NotedDeed = (
  deps: Deps,
  eventId: EventId,
  note: string,
  author: Author,
) => TE.TaskEither<QueryFailure, ClosedAnswer>;

const notedDeed =
  (decide: Decide): NotedDeed =>
  (deps, eventId, note, author) =>
    pipe(
      TE.fromEither(noteIn(note)),
      TE.bindTo('noted'),
      TE.bind('quarantined', () => quarantinedById(deps, eventId)),
      TE.chain(({ noted, quarantined }) => {
        const said: Said = { bodySha256: quarantined.bodySha256, note: noted, author };
        return perform(deps, quarantined, (last) => decide(said, last), author);
      }),
    );

/** A repeat is told to whoever did it: another key could try guesses of a note that it may not read, and leave no trace. */
const isRepeat = ({ note, author }: Said, { data, metadata }: Deed): boolean =>
  metadata.by === author.by && data.note === note;

/**
 * Closes a quarantined delivery: nothing more is to be done about it (docs/spec/domain.md, Closing a quarantined delivery). The same
 * note again by the same key is answered as the first time.
 */
export const closeQuarantined = notedDeed((said, last) => {
  if (last?._tag === 'QuarantineClosed') {
    return isRepeat(said, last) ? E.right(null) : E.left({ _tag: 'QuarantinedClosed' });
  }
  const { bodySha256, note, author } = said;
  const event = ownEvent(QUARANTINE_CLOSED, { bodySha256, note, after: last?.recorded.id ?? null }, author);
  return E.right({ event, closed: { at: author.at, by: author.by, note } });
});

/** Opens a closed delivery again. */
export const reopenQuarantined = notedDeed((said, last) => {
  if (last?._tag !== 'QuarantineClosed') {
    return last !== null && isRepeat(said, last) ? E.right(null) : E.left({ _tag: 'QuarantinedNotClosed' });
  }
  const { bodySha256, note, author } = said;
  const event = ownEvent(QUARANTINE_REOPENED, { bodySha256, closed: last.recorded.id, note }, author);
  return E.right({ event, closed: null });
});
