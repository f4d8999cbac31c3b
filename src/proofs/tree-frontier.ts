import { EMPTY_ROOT, nodeHash, type Hash } from './merkle-tree.ts';

/**
 * A tree that leaves are appended to, and of which no more is kept than the roots of its perfect subtrees: one for each
 * bit of its size. That is enough for its root, and for what is appended.
 */
export class TreeFrontier {
  /** By level; null where the size has no such bit. */
  readonly #roots: (Hash | null)[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  append(leaf: Hash): void {
    let [node, level] = [leaf, 0];
    for (let left = this.#roots[0] ?? null; left !== null; left = this.#roots[level] ?? null) {
      node = nodeHash(left, node);
      this.#roots[level] = null;
      level += 1;
    }
    this.#roots[level] = node;
    this.#size += 1;
  }

  root(): Hash {
    let root: Hash | null = null;
    for (const left of this.#roots) {
      if (left !== null) root = root === null ? left : nodeHash(left, root);
    }
    return root ?? EMPTY_ROOT;
  }
}
