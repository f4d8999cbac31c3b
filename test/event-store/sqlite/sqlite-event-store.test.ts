import { closeSync, existsSync, openSync, statSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { orderStream } from '../../../src/domain/ids.ts';
import { comparePositions, positionAt } from '../../../src/domain/position.ts';
import type { RecordedEvent } from '../../../src/domain/recorded-event.ts';
import { troubleLine } from '../../../src/domain/trouble.ts';
import { openReader } from '../../../src/event-store/sqlite/open-database.ts';
import { Reader } from '../../../src/event-store/sqlite/reader.ts';
import { openBeside, openServing, type SqliteLocation } from '../../../src/event-store/sqlite/sqlite-event-store.ts';
import { right } from '../../support/right.ts';
import { anEvent, anOrderId, someEvents } from '../../support/stored-events.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { eventStoreContract, openStore } from '../event-store-contract.ts';

const location = (dataDir: string): SqliteLocation => ({ dataDir, file: join(dataDir, 'events.db') });

eventStoreContract('sqlite, serving', async () => {
  const folder = temporaryFolder();
  const store = right(await openServing(location(folder.path)));
  return openStore(store, async () => {
    await store.close();
    folder.remove();
  });
});

eventStoreContract('sqlite, a command beside a serving ledger', async () => {
  const folder = temporaryFolder();
  const serving = right(await openServing(location(folder.path)));
  const store = right(openBeside(location(folder.path)));
  return openStore(store, async () => {
    await store.close();
    await serving.close();
    folder.remove();
  });
});

eventStoreContract('sqlite, a command while nothing serves', async () => {
  const folder = temporaryFolder();
  await right(await openServing(location(folder.path))).close();
  const store = right(openBeside(location(folder.path)));
  return openStore(store, async () => {
    await store.close();
    folder.remove();
  });
});

/** How often others have their turn while something is done. */
const turnsDuring = async (done: () => Promise<void>): Promise<number> => {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await done();
  isDone = true;
  return turns;
};

describe('sqlite event store', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('reads a long stream while others have their turn, and one whose middle is gone once each', async () => {
    const store = right(await openServing(location(folder.path)));
    const stream = orderStream(anOrderId());
    right(await store.append(stream, 'none', someEvents(100))());
    const turns = await turnsDuring(async () => {
      expect(right(await store.readStream(stream)())).to.have.length(100);
    });
    expect(turns).to.be.at.least(4);
    await store.close();
    const database = new Database(location(folder.path).file);
    database.exec('DROP TRIGGER events_are_never_deleted; DELETE FROM events WHERE revision = 10');
    database.close();
    const beside = right(openBeside(location(folder.path)));
    const left = right(await beside.readStream(stream)()).map(({ revision }) => revision);
    expect(left).to.deep.equal([...Array.from({ length: 100 }).keys()].filter((revision) => revision !== 10));
    await beside.close();
  });

  it('reads large events while others have their turn, one or a few at a time', async () => {
    const store = right(await openServing(location(folder.path)));
    const stream = orderStream(anOrderId());
    const large = (bytes: number) => anEvent({ data: Buffer.from(`"${'x'.repeat(bytes)}"`) });
    const sizes = [300_000, 300_000, 100_000, 100_000, 100_000, 5, 5];
    const [first = anEvent(), ...others] = sizes.map(large);
    right(await store.append(stream, 'none', [first, ...others])());
    const pages: number[] = [];
    for await (const page of store.streamPages(stream)) pages.push(right(page).length);
    expect(pages).to.deep.equal([1, 1, 3, 2]);
    const events = right(await store.readStream(stream)());
    const places = events.map(({ position }) => position);
    const turns = await turnsDuring(async () => {
      expect(right(await store.readAt(places)())).to.deep.equal(events);
    });
    expect(turns).to.be.at.least(3);
    const many = Array.from({ length: 20 }, () => places).flat();
    const turnsOfHeaders = await turnsDuring(async () => {
      expect(right(await store.headersAt(many)())).to.have.length(many.length);
    });
    expect(turnsOfHeaders).to.be.at.least(6);
    await store.close();
  });

  it('gives those who read the log as many at a time as have room in memory, with one at the least, and all of them', async () => {
    const store = right(await openServing(location(folder.path)));
    const large = Array.from({ length: 4 }, () => anEvent({ data: Buffer.from(`"${'x'.repeat(400_000)}"`) }));
    for (const event of [...large, ...someEvents(5)])
      right(await store.append(orderStream(anOrderId()), 'none', [event])());
    await store.close();
    const { file } = location(folder.path);
    for (const [bytes, pages] of [
      [1, Array.from({ length: 9 }, () => 1)],
      [500_000, [2, 2, 5]],
      [10_000_000, [9]],
    ] as const) {
      const reader = new Reader(right(openReader(file)), bytes);
      const sizes: number[] = [];
      for (let after = 0; after < 9; after += sizes.at(-1) ?? 9) sizes.push(right(reader.page(after, 9, 512)).length);
      reader.close();
      expect(sizes).to.deep.equal(pages);
    }
  });

  it('names the events that stand among those of another stream, wherever they stand there', async () => {
    const store = right(await openServing(location(folder.path)));
    const [one, other] = [orderStream(anOrderId()), orderStream(anOrderId())];
    right(await store.append(one, 'none', someEvents(3))());
    right(await store.append(other, 'none', someEvents(3))());
    const head = right(await store.head()());
    await store.close();
    const { file } = location(folder.path);
    const database = new Database(file);
    database.exec('DROP TRIGGER events_are_never_changed');
    // The last of one stream, and the first of the other.
    const rename = database.prepare('UPDATE events SET stream_name = ? WHERE position = ?');
    rename.run(other, 3);
    rename.run(one, 4);
    database.close();
    const reader = new Reader(right(openReader(file)));
    const { streams, strays } = right(await reader.readPartAndStrays(0, head ?? positionAt(6))());
    reader.close();
    const places = (events: readonly RecordedEvent[]) => events.map(({ position }) => Number(position));
    expect(streams.map(({ stream, events }) => [stream, places(events)])).to.deep.equal([
      [one, [1, 2, 3]],
      [other, [4, 5, 6]],
    ]);
    expect(places(strays)).to.deep.equal([3, 4]);
  });

  const refusal = async (at: SqliteLocation): Promise<{ tag: string; detail: string }> => {
    const opened = await openServing(at);
    if (E.isLeft(opened)) return { tag: opened.left._tag, detail: troubleLine(opened.left) };
    await opened.right.close();
    return { tag: 'opened', detail: '' };
  };

  const filled = async (): Promise<SqliteLocation> => {
    const at = location(folder.path);
    const store = right(await openServing(at));
    const appends = Array.from({ length: 200 }, () => store.append(orderStream(anOrderId()), 'none', [anEvent()])());
    for (const appended of await Promise.all(appends)) right(appended);
    await store.close();
    return at;
  };

  it('keeps what was appended over a stop, and goes on behind it', async () => {
    const stream = orderStream(anOrderId());
    const first = right(await openServing(location(folder.path)));
    const events = someEvents(3);
    right(await first.append(stream, 'none', events)());
    await first.close();
    const second = right(await openServing(location(folder.path)));
    const read = right(await second.readStream(stream)());
    expect(read.map((event) => event.id)).to.deep.equal(events.map((event) => event.id));
    const head = read.at(-1);
    const next = right(await second.append(stream, head?.revision ?? 'none', [anEvent()])());
    expect(next.revision).to.equal(3);
    expect(comparePositions(next.position, head?.position ?? null)).to.be.greaterThan(0);
    await second.close();
  });

  it('answers every append that was asked for before it was closed', async () => {
    const store = right(await openServing(location(folder.path)));
    const appends = Array.from({ length: 300 }, () => store.append(orderStream(anOrderId()), 'none', [anEvent()])());
    await store.close();
    expect((await Promise.all(appends)).filter(E.isRight)).to.have.length(300);
    const after = await store.append(orderStream(anOrderId()), 'none', [anEvent()])();
    expect(E.isLeft(after) ? after.left._tag : 'success').to.equal('StoreUnavailable');
  });

  it('refuses a second ledger on the same data directory, and on the same file, in one line', async () => {
    const at = location(folder.path);
    const store = right(await openServing(at));
    const other = temporaryFolder();
    const sameFolder = await refusal(at);
    const sameFile = await refusal({ dataDir: other.path, file: at.file });
    expect([sameFolder.tag, sameFile.tag]).to.deep.equal(['StoreInUse', 'StoreInUse']);
    expect(sameFolder.detail).to.contain('DATA_DIR').and.contain(folder.path);
    expect(sameFile.detail).to.contain('EVENT_STORE_URL').and.contain(at.file);
    expect(sameFolder.detail + sameFile.detail).not.to.contain('\n');
    await store.close();
    expect((await refusal(at)).tag).to.equal('opened');
    other.remove();
  });

  it('refuses a file that is no database', async () => {
    const at = location(folder.path);
    writeFileSync(at.file, 'this is a text file, not a database, and longer than one header'.repeat(50));
    expect(await refusal(at)).to.deep.include({ tag: 'StoreDamaged' });
  });

  it('refuses the database of another program, and leaves it alone', async () => {
    const at = location(folder.path);
    const other = new Database(at.file);
    other.exec('CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)');
    other.close();
    expect(await refusal(at)).to.deep.include({ tag: 'StoreNotALedger' });
    const again = new Database(at.file);
    expect(again.prepare('SELECT count(*) AS n FROM sqlite_schema').get()).to.deep.equal({ n: 1 });
    again.close();
  });

  it('refuses a file of a newer schema', async () => {
    const at = await filled();
    const newer = new Database(at.file);
    newer.pragma('user_version = 99');
    newer.close();
    const refused = await refusal(at);
    expect(refused.tag).to.equal('StoreOfNewerSchema');
    expect(refused.detail).to.contain('99').and.not.contain('\n');
  });

  it('refuses a damaged file with a line that says what to do', async () => {
    const at = await filled();
    const file = openSync(at.file, 'r+');
    const noise = Buffer.alloc(16_384, 0xa5);
    writeSync(file, noise, 0, noise.length, Math.floor(statSync(at.file).size / 2 / 8_192) * 8_192);
    closeSync(file);
    const refused = await refusal(at);
    expect(refused.tag).to.equal('StoreDamaged');
    expect(refused.detail).to.contain('backup').and.not.contain('\n');
  });

  it('refuses a file cut short', async () => {
    const at = await filled();
    const { truncateSync } = await import('node:fs');
    truncateSync(at.file, Math.floor(statSync(at.file).size / 2));
    expect((await refusal(at)).tag).to.equal('StoreDamaged');
  });

  it('holds events immutable', async () => {
    const at = await filled();
    const database = new Database(at.file);
    expect(() => database.exec("UPDATE events SET type = 'x' WHERE position = 1")).to.throw('immutable');
    expect(() => database.exec('DELETE FROM events WHERE position = 1')).to.throw('immutable');
    database.close();
  });

  it('opens its socket for its owner only, and a left-over one is no hindrance', async () => {
    const at = location(folder.path);
    writeFileSync(join(folder.path, 'ledger.sock'), '');
    const store = right(await openServing(at));
    expect((statSync(join(folder.path, 'ledger.sock')).mode & 0o777).toString(8)).to.equal('600');
    await store.close();
    expect(existsSync(join(folder.path, 'ledger.sock'))).to.equal(false);
    symlinkSync(join(folder.path, 'nothing'), join(folder.path, 'ledger.sock'));
    await right(await openServing(at)).close();
  });

  it('is not there for a command before the first start', () => {
    expect(E.isLeft(openBeside(location(folder.path)))).to.equal(true);
  });
});
