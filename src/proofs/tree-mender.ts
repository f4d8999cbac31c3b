import * as E from 'fp-ts/lib/Either.js';
import { epochMsOf, type Instant } from '../domain/instant.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { MendedFiles } from './files/mended-files.ts';
import type { TreeFiles } from './files/tree-files.ts';
import { TreeWriter } from './files/tree-writer.ts';
import { leafText } from './log-leaf.ts';

export type MenderDeps = {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly files: TreeFiles;
  readonly now: () => Instant;
  /** Awaited between two pieces of the log that is read. */
  readonly giveWay: () => Promise<void>;
  /** The tree, where it is level with the log; null where there is none now. */
  readonly level: () => TreeWriter | null;
  /** Told that the log was read, and how many pieces of the files were not as its events make them; may throw. */
  readonly onRead: (mended: number, isWhole: boolean) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
};

/** Events that are hashed at a time. */
const AT_ONCE = 512;

/** The log is read for it for a twentieth of the time at the most, and not more often than this, whoever asks for what. */
const REST = 20;
const REST_AT_LEAST_MS = 60_000;

/**
 * Makes the tree once more from all events of the log where somebody found that its files do not lead to what was signed: a
 * start, and each signature, look at no more of it than the root takes. What is damaged is written over in its place, so that
 * proofs are answered out of the rest meanwhile. Asked again, it waits: nobody can have the log read all the time.
 */
export class TreeMender {
  readonly #deps: MenderDeps;
  #reading: Promise<void> | null = null;
  #waiting: NodeJS.Timeout | null = null;
  /** Since when nothing was read, and how long that is to be. */
  #rest: { readonly sinceMs: number; readonly ms: number } | null = null;
  #isClosed = false;

  constructor(deps: MenderDeps) {
    this.#deps = deps;
  }

  /** Somebody found that the files do not lead to what was signed. */
  suspect(): void {
    if (this.#isClosed || this.#reading !== null || this.#waiting !== null) return;
    const wait = this.#restMs();
    if (wait <= 0) {
      this.#begin();
      return;
    }
    this.#waiting = setTimeout(() => {
      this.#waiting = null;
      this.#begin();
    }, wait).unref();
  }

  /** Ends what is under way, between two events. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#waiting !== null) clearTimeout(this.#waiting);
    await this.#reading;
  }

  /** A clock that was put back keeps nothing from being mended for longer than the rest. */
  #restMs(): number {
    if (this.#rest === null) return 0;
    const { sinceMs, ms } = this.#rest;
    return Math.min(ms, sinceMs + ms - epochMsOf(this.#deps.now()));
  }

  #begin(): void {
    const beganMs = epochMsOf(this.#deps.now());
    this.#reading = this.#read()
      .catch((error: unknown) => this.#deps.onFailure(error))
      .finally(() => {
        this.#reading = null;
        const sinceMs = epochMsOf(this.#deps.now());
        this.#rest = { sinceMs, ms: Math.max(REST_AT_LEAST_MS, REST * (sinceMs - beganMs)) };
      });
  }

  async #read(): Promise<void> {
    const { store, files, giveWay, level, onRead } = this.#deps;
    const tree = level();
    if (tree === null) return;
    tree.flush();
    const { size } = tree;
    const mended = new MendedFiles(files);
    const anew = new TreeWriter(mended, 0);
    for await (const event of store.readAll(null)) {
      // Nothing is written into the files of a tree that was begun anew or opened again meanwhile.
      if (this.#isClosed || level() !== tree) return;
      if (E.isLeft(event)) return;
      if (anew.size === size) break;
      anew.append(leafText(event.right), event.right.position);
      if (anew.size % AT_ONCE === 0) await giveWay();
    }
    if (this.#isClosed || level() !== tree) return;
    anew.flush();
    files.sync();
    await onRead(mended.mended, anew.size === size);
  }
}
