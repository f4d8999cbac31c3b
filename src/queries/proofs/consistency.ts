import type * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { illFormed, type QueryFailure } from '../failure/query-failure.ts';
import type { Query } from '../parameters/parameters.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import type { CONSISTENCY_PARAMETERS } from './proof-parameters.ts';
import type { ConsistencyResource } from './proof-resources.ts';
import { newestSigned, signedSize } from './signed-log.ts';

type Deps = Pick<QueryDependencies, 'store' | 'proofs'>;

/** That a tree of the log is the beginning of a larger one (docs/spec/http.md, Proofs). */
export const consistency = (
  deps: Deps,
  { from, to }: Query<typeof CONSISTENCY_PARAMETERS>,
): TE.TaskEither<QueryFailure, t.TypeOf<typeof ConsistencyResource>> => {
  if (from === null) return TE.left(illFormed('from', 'the size of a tree'));
  if (to === null) return TE.left(illFormed('to', 'the size of a tree'));
  if (from > to) return TE.left(illFormed('from', 'a size that is not above the other one'));
  return pipe(
    newestSigned(deps),
    TE.chainW((signed) => signedSize('to', to, signed)),
    TE.chainW(() => deps.proofs.consistency(from, to)),
    TE.map(({ hashes, fromRoot, toRoot }) => ({
      from,
      to,
      fromRoot: fromRoot.toString('base64'),
      toRoot: toRoot.toString('base64'),
      hashes: hashes.map((hash) => hash.toString('base64')),
    })),
  );
};
