import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../domain/sha256.ts';
import type { StatementId } from '../../domain/statement-line.ts';
import type { Session } from '../session.ts';
import type { UploadedFile } from './uploaded-form.ts';

type Handed = Pick<UploadedFile, 'path' | 'name'>;

/** Files that somebody looks at before they are imported; more than so many, or older ones, are dropped. */
const MOST_FILES = 24;
const MOST_MS = 3_600_000;
/** Clocks and timers may differ by so much. */
const LATER_MS = 1_000;

/** Of the digests of key and session that the name of a file begins with. */
const DIGITS = 16;

/** Files of this folder: those that were taken, and those that are being written. Whatever else is there is somebody else's. */
const OWN_NAME = /^(?:[0-9a-f]{32}-[0-9a-f]{64}|[0-9a-z]{25})$/;

/** A file that was handed in, and what its sender calls it. */
export type StagedFile = { readonly bytes: Buffer; readonly name: string };

/** Whose key a file came with; the same for all that are being written. */
const keyPart = (name: string): string => (name.includes('-') ? name.slice(0, DIGITS) : '');

/**
 * Files that were handed in by a form and not imported yet, in a folder of the data directory that only its owner reads. A
 * file is its session's alone: to another one it is not there. None of them outlasts an hour or a restart.
 */
export class StagedFiles {
  readonly #folder: string;
  readonly #nowMs: () => number;
  readonly #lost: () => string | null;
  /** By the path of the file. A name may be that of an account, and so stands in no URL; like its file it outlasts no restart. */
  readonly #names = new Map<string, string>();

  /** @param lost why the folder may be another ledger's by now, so that nothing is written to it; null: it is not */
  constructor(folder: string, nowMs: () => number, lost: () => string | null = () => null) {
    this.#folder = folder;
    this.#lost = lost;
    this.#nowMs = nowMs;
    for (const { path } of this.#files()) rmSync(path, { force: true });
  }

  /** Where bodies are written while they come. Throws where none may be. */
  folder(): string {
    const lost = this.#lost();
    if (lost !== null) throw new Error(lost);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    return this.#folder;
  }

  /** Takes a file that was written into the folder. */
  async take(session: Session, statementId: StatementId, { path, name }: Handed): Promise<void> {
    const taken = this.#pathOf(session, statementId);
    await rename(path, taken);
    const now = new Date(this.#nowMs());
    utimesSync(taken, now, now);
    this.#names.set(taken, name);
    this.#sweep();
    // It goes with its age even where no other file comes.
    setTimeout(() => this.#sweepUnasked(), MOST_MS + LATER_MS).unref();
  }

  /** Null where there is none of this session. */
  async read(session: Session, statementId: StatementId): Promise<StagedFile | null> {
    const path = this.#pathOf(session, statementId);
    const name = this.#names.get(path) ?? '';
    try {
      return { bytes: await readFile(path), name };
    } catch {
      return null;
    }
  }

  drop(session: Session, statementId: StatementId): Promise<void> {
    const path = this.#pathOf(session, statementId);
    this.#names.delete(path);
    return rm(path, { force: true });
  }

  #pathOf({ key, nonce }: Session, statementId: StatementId): string {
    const owner = [key.id, nonce].map((part) => sha256(part).slice(0, DIGITS)).join('');
    return join(this.#folder, `${owner}-${statementId}`);
  }

  /**
   * The newest of each key stay, so that one key drops no file of another's before its own. What a cut-off request left half
   * written goes with its age too.
   */
  #sweep(): void {
    const oldest = this.#nowMs() - MOST_MS;
    const newer = new Map<string, number>();
    const inTurn = this.#files()
      .toSorted((a, b) => b.at - a.at)
      .map((file) => {
        const turn = newer.get(file.key) ?? 0;
        newer.set(file.key, turn + 1);
        return { ...file, turn };
      })
      .toSorted((a, b) => a.turn - b.turn);
    for (const [place, { path, at }] of inTurn.entries())
      if (place >= MOST_FILES || at < oldest) {
        this.#names.delete(path);
        rmSync(path, { force: true });
      }
  }

  #sweepUnasked(): void {
    try {
      if (this.#lost() === null) this.#sweep();
    } catch {
      // Nobody waits for it: the next file, or the next start, tries again.
    }
  }

  #files(): readonly { readonly path: string; readonly key: string; readonly at: number }[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .filter((name) => OWN_NAME.test(name))
      .flatMap((name) => {
        const path = join(this.#folder, name);
        // One that is gone by now was taken, or dropped, by another request.
        const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
        return at === undefined ? [] : [{ path, key: keyPart(name), at }];
      });
  }
}
