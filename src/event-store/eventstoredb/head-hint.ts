import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { PositionText } from '../../domain/position.ts';
import type { EventStoreDbLocation } from './eventstoredb-location.ts';
import { readOwnFile } from '../../files/own-file.ts';
import { lockLost, type HeldFile } from '../kept-place.ts';

/** An event by its position and its id: no two logs have the same at one place. */
const Mark = t.type({ position: PositionText, id: t.string });

export type Mark = t.TypeOf<typeof Mark>;

const HintCodec = t.type({
  streamPrefix: t.string,
  /** The last event of the ledger; null where there was none. */
  last: t.union([Mark, t.null]),
  /** An event of anybody's, up to which all were looked at. */
  passed: Mark,
});

/** Where a ledger's own events ended, so that a start need not pass all that others wrote. To be checked before it is used. */
export type HeadHint = Omit<t.TypeOf<typeof HintCodec>, 'streamPrefix'>;

/** Keeps the hint in the data directory. It may be lost, or be of another log: then all is looked at again. */
export class HeadHintFile {
  readonly #file: string;
  readonly #streamPrefix: string;

  readonly #locks: readonly HeldFile[];

  constructor({ dataDir, streamPrefix, lock }: Omit<EventStoreDbLocation, 'url'>) {
    this.#locks = lock === undefined ? [] : [lock];
    this.#file = join(dataDir, 'event-store-head.json');
    this.#streamPrefix = streamPrefix;
  }

  read(): HeadHint | null {
    const read = E.tryCatch((): unknown => JSON.parse(readOwnFile(this.#file)), String);
    if (E.isLeft(read) || !HintCodec.is(read.right)) return null;
    return read.right.streamPrefix === this.#streamPrefix ? read.right : null;
  }

  keep({ last, passed }: HeadHint): void {
    // The folder may be another ledger's by now.
    if (lockLost(this.#locks) !== null) return;
    const text = JSON.stringify({ streamPrefix: this.#streamPrefix, last, passed });
    const written = `${this.#file}.${process.pid}`;
    try {
      const handle = openSync(written, 'w', 0o600);
      try {
        writeFileSync(handle, text);
      } finally {
        closeSync(handle);
      }
      renameSync(written, this.#file);
    } catch {
      // A hint that can't be kept costs the next start time, and nothing else; nor is half of one left, which no start would use.
      E.tryCatch(() => rmSync(written, { force: true }), String);
    }
  }
}
