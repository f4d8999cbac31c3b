import { cpSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { giveLedgerId, ledgerIdIn } from '../../src/composition/ledger-id.ts';
import { ledgerNameOf, placeOf, placeByLock, servingNameOf } from '../../src/composition/ledger-name.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the name of a ledger', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let dataDir: string;
  const at = (name: string): string => `${folder.path}/${name}`;
  const eventStore = { kind: 'eventstoredb', url: 'esdb://a.example', streamPrefix: '' } as const;
  const named = (dir: string) => ledgerNameOf({ dataDir: dir, eventStore });
  const serving = (dir: string) => servingNameOf({ dataDir: dir, eventStore });
  beforeEach(() => {
    folder = temporaryFolder();
    dataDir = at('data');
    mkdirSync(dataDir);
  });
  afterEach(() => folder.remove());

  /** What a first start leaves. */
  const start = (): void => {
    writeFileSync(`${dataDir}/ledger.lock`, '');
    right(giveLedgerId(dataDir));
  };

  it('is that of a data directory from which one has served, under whatever path', () => {
    expect([named(dataDir), serving(dataDir)]).to.deep.equal([null, null]);
    writeFileSync(`${dataDir}/ledger.lock`, '');
    symlinkSync(dataDir, at('to-data'));
    for (const name of [named, serving]) {
      expect(name(dataDir)).to.be.an('object');
      expect(name(at('to-data'))).to.deep.equal(name(dataDir));
    }
  });

  it('moves with its data directory, and into a copy; who serves is told from who serves the copy', () => {
    start();
    cpSync(dataDir, at('copy'), { recursive: true, preserveTimestamps: true });
    expect(named(at('copy')))
      .to.be.an('object')
      .and.to.deep.equal(named(dataDir));
    expect(serving(at('copy')))
      .to.be.an('object')
      .and.to.not.deep.equal(serving(dataDir));
    expect(named(dataDir)).to.not.deep.equal(serving(dataDir));
  });

  it('is given once, in a file for its owner alone; another data directory has another one', () => {
    start();
    const id = ledgerIdIn(dataDir);
    expect(id).to.match(/^[0-9a-f]{32}$/);
    expect(right(giveLedgerId(dataDir))).to.equal(id);
    expect(statSync(`${dataDir}/ledger-id`).mode % 0o1000).to.equal(0o600);
    expect(right(giveLedgerId(at('other')))).to.not.equal(id);
  });

  it('is that of the place where there is no id, or none that can be read', () => {
    start();
    for (const spoil of [() => writeFileSync(`${dataDir}/ledger-id`, 'x'), () => rmSync(`${dataDir}/ledger-id`)]) {
      spoil();
      expect(named(dataDir)).to.be.an('object').and.to.deep.equal(serving(dataDir));
    }
  });

  it('tells the place of a lock from one that has its number or its time', () => {
    start();
    expect(placeOf(dataDir)).to.equal(placeByLock(statSync(`${dataDir}/ledger.lock`, { bigint: true })));
    const places = [
      { ino: 7n, birthtimeNs: 1n },
      { ino: 7n, birthtimeNs: 2n },
      { ino: 8n, birthtimeNs: 1n },
    ].map(placeByLock);
    expect(new Set(places)).to.have.property('size', 3);
  });
});
