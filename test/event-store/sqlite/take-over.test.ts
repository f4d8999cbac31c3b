import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { branded } from '../../../src/domain/brand.ts';
import { parseMetadata } from '../../../src/domain/event-metadata.ts';
import type { StreamName } from '../../../src/domain/ids.ts';
import { orderEvent } from '../../../src/domain/new-event.ts';
import { parseRequestLine, requestLine } from '../../../src/event-store/sqlite/append-wire.ts';
import { examineFile } from '../../../src/event-store/sqlite/examine-file.ts';
import { openBeside, openServing, type SqliteEventStore } from '../../../src/event-store/sqlite/sqlite-event-store.ts';
import { verifyEvent } from '../../../src/ledger/verify-event.ts';
import { bodyOf, onRamp, orderContent, SECRET, verifiedDelivery } from '../../support/payloads.ts';
import { right } from '../../support/right.ts';
import { anEvent } from '../../support/stored-events.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The tables as ledgers made them that had streams in a B-tree by name, with two orders and a quarantined body. */
const SCHEMA_1 = `
  CREATE TABLE streams (name TEXT NOT NULL PRIMARY KEY, id INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY, stream INTEGER NOT NULL, stream_name TEXT NOT NULL, revision INTEGER NOT NULL,
    id TEXT NOT NULL, type TEXT NOT NULL, recorded_at INTEGER NOT NULL, data TEXT NOT NULL, metadata TEXT NOT NULL, raw_body BLOB
  ) STRICT;
  CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
  CREATE TABLE probe (id INTEGER PRIMARY KEY, filler BLOB) STRICT;
  CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are immutable'); END;
  CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are immutable'); END;
  PRAGMA application_id = 1380730183;
  PRAGMA user_version = 1;
  INSERT INTO streams (name, id) VALUES ('order-b', 1), ('quarantine-x', 2), ('order-a', 3);
  INSERT INTO events VALUES
    (1, 1, 'order-b', 0, '1', 'T', 0, '1', '{}', NULL), (2, 2, 'quarantine-x', 0, '2', 'T', 0, '2', '{}', NULL),
    (3, 1, 'order-b', 1, '3', 'T', 0, '3', '{}', NULL), (4, 3, 'order-a', 0, '4', 'T', 0, '4', '{}', NULL);
`;

const stream = (name: string): StreamName => branded<StreamName>(name);

describe('a file of schema 1', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let location: { readonly file: string; readonly dataDir: string };
  beforeEach(() => {
    folder = temporaryFolder();
    location = { file: join(folder.path, 'events.db'), dataDir: folder.path };
    const old = new Database(location.file);
    old.pragma('journal_mode = WAL');
    old.exec(SCHEMA_1);
    old.close();
  });
  afterEach(() => folder.remove());

  const expectAll = async (store: SqliteEventStore): Promise<void> => {
    for (const [name, data] of [
      ['order-b', ['1', '3']],
      ['order-a', ['4']],
      ['quarantine-x', ['2']],
      ['order-c', []],
    ] as const) {
      const events = right(await store.readStream(stream(name))());
      expect(events.map((event) => event.data)).to.deep.equal(data);
    }
    expect(right(await store.listStreams('quarantine-')())).to.deep.equal(['quarantine-x']);
  };

  it('is taken over by the ledger that serves from it, which goes on behind what is there', async () => {
    const store = right(await openServing(location));
    await expectAll(store);
    const known = right(await store.readStream(stream('order-b'))());
    const next = right(await store.append(stream('order-b'), known[1]?.revision ?? 'none', [anEvent()])());
    expect(next).to.deep.equal({ revision: 2, position: '5' });
    right(await store.append(stream('order-c'), 'none', [anEvent()])());
    const [event] = right(await store.readStream(stream('order-c'))());
    expect(event?.position).to.equal('6');
    await store.close();
    const again = new Database(location.file, { readonly: true });
    expect(again.prepare('SELECT id, name FROM streams ORDER BY id').raw().all()).to.deep.equal([
      [1, 'order-b'],
      [2, 'quarantine-x'],
      [3, 'order-a'],
      [4, 'order-c'],
    ]);
    expect(again.pragma('quick_check', { simple: true })).to.equal('ok');
    again.close();
  });

  it('is taken over by a command while nothing serves', async () => {
    const store = right(openBeside(location));
    await expectAll(store);
    await store.close();
  });

  it('is left as it is by who only looks at it', async () => {
    const examination = right(examineFile(location.file));
    expect(right(await examination.newest(10)())).to.have.length(4);
    await examination.close();
    const looked = new Database(location.file, { readonly: true });
    expect(looked.pragma('user_version', { simple: true })).to.equal(1);
    looked.close();
  });
});

describe('a file of schema 2, whose metadata has the names of its members', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let location: { readonly file: string; readonly dataDir: string };
  const payload = onRamp();
  const body = bodyOf(payload);
  const { stream: order, event } = orderEvent(verifiedDelivery(body), orderContent(body.toString()));
  const names = JSON.stringify(parseMetadata(event.metadata.toString()));
  const secretKey = (): Buffer => Buffer.from(SECRET);

  beforeEach(async () => {
    folder = temporaryFolder();
    location = { file: join(folder.path, 'events.db'), dataDir: folder.path };
    const store = right(await openServing(location));
    right(await store.append(order, 'none', [{ ...event, metadata: Buffer.from(names) }])());
    await store.close();
    setSchema(2);
  });
  afterEach(() => folder.remove());

  const setSchema = (schema: number): void => {
    const database = new Database(location.file);
    database.pragma(`user_version = ${schema}`);
    database.close();
  };

  const schemaNow = (): unknown => {
    const database = new Database(location.file, { readonly: true });
    const schema = database.pragma('user_version', { simple: true });
    database.close();
    return schema;
  };

  it('is read as it is by commands, which leave it so', async () => {
    const store = right(openBeside(location));
    const [read] = right(await store.readStream(order)());
    expect(verifyEvent(read ?? expect.fail('no event'), secretKey)).to.deep.include({ verified: 'yes', problems: [] });
    await store.close();
    expect(schemaNow()).to.equal(2);
  });

  it('is refused by earlier programs from the moment on that a ledger serves from it, which keeps what was there', async () => {
    const store = right(await openServing(location));
    // The same delivery once more is the same event, and another one is listed.
    const other = bodyOf({ ...payload, status: 'completed' });
    const next = orderEvent(verifiedDelivery(other), orderContent(other.toString())).event;
    const [first] = right(await store.readStream(order)());
    right(await store.append(order, first?.revision ?? 'none', [next])());
    const read = right(await store.readStream(order)());
    expect(read.map(({ metadata }) => metadata)).to.deep.equal([names, next.metadata.toString()]);
    for (const each of read) expect(verifyEvent(each, secretKey).problems).to.deep.equal([]);
    await store.close();
    expect(schemaNow()).to.equal(3);
  });
});

describe('an append of a command', () => {
  it('is not understood by a ledger of an earlier version, which would not know what it appends', () => {
    const append = { stream: stream('order-a'), expected: 'none', events: [anEvent()] } as const;
    expect(parseRequestLine(requestLine(append))).to.deep.equal(append);
    const before = requestLine(append).replace('metadataText', 'metadata');
    expect(parseRequestLine(before)).to.equal(null);
  });
});
