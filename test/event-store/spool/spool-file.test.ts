import Database from 'better-sqlite3';
import { expect } from 'chai';
import { prepareSpoolSchema } from '../../../src/event-store/spool/spool-schema.ts';
import { SpoolFile, type Incoming, type Settled } from '../../../src/event-store/spool/spool-file.ts';
import { right } from '../../support/right.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { delivery, NOTE } from './spool-scene.ts';

/** How SQLite names that each commit waits for the disk. */
const FULL = 2;

describe('the file of a spool', () => {
  it('waits for the disk with what comes in and what is set aside, and not for what is only taken out', () => {
    const { path, remove } = temporaryFolder();
    const database = new Database(`${path}/spool.db`);
    database.pragma('journal_mode = WAL');
    right(prepareSpoolSchema(database, database.name));
    const file = new SpoolFile(database);
    const incoming = (seq: number): Incoming => ({ seq, key: 'a', verified: delivery(seq), note: null });
    const isWaitedFor = (its: readonly Incoming[], settled: readonly Settled[]): boolean => {
      file.write(its, settled);
      return database.pragma('synchronous', { simple: true }) === FULL;
    };
    expect(isWaitedFor([incoming(1), incoming(2), incoming(3)], [])).to.equal(true);
    expect(isWaitedFor([], [{ seq: 1, note: null }])).to.equal(false);
    expect(isWaitedFor([], [{ seq: 2, note: NOTE }])).to.equal(true);
    expect(isWaitedFor([], [{ seq: 2, note: null }])).to.equal(false);
    expect(isWaitedFor([incoming(4)], [{ seq: 3, note: null }])).to.equal(true);
    file.close();
    remove();
  });
});
