import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { StoreUnavailable } from '../event-store.ts';
import type { Examination, ExaminationFailure } from '../examination.ts';
import { connect, type Connection } from './connection.ts';
import { eachNode } from './each-node.ts';
import type { EventStoreDbLocation } from './eventstoredb-location.ts';
import { LogReader } from './log-reader.ts';
import { asUnavailable, storeFailure } from './store-failure.ts';
import { StreamNames } from './stream-names.ts';

/** A read without a word for so long is given up. */
const QUIET_MS = 3_000;

/** The client asks it of each server that it connects to, and keeps it to itself. */
const versionOf = async (connection: Connection): Promise<E.Either<StoreUnavailable, string>> => {
  try {
    const client = connection.client();
    const features: unknown = await Promise.resolve(Reflect.get(client, 'capabilities', client));
    const isNamed = typeof features === 'object' && features !== null && 'serverVersion' in features;
    return E.right(isNamed && typeof features.serverVersion === 'string' ? features.serverVersion : 'unknown');
  } catch (error) {
    return E.left(asUnavailable(storeFailure(error)));
  }
};

const failed = ({ detail, reason }: StoreUnavailable): ExaminationFailure => ({
  _tag: reason === 'AccessDenied' ? reason : 'ServerAway',
  detail,
  cure: null,
});

/** Of several nodes the client says no more than that it found none that it may talk to: why, each of them says by itself. */
const nodesOf = async (url: string): Promise<string | null> => {
  const nodes = eachNode(url);
  if (nodes.length < 2 && !url.startsWith('esdb+discover:')) return null;
  const said = await Promise.all(
    nodes.map(async ({ host, url: alone }) => {
      const connection = connect(alone);
      if (E.isLeft(connection)) return `${host}: ${connection.left}`;
      const version = await versionOf(connection.right);
      await connection.right.close();
      return E.isLeft(version) ? `${host}: ${version.left.detail}` : null;
    }),
  );
  const troubles = said.filter((trouble) => trouble !== null);
  return troubles.length === 0 ? null : troubles.join('\n');
};

const withNodes =
  (url: string) =>
  (failure: StoreUnavailable): TE.TaskEither<StoreUnavailable, never> =>
  async () => {
    const nodes = await nodesOf(url);
    return E.left(nodes === null ? failure : { ...failure, detail: `${failure.detail}\n${nodes}` });
  };

/**
 * Opens a server for a look at it; it connects when it is first asked. All is read from the leader, and out of `$all`: an
 * answer says that there is a leader, and that the user may read what read models follow.
 */
export const examineServer = ({ url, streamPrefix }: EventStoreDbLocation): E.Either<ExaminationFailure, Examination> =>
  pipe(
    connect(url),
    E.mapLeft((detail): ExaminationFailure => ({ _tag: 'ServerAway', detail, cure: null })),
    E.map((connection) => {
      const reader = new LogReader(connection, new StreamNames(streamPrefix), QUIET_MS);
      return {
        about: pipe(
          () => versionOf(connection),
          TE.bimap(failed, (version) => `version ${version}, a node leads, and the user may read $all`),
        ),
        newest: (most) => pipe(() => reader.newest(most), TE.orElseW(withNodes(url)), TE.mapLeft(failed)),
        at: (position) =>
          pipe(
            () => reader.at(position),
            TE.bimap(failed, (events) => events[0] ?? null),
          ),
        close: connection.close,
      };
    }),
  );
