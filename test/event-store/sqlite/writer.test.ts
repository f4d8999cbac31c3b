import {
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import type { FramedAppend } from '../../../src/event-store/sqlite/append-frame.ts';
import { takeLock } from '../../../src/event-store/sqlite/exclusive-lock.ts';
import { prepareSchema } from '../../../src/event-store/sqlite/schema.ts';
import { Writer } from '../../../src/event-store/sqlite/writer.ts';
import type { WhyUnwritten } from '../../../src/event-store/why-unwritten.ts';
import { branded } from '../../../src/domain/brand.ts';
import type { Revision } from '../../../src/domain/ids.ts';
import { anEvent, anOrderId } from '../../support/stored-events.ts';
import { right } from '../../support/right.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const toNewStream = (bytes = 100): FramedAppend => ({
  stream: `order-${anOrderId()}`,
  expected: 'none',
  events: [anEvent({ data: Buffer.from(JSON.stringify('x'.repeat(bytes))) })],
});

describe('the writer', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let database: Database.Database;
  beforeEach(() => {
    folder = temporaryFolder();
    database = new Database(`${folder.path}/events.db`);
    database.pragma('journal_mode = WAL');
    prepareSchema(database, `${folder.path}/events.db`);
  });
  afterEach(() => {
    database.close();
    folder.remove();
  });

  const stored = (): unknown => database.prepare('SELECT count(*) FROM events').pluck().get();

  /** The database with commits that end as SQLite's would when the disk refuses them. */
  const failingAtCommit = (
    code: string,
    why?: WhyUnwritten,
  ): { readonly writer: Writer; readonly mend: () => void } => {
    let failing = true;
    const exec = database.exec.bind(database);
    database.exec = (sql) => {
      if (failing && sql === 'COMMIT') throw new Database.SqliteError('disk I/O error', code);
      return exec(sql);
    };
    const disk = why === undefined ? undefined : { isReadOnly: () => false, whyUnwritten: () => why };
    return { writer: new Writer(database, [], 8, disk), mend: () => (failing = false) };
  };

  const behind = ({ stream }: FramedAppend, revision: number): FramedAppend => ({
    ...toNewStream(),
    stream,
    expected: branded<Revision>(revision),
  });

  const knowsItsBatch = (writer: Writer): void => {
    const first = toNewStream();
    const second = behind(first, 0);
    const others = Array.from({ length: 40 }, () => toNewStream());
    const written = (revision: number, position: number) => ({ _tag: 'Written', revision, position }) as const;
    const refused = { _tag: 'WrongExpectedRevision', actual: 1 };
    const outcome = writer.write([first, second, first, behind(first, 0), ...others, second], 0);
    expect(outcome).to.deep.equal({
      _tag: 'Committed',
      answers: [
        written(0, 1),
        written(1, 2),
        written(0, 1),
        refused,
        ...others.map((_, i) => written(0, i + 3)),
        written(1, 2),
      ],
    });
    expect(stored()).to.equal(42);
  };

  it('knows of an append what came before it in its batch, and of a repeat that it is one', () => {
    knowsItsBatch(new Writer(database));
  });

  it('knows the same where it remembers the end of one stream only', () => {
    knowsItsBatch(new Writer(database, [], 1));
  });

  it('reads where a stream ends that it does not remember, also in the batch that has begun it', () => {
    const first = toNewStream();
    const outcome = new Writer(database, [], 1).write([first, toNewStream(), behind(first, 0)], 0);
    expect(outcome).to.have.property('_tag', 'Committed');
    expect(outcome).to.have.nested.property('answers[2].revision', 1);
  });

  it('knows where a stream ends that a batch without room was behind', () => {
    const before = toNewStream();
    expect(new Writer(database).write([before], 0)._tag).to.equal('Committed');
    const full = failingAtCommit('SQLITE_FULL');
    expect(full.writer.write([behind(before, 0)], 0)._tag).to.equal('Full');
    full.mend();
    expect(full.writer.probe()._tag).to.equal('Committed');
    expect(full.writer.write([behind(before, 0), behind(before, 1)], 0)).to.deep.equal({
      _tag: 'Committed',
      answers: [
        { _tag: 'Written', revision: 1, position: 2 },
        { _tag: 'Written', revision: 2, position: 3 },
      ],
    });
  });

  it('writes nothing more after a failed fsync, since a later one may report success for bytes that are gone', () => {
    const { writer, mend } = failingAtCommit('SQLITE_IOERR_FSYNC');
    expect(writer.write([toNewStream()], 0)._tag).to.equal('Failed');
    mend();
    expect(writer.write([toNewStream()], 0)._tag).to.equal('Failed');
    expect(writer.probe()._tag).to.equal('Failed');
    expect(stored()).to.equal(0);
  });

  const file = (): string => `${folder.path}/events.db`;
  let older: Buffer;
  const displaced: readonly (readonly [string, () => void])[] = [
    ['the file was removed', () => rmSync(file())],
    ['the file was moved away', () => renameSync(file(), `${file()}-away`)],
    [
      'another file was put in its place',
      () => {
        copyFileSync(file(), `${file()}-copy`);
        renameSync(`${file()}-copy`, file());
      },
    ],
    ['its write-ahead log was removed', () => rmSync(`${file()}-wal`)],
    ['the index of its write-ahead log was removed', () => rmSync(`${file()}-shm`)],
    ['an older copy was written over it', () => writeFileSync(file(), older)],
    [
      'a larger file was written over it',
      () => writeFileSync(file(), Buffer.concat([older, older, older, older]), { flag: 'r+' }),
    ],
    ['it was emptied', () => truncateSync(file())],
    ['its write-ahead log was emptied', () => truncateSync(`${file()}-wal`)],
    ['its write-ahead log was cut', () => truncateSync(`${file()}-wal`, 4_152)],
    [
      'something else was written over its write-ahead log',
      () => writeFileSync(`${file()}-wal`, Buffer.alloc(20_000, 'x'), { flag: 'r+' }),
    ],
  ];
  for (const [what, displace] of displaced) {
    it(`acknowledges nothing more, which nobody would find, where ${what}`, () => {
      database.pragma('wal_checkpoint');
      older = readFileSync(file());
      const writer = new Writer(database);
      expect(writer.write([toNewStream(10_000)], 0)._tag).to.equal('Committed');
      database.pragma('wal_checkpoint');
      expect(writer.write([toNewStream()], 0)._tag).to.equal('Committed');
      displace();
      expect(writer.write([toNewStream()], 0)).to.have.property('_tag', 'Failed');
      expect(writer.write([toNewStream()], 0)).to.have.property('_tag', 'Failed');
      expect(writer.probe()._tag).to.equal('Failed');
    });
  }

  for (const [what, displace] of [
    ['removed', rmSync],
    [
      'exchanged',
      (path: string): void => {
        rmSync(path);
        writeFileSync(path, '');
      },
    ],
  ] as const) {
    it(`acknowledges nothing more where a lock was ${what} that keeps other ledgers out, and says so`, () => {
      const lock = right(takeLock(`${file()}.lock`, 'it'));
      const writer = new Writer(database, [lock.held]);
      expect(writer.write([toNewStream()], 0)._tag).to.equal('Committed');
      displace(lock.held.path);
      const outcome = writer.write([toNewStream()], 0);
      expect(outcome).to.have.property('_tag', 'Failed');
      expect(outcome).to.have.property('detail').that.includes(`${file()}.lock`).and.includes('another ledger');
      lock.release();
    });
  }

  it('says that another program writes where a position is taken that it hands out itself', () => {
    const [writer, other] = [new Writer(database), new Writer(database)];
    expect(other.write([toNewStream()], 0)._tag).to.equal('Committed');
    const outcome = writer.write([toNewStream()], 0);
    expect(outcome).to.have.property('_tag', 'Failed');
    expect(outcome)
      .to.have.property('detail')
      .that.matches(/^another program writes to .*events\.db.*SQLITE_CONSTRAINT/);
    expect(stored()).to.equal(1);
  });

  it('goes on where another program takes the write-ahead log into the file, and empties it', () => {
    const writer = new Writer(database);
    for (let n = 0; n < 3; n += 1) {
      expect(writer.write([toNewStream(20_000)], 0)._tag).to.equal('Committed');
      const other = new Database(file());
      other.pragma('wal_checkpoint(TRUNCATE)');
      other.close();
      expect(writer.look()).to.equal(null);
    }
    expect(writer.write([toNewStream()], 0)._tag).to.equal('Committed');
  });

  it('says that its write-ahead log was emptied, though nothing is written, where something was in it alone', () => {
    const writer = new Writer(database);
    expect(writer.write([toNewStream(20_000)], 0)._tag).to.equal('Committed');
    database.pragma('wal_checkpoint(PASSIVE)');
    truncateSync(`${file()}-wal`);
    expect(writer.look(), 'all of it is in the file').to.equal(null);
    expect(writer.write([toNewStream()], 0)._tag).to.equal('Committed');
    expect(writer.look()).to.equal(null);
    truncateSync(`${file()}-wal`);
    expect(writer.look()).to.include('events.db-wal was overwritten or cut while it was in use');
    expect(writer.write([toNewStream()], 0)._tag).to.equal('Failed');
    expect(statSync(`${file()}-wal`).size, 'nothing is written that would spoil the file').to.equal(0);
  });

  it('gives nothing up for a look that fails for a moment, since that says nothing of the file that is open', () => {
    // A name that leads to itself can't be looked at, for root neither, as one below a folder that can't be passed.
    const away = `${folder.path}-away`;
    const writer = new Writer(database);
    expect(writer.write([toNewStream()], 0)._tag).to.equal('Committed');
    renameSync(folder.path, away);
    symlinkSync(folder.path, folder.path);
    expect(writer.look()).to.equal(null);
    rmSync(folder.path);
    renameSync(away, folder.path);
    expect(writer.look()).to.equal(null);
    expect(writer.write([toNewStream()], 0)._tag).to.equal('Committed');
    rmSync(file());
    expect(writer.look()).to.include('was removed, moved or exchanged');
  });

  it('writes nothing more behind a look that found its file elsewhere, though the file is back', () => {
    const writer = new Writer(database);
    expect(writer.write([toNewStream()], 0)._tag).to.equal('Committed');
    renameSync(file(), `${file()}-away`);
    const found = writer.look();
    expect(found).to.include('was removed, moved or exchanged');
    renameSync(`${file()}-away`, file());
    expect(writer.look()).to.equal(found);
    expect(writer.write([toNewStream()], 0)).to.deep.equal({ _tag: 'Failed', detail: found });
    expect(stored()).to.equal(1);
  });

  it('acknowledges nothing more where the write-ahead log was removed that lies where a link leads to', () => {
    symlinkSync(file(), `${folder.path}/link.db`);
    const linked = new Database(`${folder.path}/link.db`);
    const writer = new Writer(linked);
    expect(writer.write([toNewStream()], 0)._tag).to.equal('Committed');
    rmSync(`${file()}-wal`);
    expect(writer.write([toNewStream()], 0)).to.have.property('_tag', 'Failed');
    linked.close();
  });

  it('answers a full disk with nothing written, and goes on without a gap when there is room again', () => {
    const writer = new Writer(database);
    expect(writer.write([toNewStream()], 0)._tag).to.equal('Committed');
    const pages = Number(database.pragma('page_count', { simple: true }));
    database.pragma(`max_page_count = ${pages + 4}`);
    const full = writer.write([toNewStream(), toNewStream(200_000)], 0);
    expect(full._tag).to.equal('Full');
    expect(stored()).to.equal(1);
    expect(writer.probe()._tag).to.equal('Full');
    database.pragma('max_page_count = 1000000');
    expect(writer.probe()._tag).to.equal('Committed');
    const after = writer.write([toNewStream()], 0);
    expect(after).to.deep.equal({ _tag: 'Committed', answers: [{ _tag: 'Written', revision: 0, position: 2 }] });
  });

  it('lets nothing in behind a batch that found no room, until a probe works', () => {
    const { writer, mend } = failingAtCommit('SQLITE_FULL');
    expect(writer.write([toNewStream()], 0)._tag).to.equal('Full');
    mend();
    expect(writer.write([toNewStream()], 0)._tag, 'a batch that was under way').to.equal('Full');
    expect(stored()).to.equal(0);
    expect(writer.probe()._tag).to.equal('Committed');
    expect(writer.write([toNewStream()], 0)._tag).to.equal('Committed');
    expect(stored()).to.equal(1);
  });

  it('writes a batch wholly or not at all', () => {
    const { writer } = failingAtCommit('SQLITE_FULL');
    expect(writer.write([toNewStream(), toNewStream(), toNewStream()], 0)._tag).to.equal('Full');
    expect(stored()).to.equal(0);
  });

  it('writes nothing more after a write that the disk failed, since there was room', () => {
    const { writer, mend } = failingAtCommit('SQLITE_IOERR_WRITE');
    expect(writer.write([toNewStream()], 0)._tag).to.equal('Failed');
    mend();
    expect(writer.probe()._tag).to.equal('Failed');
    expect(writer.write([toNewStream()], 0)._tag).to.equal('Failed');
    expect(stored()).to.equal(0);
  });

  it('goes on after a write that a quota refused', () => {
    const { writer, mend } = failingAtCommit('SQLITE_IOERR_WRITE', 'no room');
    expect(writer.write([toNewStream()], 0)._tag).to.equal('Full');
    mend();
    expect(writer.probe()._tag).to.equal('Committed');
    expect(writer.write([toNewStream()], 0)._tag).to.equal('Committed');
    expect(stored()).to.equal(1);
  });

  it('tells of a file system that is read-only, though nothing is written, and goes on when it is not any more', () => {
    let readOnly = false;
    const looked: string[] = [];
    const writer = new Writer(database, [], 8, {
      isReadOnly: (path) => {
        looked.push(path);
        return readOnly;
      },
      whyUnwritten: () => 'unknown',
    });
    expect(writer.lookForReadOnly()).to.equal(null);
    readOnly = true;
    expect(writer.lookForReadOnly()).to.match(/^the file system of .*events\.db is read-only/);
    expect(writer.lookForReadOnly(), 'once').to.equal(null);
    expect(new Set(looked), 'not the file, of whose locks SQLite would lose all').to.deep.equal(
      new Set([`${file()}-wal`]),
    );
    expect(writer.write([toNewStream()], 0)).to.have.property('_tag', 'ReadOnly');
    expect(stored()).to.equal(0);
    expect(writer.probe()._tag).to.equal('Committed');
    expect(writer.write([toNewStream()], 0)._tag).to.equal('Committed');
  });

  it('knows a write that a file system refused which is read-only', () => {
    const { writer, mend } = failingAtCommit('SQLITE_IOERR_WRITE', 'read-only');
    expect(writer.write([toNewStream()], 0)).to.have.property('_tag', 'ReadOnly');
    mend();
    expect(writer.probe()._tag).to.equal('Committed');
  });
});
