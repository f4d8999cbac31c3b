import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnusableFile } from '../../files/unusable-file.ts';
import { readOwnFile } from '../../files/own-file.ts';
import * as t from 'io-ts';
import { parseNatively } from '../../domain/parse-json.ts';
import { InstantText, type Instant } from '../../domain/instant.ts';
import { sha256 } from '../../domain/sha256.ts';
import { checkpointIn, type Checkpoint } from '../checkpoint.ts';
import { durably } from './durably.ts';

/** A checkpoint that was signed, with its note, and when. */
export type KeptCheckpoint = Checkpoint & { readonly note: string; readonly signedAt: Instant };

const Line = t.type({ note: t.string, signedAt: InstantText });

/** When there are more than these, they are thinned out: some megabytes. */
const MANY = 5_000;
const AN_HOUR = '2026-01-31T12'.length;

/** The checkpoint that a line of a file was; null for anything else. */
export const keptIn = (line: string): KeptCheckpoint | null => {
  const read = parseNatively(line);
  if (!Line.is(read)) return null;
  const checkpoint = checkpointIn(read.note);
  return checkpoint === null ? null : { ...checkpoint, ...read };
};

const lineOf = ({ note, signedAt }: KeptCheckpoint): string => `${JSON.stringify({ note, signedAt })}\n`;

/** The last checkpoint of each hour, and the very last. */
const thinnedOut = (kept: readonly KeptCheckpoint[]): readonly KeptCheckpoint[] =>
  kept.filter(({ signedAt }, i) => signedAt.slice(0, AN_HOUR) !== kept[i + 1]?.signedAt.slice(0, AN_HOUR));

/** The file of the checkpoints that a log of this name has signed: another name is another log, and has its own. */
export const checkpointsFile = (dataDir: string, origin: string): string =>
  join(dataDir, `checkpoints-${sha256(origin).slice(0, 16)}`);

const OF_CHECKPOINTS = /^checkpoints-[0-9a-f]{16}$/;

/** Whether a file of a data directory, by its name, is one of checkpoints. */
export const isCheckpointsFile = (name: string): boolean => OF_CHECKPOINTS.test(name);

/**
 * The checkpoints that a log has signed, oldest first. A last line that is cut off was never shown to anybody: a checkpoint
 * is told only after it is durable here. Throws where the file can't be read, or has been damaged: without a checkpoint that
 * was signed, the log would be held to fewer than others have.
 */
export const readCheckpoints = (dataDir: string, origin: string): readonly KeptCheckpoint[] => {
  const file = checkpointsFile(dataDir, origin);
  if (!existsSync(file)) return [];
  // A checkpoint is written again with each cosignature that comes.
  const bySize = new Map<number, KeptCheckpoint>();
  const lines = readOwnFile(file).split('\n');
  for (const [i, line] of lines.entries()) {
    const kept = keptIn(line);
    if (kept !== null) bySize.set(kept.size, kept);
    else if (i < lines.length - 1) {
      throw new UnusableFile(
        `line ${i + 1} of ${file} is no checkpoint`,
        `put that file back from a backup; where there is none, take the line out, and hold the log to a checkpoint that somebody outside has kept (ramp-ledger verify --checkpoint FILE)`,
      );
    }
  }
  return [...bySize.values()].toSorted((a, b) => a.size - b.size);
};

/** Keeps what a log signs, for ever: one checkpoint of each hour, and the last ones. Throws where the disk fails. */
export class KeptCheckpoints {
  readonly #dataDir: string;
  readonly #file: string;
  readonly #many: number;
  /** When there are more than these, they are thinned out again. */
  #most: number;
  #kept: readonly KeptCheckpoint[];
  /** Whether a line may have been cut off. */
  #isCutOff = false;

  constructor(dataDir: string, origin: string, many = MANY) {
    this.#many = many;
    this.#most = many;
    this.#dataDir = dataDir;
    this.#file = checkpointsFile(dataDir, origin);
    this.#kept = readCheckpoints(dataDir, origin);
    this.#rewrite(this.#kept);
  }

  get newest(): KeptCheckpoint | null {
    return this.#kept.at(-1) ?? null;
  }

  get all(): readonly KeptCheckpoint[] {
    return this.#kept;
  }

  /** Durable when this returns; not kept where it throws. One of a size that is there already takes its place. */
  add(checkpoint: KeptCheckpoint): void {
    const kept = this.#with(checkpoint);
    if (this.#isCutOff || kept.length > this.#most) {
      this.#rewrite(kept);
      return;
    }
    this.#isCutOff = true;
    durably(this.#file, 'a', (handle) => writeFileSync(handle, lineOf(checkpoint)));
    this.#isCutOff = false;
    this.#kept = kept;
  }

  #with(checkpoint: KeptCheckpoint): readonly KeptCheckpoint[] {
    if (checkpoint.size > (this.newest?.size ?? -1)) return [...this.#kept, checkpoint];
    const others = this.#kept.filter(({ size }) => size !== checkpoint.size);
    return [...others, checkpoint].toSorted((a, b) => a.size - b.size);
  }

  /** Also takes away a line that was cut off, which the next one would else go behind. */
  #rewrite(all: readonly KeptCheckpoint[]): void {
    const kept = all.length > this.#many / 2 ? thinnedOut(all) : all;
    const draft = `${this.#file}.draft`;
    durably(draft, 'w', (handle) => writeFileSync(handle, kept.map(lineOf).join('')));
    renameSync(draft, this.#file);
    // The name is durable with its folder.
    durably(this.#dataDir, 'r', () => undefined);
    this.#kept = kept;
    this.#isCutOff = false;
    this.#most = Math.max(this.#many, 2 * kept.length);
  }
}
