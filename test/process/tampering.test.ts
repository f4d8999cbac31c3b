import { copyFileSync, mkdirSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import fc from 'fast-check';
import * as t from 'io-ts';
import { deliver } from '../support/exchange.ts';
import { right } from '../support/right.ts';
import { orderScript } from './order-script.ts';
import { processFixture } from './process-fixture.ts';
import { runs } from '../support/runs.ts';

const ORDERS = 12;
const UNREADABLE = 4;
/** Each order has five statuses and one conflict. */
const EVENTS = ORDERS * 6 + UNREADABLE;

const COLUMNS = ['data', 'metadata', 'raw_body', 'id', 'type', 'stream_name', 'revision', 'stream'] as const;

type Column = (typeof COLUMNS)[number];

/** One stored value to change: that of an event, at a place that is taken modulo its length. */
type Change = { readonly position: number; readonly column: Column; readonly at: number; readonly bit: number };

const someChanges = fc.uniqueArray(
  fc.record<Change>({
    position: fc.integer({ min: 1, max: EVENTS }),
    column: fc.constantFrom(...COLUMNS),
    at: fc.nat(),
    // Of the low seven, so that text stays text.
    bit: fc.integer({ min: 0, max: 6 }),
  }),
  { selector: ({ position }) => position, minLength: 24, maxLength: 24 },
);

const Report = t.type({
  events: t.number,
  orders: t.number,
  failures: t.array(t.type({ stream: t.string, revision: t.number, eventId: t.string, problem: t.string })),
});

const Place = t.type({ stream: t.string, revision: t.number, eventId: t.string });

type Place = t.TypeOf<typeof Place>;

const flipped = (value: Buffer, { at, bit }: Change): Buffer => {
  const bytes = Buffer.from(value);
  const index = at % bytes.length;
  bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
  return bytes;
};

/** A file as somebody would change it who has it in his hands. */
class OpenedFile {
  readonly #database: Database.Database;

  constructor(file: string) {
    this.#database = new Database(file);
    this.#database.exec('DROP TRIGGER events_are_never_changed; DROP TRIGGER events_are_never_deleted');
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  places(where: string): readonly Place[] {
    const sql = `SELECT stream_name AS stream, revision, id AS eventId FROM events WHERE ${where} ORDER BY position`;
    return right(t.array(Place).decode(this.#database.prepare(sql).all()));
  }

  /** Changes one value, if it is there to be changed. */
  change(change: Change): boolean {
    const { position, column } = change;
    const isNumber = column === 'revision' || column === 'stream';
    if (isNumber) {
      // Beyond what other events have, for a place that is taken can't be taken again.
      this.#database
        .prepare(`UPDATE events SET ${column} = ${column} + ? WHERE position = ?`)
        .run(64 << change.bit, position);
      return true;
    }
    const value = this.#database
      .prepare(`SELECT CAST(${column} AS BLOB) FROM events WHERE position = ?`)
      .pluck()
      .get(position);
    if (!Buffer.isBuffer(value) || value.length === 0) return false;
    const changed = column === 'raw_body' ? '?' : 'CAST(? AS TEXT)';
    this.#database
      .prepare(`UPDATE events SET ${column} = ${changed} WHERE position = ?`)
      .run(flipped(value, change), position);
    return true;
  }

  close(): void {
    this.#database.close();
  }
}

describe('verify, over a file that was changed by hand', () => {
  const ledger = processFixture();
  let copies = 0;

  beforeEach(async () => {
    const { url, stop } = await ledger.serveHere(ledger.env());
    for (let turn = 0; turn < ORDERS; turn += 1) {
      for (const { body } of orderScript(`order-${turn}`, turn)) await deliver(url, body);
    }
    for (let turn = 0; turn < UNREADABLE; turn += 1) await deliver(url, `{"orderId": "unreadable-${turn}"}`);
    await stop();
  });

  /** What verify finds in a copy of the file that was changed. */
  const verified = async (tamper: (file: OpenedFile) => void) => {
    copies += 1;
    const dataDir = ledger.inFolder(`copy-${copies}`);
    mkdirSync(dataDir);
    copyFileSync(ledger.inFolder('data', 'events.db'), `${dataDir}/events.db`);
    const file = new OpenedFile(`${dataDir}/events.db`);
    tamper(file);
    file.close();
    const { status, out, err } = await ledger.command(['verify', '--json'], ledger.env({ DATA_DIR: dataDir }));
    expect(err).to.equal('');
    return { status, ...right(Report.decode(JSON.parse(out))) };
  };

  it('names every event of which a byte was changed, wherever it is, and no event of another stream', async () => {
    const findsAll = async (changes: readonly Change[]): Promise<void> => {
      let changed: readonly Place[] = [];
      const streams = new Set<string>();
      const shifted = new Set<string>();
      const { status, failures } = await verified((file) => {
        const made = changes.filter((change) => {
          const before = file.places(`position = ${change.position}`);
          for (const { stream } of before) streams.add(stream);
          return file.change(change);
        });
        const moved = made.filter(({ column }) => column === 'revision').map(({ position }) => position);
        for (const { stream } of file.places(`position IN (${moved.join()})`)) shifted.add(stream);
        changed = file.places(`position IN (${made.map(({ position }) => position).join()})`);
        for (const { stream } of changed) streams.add(stream);
      });
      expect(changed.length).to.be.greaterThan(0);
      expect(status).to.equal(1);
      const named = failures.map(({ stream, revision, eventId }) => ({ stream, revision, eventId }));
      for (const place of changed.filter(({ stream }) => !shifted.has(stream))) expect(named).to.deep.include(place);
      // Where several of a stream were moved by as much, all but the first follow the one before.
      for (const stream of shifted) expect(named.map((place) => place.stream)).to.include(stream);
      for (const { stream } of named) expect([...streams]).to.include(stream);
    };
    await fc.assert(fc.asyncProperty(someChanges, findsAll), { numRuns: runs(2), endOnFailure: true });
  }).timeout(120_000);

  it('finds what no event shows by itself, and nothing where nothing was changed', async () => {
    const nothing = await verified(() => undefined);
    expect(nothing).to.deep.equal({ status: 0, events: EVENTS, orders: ORDERS, failures: [], unknownSecrets: 0 });
    const changes = [
      ['an event that is missing before others', 'DELETE FROM events WHERE position = 2', 2],
      [
        'an event that was moved to another order',
        'UPDATE events SET stream = (SELECT stream FROM events WHERE position = 1), revision = 60 WHERE position = 30',
        30,
      ],
      [
        'a stream that is no longer found by its name',
        "UPDATE streams SET name = 'order-nobody' WHERE id = (SELECT stream FROM events WHERE position = 1)",
        1,
      ],
    ] as const;
    for (const [what, sql, position] of changes) {
      let stream: string | undefined;
      const { status, failures } = await verified((file) => {
        stream = file.places(`position = ${position}`)[0]?.stream;
        file.exec(sql);
      });
      expect(status, what).to.equal(1);
      expect(
        failures.map((failure) => failure.stream),
        what,
      ).to.include(stream);
    }
  }).timeout(15_000);
});
