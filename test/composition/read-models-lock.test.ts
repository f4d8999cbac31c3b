import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { lockReadModels, usedByAnother, type ReadModelsLock } from '../../src/composition/read-models-lock.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LOST =
  /^READ_MODEL_URL sqlite:\S+read-models\.db is in use by another ledger; stop that one, or give this one its own$/;

describe("the lock of the read models' file", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  const locks: ReadModelsLock[] = [];
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => {
    for (const { release } of locks.splice(0)) release();
    folder.remove();
  });

  /** A ledger of its own data directory, on the log of that name. */
  const places = (ledger: string, log = ledger) => {
    const dataDir = `${folder.path}/${ledger}`;
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(`${dataDir}/ledger.lock`, '', { flag: 'a' });
    return {
      dataDir,
      eventStore: { kind: 'sqlite', file: `${folder.path}/${log}.db` },
      readModel: { kind: 'sqlite', file: `${folder.path}/read-models.db` },
    } as const;
  };
  const taken = (ledger: string, lost: string[] = []): ReadModelsLock => {
    const onUnheld = (problem: string) => expect.fail(problem);
    const lock = right(lockReadModels(places(ledger), { onUnheld, onLost: (problem) => lost.push(problem) }));
    locks.push(lock);
    return lock;
  };
  const removeAll = (): void => {
    for (const name of readdirSync(folder.path).filter((one) => one.startsWith('read-models')))
      rmSync(`${folder.path}/${name}`);
  };

  it('refuses commands of another ledger on another log, and none of the same ledger or log', () => {
    taken('first');
    for (const [ledger, log] of [
      ['first', 'first'],
      ['first', 'other'],
      ['other', 'first'],
    ] as const)
      expect(usedByAnother(places(ledger, log)), `${ledger} on ${log}`).to.equal(null);
    expect(usedByAnother(places('other'))).to.include({ status: 1 });
  });

  it('is taken anew where it was removed with the read models, and its ledger named again', () => {
    const lost: string[] = [];
    const first = taken('first', lost);
    removeAll();
    // Whoever builds them anew has made the file again.
    taken('other').release();
    first.renew();
    expect(usedByAnother(places('other'))).to.include({ status: 1 });
    expect(usedByAnother(places('first'))).to.equal(null);
    first.renew();
    expect(lost).to.deep.equal([]);
    first.release();
    expect(usedByAnother(places('other'))).to.equal(null);
  });

  it('is not taken anew, nor its ledger named, where the data directory may be the next ledger’s', () => {
    let gone: string | null = null;
    const on = {
      onUnheld: (problem: string) => expect.fail(problem),
      onLost: (problem: string) => expect.fail(problem),
    };
    const first = right(lockReadModels(places('first'), on, () => gone));
    locks.push(first);
    gone = 'ledger.lock was removed';
    removeAll();
    first.renew();
    expect(readdirSync(folder.path).filter((one) => one.startsWith('read-models'))).to.deep.equal([]);
  });

  it('is said once to be lost where another ledger has it by then, and taken again when that one ends', () => {
    const lost: string[] = [];
    const first = taken('first', lost);
    removeAll();
    const other = taken('other');
    first.renew();
    first.renew();
    expect(lost).to.have.lengthOf(1);
    expect(lost[0]).to.match(LOST);
    expect(usedByAnother(places('other'))).to.equal(null);
    other.release();
    first.renew();
    expect(usedByAnother(places('other'))).to.include({ status: 1 });
  });
});
