import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import type { Spool } from '../../../src/event-store/spool.ts';
import { openSpoolFile } from '../../../src/event-store/spool/open-spool-file.ts';
import type { SpoolNews } from '../../../src/event-store/spool/spool-news.ts';
import { right } from '../../support/right.ts';
import { openSpoolHere } from '../../support/spool-here.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { delivery, left, turns } from './spool-scene.ts';

const MIB = 1_024 ** 2;
const PAGE = 4_096;
/** Each has a page of its own. */
const DELIVERIES = 10_000;

describe('a spool that is too large to be read through as it is opened', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file = '';
  const news: SpoolNews[] = [];
  let spool: Spool;
  let second: () => void = () => undefined;
  beforeEach(() => {
    folder = temporaryFolder();
    file = `${folder.path}/spool.db`;
    news.length = 0;
    right(openSpoolFile(file)).close();
    const filling = new Database(file);
    filling.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${DELIVERIES})
      INSERT INTO deliveries SELECT i, 'key ' || i, 'digest ' || i, '', '', '2026-01-01T00:00:00.000Z', '', zeroblob(3500) FROM n`);
    filling.close();
    expect(statSync(file).size).to.be.above(32 * MIB);
  });
  afterEach(async () => {
    await spool.close();
    folder.remove();
  });

  const overwrite = (at: number, bytes: number): void => {
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(bytes, 0x5a), 0, bytes, at);
    closeSync(handle);
  };

  const opened = async (): Promise<void> => {
    const everySecond = (call: () => void): (() => void) => {
      second = call;
      return () => undefined;
    };
    spool = right(await openSpoolHere(file, { mostBytes: 1e9, everySecond, onNews: (one) => news.push(one) }));
  };

  it('is opened, and where its count meets a damaged page it is not ready, says so once and keeps nothing more', async () => {
    overwrite(30 * MIB - PAGE, 4 * PAGE);
    await opened();
    expect(spool.state()).to.deep.include({ isCounting: true, ready: { ready: true } });
    for (let i = 0; spool.state().ready.ready; i += 1) {
      if (i > DELIVERIES) expect.fail('the damage is not met');
      await turns();
    }
    const { isCounting, ready, depth } = spool.state();
    const said = /spool\.db is damaged \(.*\); .*keep a copy, and recover it with "sqlite3 .* \.recover"$/;
    expect(ready.ready ? '' : ready.detail).to.match(said);
    expect({ isCounting, isSome: depth > 0 }).to.deep.equal({ isCounting: true, isSome: true });
    expect(left(await spool.put(delivery(1), 'a')()).detail).to.match(said);
    for (let i = 0; i < 3; i += 1) {
      second();
      for (let j = 0; j < 20; j += 1) await turns();
      expect(spool.state().ready).to.have.property('ready', false);
      expect(spool.holds('a')).to.equal(true);
    }
    expect(news).to.have.length(1);
    expect(news[0]).to.have.property('_tag', 'Uncounted');
    expect(news[0]).to.have.property('detail').that.matches(said);
  }).timeout(60_000);

  it('is whole when all is counted', async () => {
    await opened();
    for (let i = 0; spool.state().isCounting; i += 1) {
      if (i > DELIVERIES) expect.fail('the count does not end');
      await turns();
    }
    expect(spool.state()).to.deep.include({ depth: DELIVERIES, ready: { ready: true } });
  }).timeout(60_000);
});
