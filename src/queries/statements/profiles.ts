import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { ownStream, type Position } from '../../domain/ids.ts';
import { ownEvent, readOwnEvent } from '../../domain/own-event/own-event.ts';
import type { Author } from '../../domain/own-event/own-metadata.ts';
import { STATEMENT_PROFILE_SET, type StatementProfileSetData } from '../../domain/own-event/profile-events.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { ProfileName, StatementProfile } from '../../domain/statement-profile.ts';
import type { AppendError } from '../../event-store/event-store.ts';
import { appendOwn } from '../../ledger/append-own.ts';
import { decidedInTurn } from '../decided-in-turn.ts';
import { illFormed, type QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

type Deps = Pick<QueryDependencies, 'store'>;

/** A profile under its name, and where it stands in the log. */
export type KeptProfile = {
  readonly name: ProfileName;
  readonly profile: StatementProfile;
  readonly position: Position;
};

const setIn = (recorded: RecordedEvent): StatementProfileSetData | null => {
  const read = readOwnEvent(recorded);
  return E.isRight(read) && read.right._tag === 'StatementProfileSet' ? read.right.data : null;
};

/** The newest profile that can be read: mostly that is the last event, and the others of the stream are not asked for. */
const newestSet = ({ store }: Deps, name: ProfileName): TE.TaskEither<QueryFailure, StatementProfileSetData | null> => {
  const stream = ownStream('profile', name);
  return pipe(
    store.lastOfStream(stream),
    TE.chain((last) => {
      const set = last === null ? null : setIn(last);
      if (last === null || set !== null) return TE.right(set);
      return pipe(
        store.readStream(stream),
        TE.map((events) => events.flatMap((event) => setIn(event) ?? []).at(-1) ?? null),
      );
    }),
  );
};

/** The profile that a name stands for; an invalid parameter where it stands for none. */
export const profileNamed = (deps: Deps, name: ProfileName): TE.TaskEither<QueryFailure, StatementProfile> =>
  pipe(
    newestSet(deps, name),
    TE.chain((set) =>
      set === null ? TE.left(illFormed('profile', 'the name of a profile that was set')) : TE.right(set.profile),
    ),
  );

/** Keeps a profile under a name from now on. One that is the same already is left as it is. */
export const setProfile = (
  deps: Deps,
  name: ProfileName,
  profile: StatementProfile,
  author: Author,
): TE.TaskEither<QueryFailure, KeptProfile> =>
  decidedInTurn(
    deps.store,
    ownStream('profile', name),
    pipe(
      deps.store.lastOfStream(ownStream('profile', name)),
      TE.chain((last): TE.TaskEither<QueryFailure | AppendError, KeptProfile> => {
        const now = last === null ? null : setIn(last);
        if (last !== null && now !== null && JSON.stringify(now.profile) === JSON.stringify(profile))
          return TE.right({ name, profile, position: last.position });
        const event = ownEvent(
          STATEMENT_PROFILE_SET,
          { name, profile, before: last === null ? 0 : last.revision + 1 },
          author,
        );
        return pipe(
          appendOwn(deps.store, last?.revision ?? 'none', [event]),
          TE.map(({ position }) => ({ name, profile, position })),
        );
      }),
    ),
  );
