import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect } from 'chai';
import { keptBrokenLogs } from '../../../src/event-store/spool/kept-broken-log.ts';
import type { SpoolNews } from '../../../src/event-store/spool/spool-news.ts';
import { right } from '../../support/right.ts';
import { delivery, spoolScene, type SpoolScene } from './spool-scene.ts';

const PROMISED = 20;
const OWNER_ONLY = 0o600;

describe('a spool whose write-ahead log a disk has spoiled', () => {
  let scene: SpoolScene;
  let news: SpoolNews[];
  beforeEach(async () => {
    news = [];
    scene = await spoolScene();
  });
  afterEach(() => scene.end());

  const promise = async (): Promise<void> => {
    for (let n = 1; n <= PROMISED; n += 1) right(await scene.spool().put(delivery(n), `key ${n}`)());
  };

  /** What a machine that stopped finds again, with these bytes of the log. */
  const startAfter = async (spoil: (log: Buffer) => Buffer): Promise<Buffer> => {
    for (const end of ['', '-wal']) copyFileSync(`${scene.file}${end}`, `${scene.file}${end}.was`);
    const log = spoil(readFileSync(`${scene.file}-wal`));
    await scene.spool().close();
    copyFileSync(`${scene.file}.was`, scene.file);
    writeFileSync(`${scene.file}-wal`, log);
    await scene.reopen({ onNews: (one) => news.push(one) });
    return log;
  };

  it('is told at the start, with a copy of the log, since SQLite takes nothing behind the place and writes over it', async () => {
    await promise();
    const log = await startAfter((whole) => {
      const middle = Math.floor(whole.length / 2);
      whole[middle] = (whole[middle] ?? 0) ^ 1;
      return whole;
    });
    const [kept = '', ...others] = keptBrokenLogs(scene.file);
    expect(others).to.deep.equal([]);
    expect(readFileSync(kept)).to.deep.equal(log);
    expect(statSync(kept).mode & 0o777).to.equal(OWNER_ONLY);
    expect(news).to.have.length(1);
    expect(news[0]).to.have.property('_tag', 'LogBroken');
    expect(JSON.stringify(news[0])).to.match(/page \d+ of .*spool\.db-wal is not what was written, and \d+ commits/);
    const given = await scene.drain();
    expect(given.length, 'what stands before it is given').to.be.within(1, PROMISED - 1);
  });

  it('says nothing where the log ends in a commit that was cut off, and keeps no copy', async () => {
    await promise();
    await startAfter((whole) => whole.subarray(0, whole.length - 10));
    expect(news).to.deep.equal([]);
    expect(
      readdirSync(dirname(scene.file)).filter((name) => name.startsWith(`${basename(scene.file)}-wal.broken`)),
    ).to.deep.equal([]);
    expect(await scene.drain()).to.have.length(PROMISED - 1);
  });
});
