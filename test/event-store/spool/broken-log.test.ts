import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { brokenLog } from '../../../src/event-store/spool/broken-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Rows of commits, of so many bytes each: some take one page of the log, some many. */
const commits = fc.array(fc.integer({ min: 1, max: 12_000 }), { minLength: 1, maxLength: 12 });

/** Anywhere in a log; the heads of its pages are small, and each number in them matters. */
const place = fc.oneof(
  fc.nat(),
  fc
    .record({ page: fc.nat({ max: 20 }), of: fc.nat({ max: 23 }) })
    .map(({ page, of }) => 32 + page * (24 + 4_096) + of),
);

describe('a write-ahead log that nobody has open', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file = '';
  beforeEach(() => {
    folder = temporaryFolder();
    file = `${folder.path}/left.db`;
  });
  afterEach(() => folder.remove());

  /** What a process leaves that is killed behind its commits, some of which came before its log began anew. */
  const leftBehind = (before: readonly number[], sizes: readonly number[]): void => {
    const database = new Database(`${folder.path}/used.db`);
    database.pragma('journal_mode = WAL');
    database.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT)');
    const write = (size: number): unknown =>
      database.prepare('INSERT INTO rows (body) VALUES (?)').run('x'.repeat(size));
    before.forEach(write);
    database.pragma('wal_checkpoint(RESTART)');
    sizes.forEach(write);
    for (const end of ['', '-wal']) copyFileSync(`${folder.path}/used.db${end}`, `${file}${end}`);
    database.close();
    rmSync(`${folder.path}/used.db`);
  };

  /** How many rows SQLite finds. */
  const found = (): number => {
    const database = new Database(file);
    try {
      return Number(database.prepare('SELECT count(*) FROM rows').pluck().get());
    } finally {
      database.close();
    }
  };

  it('is whole as a killed process leaves it, whatever is left in it of earlier ones, and wherever it was cut off', () => {
    fc.assert(
      fc.property(commits, commits, fc.nat(), (before, sizes, cut) => {
        leftBehind(before, sizes);
        expect(brokenLog(file)).to.equal(null);
        truncateSync(`${file}-wal`, cut % readFileSync(`${file}-wal`).length);
        expect(brokenLog(file)).to.equal(null);
      }),
      { numRuns: 60 },
    );
    rmSync(`${file}-wal`);
    expect(brokenLog(file)).to.equal(null);
  });

  it('is broken where SQLite leaves out commits that follow on a changed byte, and says how many', () => {
    fc.assert(
      fc.property(commits, commits, place, fc.integer({ min: 1, max: 255 }), (before, sizes, anywhere, change) => {
        leftBehind(before, sizes);
        const log = readFileSync(`${file}-wal`);
        const at = anywhere % log.length;
        log[at] = (log[at] ?? 0) ^ change;
        writeFileSync(`${file}-wal`, log);
        const broken = brokenLog(file);
        const lost = before.length + sizes.length - found();
        if (broken === null) expect(lost, `byte ${at} of ${log.length}`).to.be.at.most(1);
        else if (broken.page === 0) expect(lost).to.equal(sizes.length);
        // The commit that the byte is in is not whole itself, but where its last page is.
        else expect(broken.commits).to.be.within(Math.max(1, lost - 1), lost);
      }),
      { numRuns: 200 },
    );
  });
});
