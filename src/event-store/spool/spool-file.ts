import Database from 'better-sqlite3';
import { branded } from '../../domain/brand.ts';
import type { VerifiedDelivery } from '../../domain/delivery.ts';
import type { RequestId, SecretId, Sha256 } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { keptPlace, type HeldFile } from '../kept-place.ts';
import { ShortLog } from '../short-log.ts';
import type { SetAsideEntry, SetAsideNote, SpooledDelivery } from '../spool.ts';
import { setAsideIn } from './set-aside-in.ts';
import { spoolStatements, type DeliveryRow } from './spool-statements.ts';

/** SQLite's own code for a file that is not under its name any more; over a write-ahead log it never looks. */
export const MOVED = 'SQLITE_READONLY_DBMOVED';

/** A delivery of the file without its bytes. */
export type SpoolIndexRow = {
  readonly seq: number;
  readonly key: string;
  readonly bodySha256: Sha256;
  readonly receivedAt: Instant;
  readonly bodyBytes: number;
  readonly isSetAside: boolean;
};

/** A delivery to be written; with a note it is set aside at once. */
export type Incoming = SpooledDelivery & { readonly note: SetAsideNote | null };

/** A delivery of the file whose turn is over: to be set aside where there is a note, else to be removed. */
export type Settled = { readonly seq: number; readonly note: SetAsideNote | null };

/** A delivery as the file gives it, also to another thread. */
export type StoredDelivery = Omit<SpooledDelivery, 'verified'> & {
  readonly verified: Omit<VerifiedDelivery, 'body'> & { readonly body: Uint8Array };
};

/** What the ledger wrote, or what a damaged disk gives: whoever appends a delivery holds its body against its digest first. */
const deliveryOf = (row: DeliveryRow): StoredDelivery => ({
  seq: row.seq,
  key: row.key,
  verified: {
    body: row.body,
    bodySha256: branded<Sha256>(row.body_sha256),
    signature: row.signature,
    secretId: branded<SecretId>(row.secret_id),
    receivedAt: branded<Instant>(row.received_at),
    requestId: branded<RequestId>(row.request_id),
  },
});

/**
 * The tables of an open spool. Each method throws SQLite's error; after one of `write` nothing of it is in the transaction
 * any more.
 */
export class SpoolFile {
  readonly #database: Database.Database;
  readonly #statements: SqliteStatements;
  readonly #moved: () => string | null;
  readonly #log: ShortLog;
  /** Why what was promised may not be in it, where that turned out at its opening; null where nothing did. */
  readonly brokenLog: string | null;

  /**
   * @param locks those that keep every other ledger out
   * @param brokenLog what is wrong with its write-ahead log, as `keepBrokenLog` says it
   */
  constructor(database: Database.Database, locks: readonly HeldFile[] = [], brokenLog: string | null = null) {
    this.#database = database;
    this.brokenLog = brokenLog;
    this.#moved = keptPlace(database.name, locks);
    this.#log = new ShortLog(database);
    this.#statements = new SqliteStatements(database);
  }

  /** So many deliveries behind a place, up to another one, in order of arrival. */
  index(behind: number, upTo: number, most: number): readonly SpoolIndexRow[] {
    return this.#statements.all(spoolStatements.index, { behind, up_to: upTo, most }).map((row) => ({
      seq: row.seq,
      key: row.key,
      bodySha256: branded<Sha256>(row.body_sha256),
      receivedAt: branded<Instant>(row.received_at),
      bodyBytes: row.body_bytes,
      isSetAside: row.is_set_aside === 1,
    }));
  }

  /** The highest place of all, that of a note whose delivery is not there included; 0 where there is none. */
  highest(): number {
    return this.#statements.one(spoolStatements.highest, {}).seq;
  }

  /** What is used of the file. */
  usedBytes(): number {
    return this.#statements.one(spoolStatements.usedBytes, {}).bytes;
  }

  /** Takes out the notes, behind a place and up to another one, of deliveries that somebody removed by hand. */
  removeOrphanNotes(behind: number, upTo: number): void {
    const places = { behind, up_to: upTo };
    if (this.#statements.get(spoolStatements.anyOrphan, places) !== undefined)
      this.#statements.run(spoolStatements.removeOrphans, places);
  }

  /** The delivery at a place; null where there is none, or one that is set aside. */
  at(seq: number): StoredDelivery | null {
    const row = this.#statements.get(spoolStatements.at, { seq });
    return row === undefined ? null : deliveryOf(row);
  }

  /**
   * Writes all or nothing, in one transaction, and durably. A removal that a power failure undoes only lets the delivery
   * be appended once more, which changes nothing: removals alone don't wait for the disk.
   *
   * @returns why what is written now is not to be promised: its place was lost meanwhile
   */
  write(incoming: readonly Incoming[], settled: readonly Settled[]): Error | null {
    this.mustBeInPlace();
    const isDurable = incoming.length > 0 || settled.some(({ note }) => note !== null);
    this.#database.pragma(`synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`);
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      for (const { seq, note } of settled) {
        if (note === null) this.#statements.run(spoolStatements.remove, { seq });
        else this.#setAside(seq, note);
      }
      for (const delivery of incoming) this.#write(delivery);
      this.#database.exec('COMMIT');
      return this.#astray();
    } finally {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
    }
  }

  /** Writes something, as a delivery would be, and takes it away again. */
  probe(): void {
    this.mustBeInPlace();
    this.#database.exec('INSERT OR REPLACE INTO probe (id, filler) VALUES (1, zeroblob(65536))');
    this.#database.exec('DELETE FROM probe');
  }

  /** Gives back what the write-ahead log takes; while another process reads, it stays as it is. */
  truncateLog(): void {
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
  }

  setAsideEntries(): readonly SetAsideEntry[] {
    return setAsideIn(this.#statements);
  }

  close(): void {
    this.#database.close();
  }

  /** Throws where it is not: what waits in a file that nobody finds any more can still be read; a delivery that came to it would be lost at the next start. */
  mustBeInPlace(): void {
    const astray = this.#astray(this.#log.damage());
    if (astray !== null) throw astray;
  }

  #astray(damage: string | null = null): Error | null {
    const moved = this.#moved() ?? damage;
    return moved === null ? null : new Database.SqliteError(moved, MOVED);
  }

  #write({ seq, key, verified, note }: Incoming): void {
    const { bodySha256, signature, secretId, receivedAt, requestId, body } = verified;
    this.#statements.run(spoolStatements.add, {
      seq,
      key,
      body_sha256: bodySha256,
      signature,
      secret_id: secretId,
      received_at: receivedAt,
      request_id: requestId,
      body,
    });
    if (note !== null) this.#setAside(seq, note);
  }

  #setAside(seq: number, { problem, at }: SetAsideNote): void {
    this.#statements.run(spoolStatements.setAside, { seq, problem, at });
  }
}
