import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { instantOf } from '../../src/domain/instant.ts';
import { Generations } from '../../src/read-models/sqlite/generations.ts';
import { rebuild } from '../../src/read-models/sqlite/rebuild/rebuild.ts';
import { HeldToLog } from '../../src/threads/held-to-log.ts';
import type { ProjectorNews } from '../../src/threads/projector-message.ts';
import { inMemoryEventStore } from '../support/in-memory-event-store.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { deliverUnaware } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { rebuildDeps } from '../support/sqlite-read-models.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NAME = { ledger: 'this', log: 'this one' };

describe('a generation that is held to the log', () => {
  const folder = temporaryFolder();
  const readModelFile = `${folder.path}/read-models.db`;
  const location = { kind: 'sqlite', dataDir: folder.path, file: `${folder.path}/events.db` } as const;
  const store = inMemoryEventStore(() => instantOf(0));
  let generations: Generations;
  let news: ProjectorNews[];
  before(async () => {
    generations = right(Generations.open(readModelFile));
    await deliverUnaware(store, bodyOf(onRamp()));
    right(await rebuild(rebuildDeps(store, generations, 'UTC')));
    generations.hold(generations.serving(), NAME);
  });
  beforeEach(() => {
    news = [];
    store.takeAway(null);
  });
  after(() => {
    generations.close();
    folder.remove();
  });

  const heldIn = (timeZone: string, areOwn: boolean): HeldToLog =>
    new HeldToLog(
      store,
      generations,
      { location, readModelFile, timeZone, name: areOwn ? NAME : { ...NAME, log: 'another' } },
      (it) => news.push(it),
    );
  const tags = (): readonly string[] => news.map(({ _tag }) => _tag);

  it('is said once to answer while another one is built, however often the build is tried', async () => {
    const held = heldIn('Asia/Kolkata', false);
    for (let n = 0; n < 3; n += 1) {
      expect(await held.opened()).to.equal(null);
      await held.answerMeanwhile();
    }
    expect(tags()).to.deep.equal(['Standing']);
    expect(news[0]).to.include({ isOfLog: true });
  });

  it('is asked about no more once it is known, until that is doubted', async () => {
    const held = heldIn('UTC', true);
    const opened = async (): Promise<boolean> => {
      const target = await held.opened();
      if (target === null || target === 'failed') return false;
      target.close();
      return true;
    };
    expect(await opened()).to.equal(true);
    store.takeAway('an outage');
    expect(await opened()).to.equal(true);
    held.doubt();
    expect(await opened()).to.equal(false);
    store.takeAway(null);
    expect(await opened()).to.equal(true);
  });

  for (const areOwn of [true, false])
    it(`is ${areOwn ? 'said once to answer' : 'not answered from'} while the log can't be asked, where it is ${areOwn ? "this ledger's" : 'of another log'}`, async () => {
      const held = heldIn('UTC', areOwn);
      store.takeAway('an outage');
      for (let n = 0; n < 3; n += 1) expect(await held.opened()).to.equal('failed');
      expect(tags().filter((tag) => tag === 'Failed')).to.have.lengthOf(3);
      expect(tags().filter((tag) => tag === 'Standing')).to.have.lengthOf(areOwn ? 1 : 0);
      store.takeAway(null);
      const opened = await held.opened();
      expect(opened).to.be.an('object');
      if (opened !== null && opened !== 'failed') opened.close();
    });

  it('is said to be damaged where it is opened, and is followed again once it is whole', async () => {
    const damaged = right(Generations.open(`${folder.path}/damaged.db`));
    try {
      right(await rebuild(rebuildDeps(store, damaged, 'UTC')));
      const options = { location, readModelFile: `${folder.path}/damaged.db`, timeZone: 'UTC', name: NAME };
      const held = new HeldToLog(store, damaged, options, (it) => news.push(it));
      const file = damaged.fileOf(damaged.serving());
      const whole = readFileSync(file);
      writeFileSync(file, Buffer.alloc(whole.length, 0xaa));
      expect(await held.opened()).to.equal(null);
      writeFileSync(file, whole);
      const target = await held.opened();
      if (target === null || target === 'failed') expect.fail('opened');
      target.close();
      expect(news).to.deep.equal([
        {
          _tag: 'Removed',
          generation: damaged.serving(),
          detail: `${file} is damaged (file is not a database)`,
        },
      ]);
    } finally {
      damaged.close();
    }
  });
});
