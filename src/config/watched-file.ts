import { statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { errorCode } from './error-code.ts';
import { MOST_SECRET_FILE_BYTES } from './read-secret-file.ts';

type Stats = { readonly [Part in 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs']: bigint };

const told = ({ dev, ino, size, mtimeNs, ctimeNs }: Stats): string => [dev, ino, size, mtimeNs, ctimeNs].join(':');

/** Looks at files. None of it is done by the thread that asks: a file system that does not answer would stop it. */
export type FileLooks = {
  /** Tells one state of the file at a path from another. By path, since links to it may change on the way. */
  readonly fingerprint: (path: string) => Promise<string>;
  /** Resolves when the file at a path, where one is, could be read: whoever reads it now waits for nobody. */
  readonly reach: (path: string) => Promise<void>;
};

/** Looks at the files of the system. */
export const fileLooks: FileLooks = {
  fingerprint: (path) => stat(path, { bigint: true }).then(told, errorCode),
  reach: async (path) => {
    try {
      const found = await stat(path);
      // Who reads a pipe waits for its other end.
      if (found.isFile() && found.size <= MOST_SECRET_FILE_BYTES) await readFile(path);
    } catch {
      // What is wrong with it is said by who reads it.
    }
  },
};

/** As `fingerprint`, at once: for the start, which reads the files so, too. */
export const fingerprintNow = (path: string): string => {
  try {
    return told(statSync(path, { bigint: true }));
  } catch (error) {
    return errorCode(error);
  }
};

/** A file that is looked at again and again. */
export class WatchedFile {
  /** For operators: a path may be a secret, by mistake. */
  readonly variable: string;
  readonly path: string;
  /** What it was like when it was taken, and at the last look. */
  #taken: string;
  #last: string;
  #looks = 0;

  constructor(variable: string, path: string) {
    [this.variable, this.path] = [variable, path];
    this.#taken = this.#last = fingerprintNow(path);
  }

  /** Looks since it has been another one than was taken. */
  get looks(): number {
    return this.#looks;
  }

  /** Takes what a look found; the answer is whether it is as it was a look ago. */
  isAtRest(now: string): boolean {
    const rests = now === this.#last;
    this.#last = now;
    this.#looks = now === this.#taken ? 0 : this.#looks + 1;
    return rests;
  }

  /** Whether what is found is what the last look found. */
  isAsSeen(now: string): boolean {
    return now === this.#last;
  }

  /** What the last look found is what was read. */
  take(): void {
    this.#taken = this.#last;
    this.#looks = 0;
  }
}
