import type { Position } from '../../domain/ids.ts';
import type { TreeFiles, WrittenFiles } from './tree-files.ts';

/**
 * The files of a tree, for whoever makes the same tree once more: what is there already as it should be stays, and what is not
 * is written over, while others read and append. Nothing is taken away.
 */
export class MendedFiles implements WrittenFiles {
  readonly #files: TreeFiles;
  readonly readHashes: TreeFiles['readHashes'];
  /** How many pieces of the files were not as they should be. */
  mended = 0;

  constructor(files: TreeFiles) {
    this.#files = files;
    this.readHashes = files.readHashes;
  }

  truncate(): void {
    // What is behind is the tree's too.
  }

  positionOf(index: number): Position {
    return this.#files.positionOf(index);
  }

  write(level: number, count: number, hashes: Buffer): void {
    this.#mend(
      () => this.#files.hasHashes(level, count, hashes),
      () => this.#files.write(level, count, hashes),
    );
  }

  writePositions(count: number, positions: readonly Position[]): void {
    this.#mend(
      () => this.#files.hasPositions(count, positions),
      () => this.#files.writePositions(count, positions),
    );
  }

  #mend(isRight: () => boolean, write: () => void): void {
    if (isReadAs(isRight)) return;
    write();
    this.mended += 1;
  }
}

/** What is cut off, or what a disk gives back no more, may be written anew all the same; where not, that throws. */
const isReadAs = (isRight: () => boolean): boolean => {
  try {
    return isRight();
  } catch {
    return false;
  }
};
