import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Instant } from '../../domain/instant.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import { pathSides } from '../../proofs/check-proof.ts';
import { eventLeafHash } from '../../proofs/log-leaf.ts';
import type { ProofFailure } from '../../proofs/proof-log.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

/** One hash on the way from a leaf to the root: the side on which it stands, and its base64. */
export type PathStep = { readonly side: 'left' | 'right'; readonly hash: string };

/** Where an event stands in the log. */
export type LogPlace =
  | {
      readonly _tag: 'Signed';
      readonly leafIndex: number;
      /** Of the newest checkpoint, and when it was signed. */
      readonly size: number;
      readonly signedAt: Instant;
      readonly rootHash: string;
      /** From the leaf up. */
      readonly path: readonly PathStep[];
    }
  /** No checkpoint includes it yet. */
  | { readonly _tag: 'NotYet' }
  | { readonly _tag: 'HistoryLost' };

const absent = (failure: ProofFailure): LogPlace =>
  failure._tag === 'HistoryLost' ? { _tag: 'HistoryLost' } : { _tag: 'NotYet' };

/** Where an event stands in the log, as of the newest checkpoint of now; nothing is waited for. */
export const logPlace = (
  { proofs }: Pick<QueryDependencies, 'proofs'>,
  event: RecordedEvent,
): TE.TaskEither<never, LogPlace> =>
  pipe(
    proofs.newest(),
    TE.bindTo('signed'),
    TE.bindW('leafIndex', ({ signed }) => proofs.indexOf(event.position, signed.size)),
    TE.chainW(({ signed: { size, signedAt }, leafIndex }): TE.TaskEither<ProofFailure, LogPlace> => {
      if (leafIndex === null) return TE.right({ _tag: 'NotYet' });
      const sides = pathSides(leafIndex, size);
      return pipe(
        proofs.inclusion(eventLeafHash(event), leafIndex, size),
        TE.map(({ hashes, root }) => ({
          _tag: 'Signed',
          leafIndex,
          size,
          signedAt,
          rootHash: root.toString('base64'),
          path: hashes.map((hash, i) => ({ side: sides[i] ?? 'right', hash: hash.toString('base64') })),
        })),
      );
    }),
    TE.orElse((failure) => TE.right(absent(failure))),
  );
