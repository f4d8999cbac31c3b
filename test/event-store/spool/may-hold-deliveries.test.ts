import { writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { mayHoldDeliveries } from '../../../src/event-store/spool/may-hold-deliveries.ts';
import { openSpoolFile } from '../../../src/event-store/spool/open-spool-file.ts';
import { right } from '../../support/right.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('whether an earlier spool may hold deliveries', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file = '';
  beforeEach(() => {
    folder = temporaryFolder();
    file = `${folder.path}/spool.db`;
  });
  afterEach(() => folder.remove());

  /** A spool with so many that were set aside, and so many that wait behind them. */
  const holding = (aside: number, waiting: number): void => {
    right(openSpoolFile(file)).close();
    const filling = new Database(file);
    filling.exec(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${aside + waiting})
        INSERT INTO deliveries SELECT i, 'key', 'digest ' || i, '', '', '', '', x'00' FROM n;
      INSERT INTO set_aside SELECT seq, 'refused', '' FROM deliveries WHERE seq <= ${aside};`);
    filling.close();
  };

  it('is not so where there is none, or one that was never used', () => {
    expect(mayHoldDeliveries(file)).to.equal(false);
    writeFileSync(file, '');
    expect(mayHoldDeliveries(file)).to.equal(false);
    right(openSpoolFile(file)).close();
    expect(mayHoldDeliveries(file)).to.equal(false);
  });

  for (const [aside, waiting, may, what] of [
    [0, 1, true, 'one waits'],
    [999, 0, false, 'all were set aside'],
    [998, 1, true, 'one waits behind many that were set aside'],
    [1_000, 1, true, 'so many were set aside that its first places do not tell'],
  ] as const) {
    it(`is ${may ? '' : 'not '}so where ${what}`, () => {
      holding(aside, waiting);
      expect(mayHoldDeliveries(file)).to.equal(may);
    });
  }

  it('is so where it can not be read: opening says why', () => {
    writeFileSync(file, 'no database, for longer than the header of one '.repeat(10));
    expect(mayHoldDeliveries(file)).to.equal(true);
  });
});
