import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { Generations } from '../../../src/read-models/sqlite/generations.ts';
import { rebuild } from '../../../src/read-models/sqlite/rebuild/rebuild.ts';
import { openTarget } from '../../../src/read-models/sqlite/open-target.ts';
import { openQueries } from '../../../src/read-models/sqlite/open-queries.ts';
import { playedLedger, scripts, type Step } from '../../support/ledger-script.ts';
import { right } from '../../support/right.ts';
import { rebuildDeps, there } from '../../support/sqlite-read-models.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ZONE = 'Europe/London';

describe('the generation that serves', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  let generations: Generations;
  const ledger = playedLedger();

  before(async () => {
    const [steps] = fc.sample(scripts(8), { numRuns: 1, seed: 5 });
    await ledger.play(there<readonly Step[]>(steps));
  });
  beforeEach(async () => {
    folder = temporaryFolder();
    file = join(folder.path, 'read-models.db');
    generations = right(Generations.open(file));
    right(await rebuild(rebuildDeps(ledger.store, generations, ZONE)));
  });
  afterEach(() => {
    generations.close();
    folder.remove();
  });

  /** Whether it is written on, and which zone it answers for. */
  const opened = (timeZone = ZONE): readonly unknown[] => {
    const target = openTarget(generations, timeZone);
    const queries = openQueries(generations);
    const report = queries?.queries.report({ flow: 'onramp', basis: 'created', from: null, to: null, groupBy: [] });
    target?.close();
    queries?.close();
    return [target?.generation ?? null, report?.timeZone ?? null];
  };

  it('is written on by who would make the same', () => {
    expect(opened()).to.deep.equal([1, ZONE]);
  });

  it('answers for its own zone until one of the other zone is built', async () => {
    expect(opened('Asia/Kolkata')).to.deep.equal([null, ZONE]);
    right(await rebuild(rebuildDeps(ledger.store, generations, 'Asia/Kolkata')));
    expect(opened('Asia/Kolkata')).to.deep.equal([2, 'Asia/Kolkata']);
  });

  for (const [how, sql] of [
    ['made by other projections or tables', "UPDATE generation SET projections = projections || '1'"],
    ['never completed', 'UPDATE generation SET complete = 0'],
    ['of nobody', 'DELETE FROM generation'],
    ['no generation at all', 'DROP TABLE generation'],
  ] as const) {
    it(`is none where it is ${how}`, () => {
      const database = new Database(generations.fileOf(1));
      database.exec(sql);
      database.close();
      expect(opened()).to.deep.equal([null, null]);
    });
  }

  it('is none where its file is gone, empty or garbage, and is built again', async () => {
    const spoils: readonly ((name: string) => void)[] = [
      (name) => rmSync(name),
      (name) => writeFileSync(name, ''),
      (name) => writeFileSync(name, 'garbage, as long as some pages of a database'.repeat(400)),
      // The header is whole, and nothing behind it.
      (name) => writeFileSync(name, readFileSync(name).fill(7, 100, 8_192)),
    ];
    for (const spoil of spoils) {
      spoil(generations.fileOf(generations.serving()));
      expect(opened()).to.deep.equal([null, null]);
      right(await rebuild(rebuildDeps(ledger.store, generations, ZONE)));
      expect(opened()).to.deep.equal([generations.serving(), ZONE]);
    }
  });

  it('is said by a file of its own, and no other', () => {
    const [garbage, foreign] = [join(folder.path, 'garbage.db'), join(folder.path, 'foreign.db')];
    writeFileSync(garbage, 'no database, and long enough to be seen as such'.repeat(100));
    const database = new Database(foreign);
    database.exec('CREATE TABLE orders (id INTEGER)');
    database.close();
    const nowhere = join(folder.path, 'nowhere', 'read-models.db');
    const tags: ReadonlyMap<string, string> = new Map([
      [garbage, 'GenerationsUnusable'],
      [foreign, 'GenerationsForeign'],
      [folder.path, 'GenerationsMisplaced'],
      [nowhere, 'GenerationsMisplaced'],
    ]);
    for (const unusable of tags.keys()) {
      const before = existsSync(unusable) && unusable !== folder.path ? readFileSync(unusable) : null;
      const answer = Generations.open(unusable);
      expect(E.isLeft(answer) ? answer.left._tag : 'success', unusable).to.equal(tags.get(unusable));
      if (E.isLeft(answer)) expect(answer.left.detail).to.contain(unusable);
      if (before !== null) expect(readFileSync(unusable)).to.deep.equal(before);
    }
  });
});
