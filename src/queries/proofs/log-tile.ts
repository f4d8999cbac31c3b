import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EventHeader } from '../../domain/recorded-event.ts';
import { eventLeafHash, leafText } from '../../proofs/log-leaf.ts';
import { hasTile, TILE_WIDTH, type Tile } from '../../proofs/tile.ts';
import { notFound, type QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

type Deps = Pick<QueryDependencies, 'store' | 'proofs'>;

const NO_SUCH_TILE = notFound('tile');

const LENGTH_BYTES = 2;

/** An entry of a bundle: its length in two bytes, and the leaf (C2SP tlog-tiles). */
const entryOf = (event: EventHeader): Buffer => {
  const leaf = Buffer.from(leafText(event));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(leaf.length);
  return Buffer.concat([length, leaf]);
};

/** A tile as it is served. A full one never changes. */
export type ServedTile = { readonly bytes: Buffer; readonly isFull: boolean };

/** A tile of the tree as far as it is signed; `entries` are the leaves under a tile of level 0. */
export const logTile = (
  { store, proofs }: Deps,
  level: number | 'entries',
  tile: Tile,
): TE.TaskEither<QueryFailure, ServedTile> =>
  pipe(
    proofs.newest(),
    TE.chainW(({ size }): TE.TaskEither<QueryFailure, Buffer> => {
      const height = level === 'entries' ? 0 : level;
      if (!hasTile(size, height, tile)) return TE.left(NO_SUCH_TILE);
      return level === 'entries'
        ? pipe(
            proofs.positions(tile.index * TILE_WIDTH, tile.width),
            TE.chainW((positions) => store.headersAt(positions)),
            TE.chainFirstW((events) => proofs.bundle(tile, Buffer.concat(events.map(eventLeafHash)))),
            TE.map((events) => Buffer.concat(events.map(entryOf))),
          )
        : proofs.tile(level, tile);
    }),
    TE.map((bytes) => ({ bytes, isFull: tile.width === TILE_WIDTH })),
  );
