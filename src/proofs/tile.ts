import { HASH_BYTES, perfectRoot, type ReadNode } from './merkle-tree.ts';

/** How many levels of the tree a level of tiles spans, and with it how many hashes a full tile has (C2SP tlog-tiles). */
const TILE_HEIGHT = 8;
export const TILE_WIDTH = 2 ** TILE_HEIGHT;

/** How many hashes tiles of a level have in all, for a tree of this size. */
export const hashesOfLevel = (size: number, level: number): number => Math.floor(size / TILE_WIDTH ** level);

/** Which hashes of its level a tile has: `width` of them, from `index` * 256 on. */
export type Tile = { readonly index: number; readonly width: number };

/** Whether a tree of this size has a tile. */
export const hasTile = (size: number, level: number, { index, width }: Tile): boolean =>
  index * TILE_WIDTH + width <= hashesOfLevel(size, level);

/**
 * Reads the path of a tile below its level, `x001/x234/067` or, for a partial one, `x001/x234/067.p/8`; null for anything
 * else.
 */
export const parseTilePath = (path: string): Tile | null => {
  const match = /^((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path);
  if (match === null) return null;
  const [, groups = '', width] = match;
  if (groups.startsWith('x000')) return null;
  const index = Number(groups.replaceAll(/[x/]/g, ''));
  const hashes = width === undefined ? TILE_WIDTH : Number(width);
  // A full tile has no path of a partial one.
  const isPartial = width !== undefined;
  if (!Number.isSafeInteger(index * TILE_WIDTH) || (isPartial && hashes >= TILE_WIDTH)) return null;
  return { index, width: hashes };
};

/** Reads hashes that tiles of a level hold: so many from an index on, as one run of bytes. */
export type ReadHashes = (level: number, index: number, count: number) => Buffer;

/** Reads nodes of a tree out of its tiles: what stands between two levels of tiles is computed. */
export const nodesInTiles =
  (read: ReadHashes): ReadNode =>
  (level, index) => {
    const above = level % TILE_HEIGHT;
    const count = 2 ** above;
    const hashes = read((level - above) / TILE_HEIGHT, index * count, count);
    if (hashes.length !== count * HASH_BYTES) throw new RangeError('the tree has no such node');
    return perfectRoot(hashes);
  };
