import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { Generations } from '../../src/read-models/sqlite/generations.ts';
import { watchGeneration, type GenerationChange } from '../../src/threads/watch-generation.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const STAMP = 7;

describe('a watched generation of read models', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let generations: Generations;
  let followed: Database.Database;
  beforeEach(() => {
    folder = temporaryFolder();
    generations = right(Generations.open(`${folder.path}/read-models.db`));
    generations.swap(0, 1);
    // Open, it has its write-ahead log beside it, as one that is followed.
    followed = new Database(generations.fileOf(1));
    followed.pragma('journal_mode = WAL');
    followed.pragma(`user_version = ${STAMP}`);
  });
  afterEach(() => {
    followed.close();
    generations.close();
    folder.remove();
  });

  /** What is told once something was done while it is watched. */
  const toldOf = async (change: () => void): Promise<GenerationChange> => {
    const told: GenerationChange[] = [];
    const stop = watchGeneration(generations, { generation: 1, stamp: STAMP }, (its) => told.push(its));
    try {
      change();
      return await until(10_000, 'a change to be told', () => Promise.resolve(told[0] ?? null));
    } finally {
      stop();
    }
  };

  for (const suffix of ['', '-wal', '-shm'])
    it(`serves no longer where its file${suffix} was removed, so that it is built anew`, async () => {
      const told = await toldOf(() => rmSync(`${generations.fileOf(1)}${suffix}`));
      expect(told).to.include({ _tag: 'Removed', generation: 1 });
      expect(generations.serving()).to.equal(0);
    });

  it('is told to be replaced by another one, which goes on to serve', async () => {
    expect(await toldOf(() => generations.swap(1, 2))).to.deep.equal({ _tag: 'Replaced' });
    expect(generations.serving()).to.equal(2);
  });

  it('is followed on while nothing becomes of it', async () => {
    const told: GenerationChange[] = [];
    const serving = generations.serving.bind(generations);
    let looks = 0;
    generations.serving = () => {
      looks += 1;
      return serving();
    };
    const stop = watchGeneration(generations, { generation: 1, stamp: STAMP }, (its) => told.push(its));
    try {
      await until(10_000, 'a second look', () => Promise.resolve(looks >= 2 || told.length > 0 ? true : null));
      expect(told).to.deep.equal([]);
    } finally {
      stop();
    }
  });

  it('is told to be removed where another one is under its name since before it was looked at', async () => {
    followed.pragma(`user_version = ${STAMP + 1}`);
    const told = await toldOf(() => undefined);
    expect(told).to.deep.equal({
      _tag: 'Removed',
      generation: 1,
      detail: `${generations.fileOf(1)} was exchanged before it was looked at`,
    });
    expect(generations.serving()).to.equal(0);
  });

  it('is told to be removed where the file went that says which one serves', async () => {
    const told = await toldOf(() => rmSync(`${folder.path}/read-models.db`));
    expect(told).to.include({ _tag: 'Removed', generation: 1 });
    expect(generations.serving()).to.equal(0);
  });
});
