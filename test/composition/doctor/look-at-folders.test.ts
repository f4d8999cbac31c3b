import { chmodSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { lookAtDataDirectory, lookAtDisks } from '../../../src/composition/doctor/look-at-folders.ts';
import { loadConfig, type Environment } from '../../../src/config/index.ts';
import { dataDirectoryCheck } from '../../../src/doctor/data-directory-check.ts';
import { right } from '../../support/right.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const configOf = (env: Environment) =>
  right(loadConfig({ DATA_DIR: '/nowhere/data', ...env }, { generate: false, randomBytes: () => Buffer.alloc(0) }))
    .config;

describe('a look at the folders of a ledger', () => {
  it('names each disk once, by the variable that leads there', () => {
    let device = 0;
    const figures = { device: () => (device += 1), freeBytes: () => 5, fileBytes: () => null };
    const config = configOf({ READ_MODEL_URL: 'sqlite:/elsewhere/models.db' });
    const seen = lookAtDisks(config, figures);
    expect(seen._tag === 'Disks' ? seen.disks.map(({ variable }) => variable) : seen).to.deep.equal([
      'DATA_DIR',
      'EVENT_STORE_URL',
      'READ_MODEL_URL',
    ]);
    expect(lookAtDisks(config, { ...figures, device: () => 1, fileBytes: () => 7 })).to.deep.equal({
      _tag: 'Disks',
      disks: [{ variable: 'DATA_DIR', folder: '/nowhere/data', freeBytes: 5 }],
      walBytes: 7,
    });
  });

  it('tells a disk that fails by the code of its error', () => {
    const failing = (): never => {
      throw Object.assign(new Error('input/output error'), { code: 'EIO' });
    };
    const figures = { device: failing, freeBytes: failing, fileBytes: failing };
    expect(lookAtDisks(configOf({}), figures)).to.deep.equal({ _tag: 'NotLookedAt', code: 'EIO' });
  });

  it('names a write-ahead log of the spool that was kept since it was broken', () => {
    const { path, remove } = temporaryFolder();
    writeFileSync(join(path, 'spool.db-wal.broken-20261128T011500.000Z'), '', { mode: 0o600 });
    const seen = lookAtDataDirectory(path);
    expect(dataDirectoryCheck(path, seen)).to.have.property('ok', false);
    expect(seen._tag === 'There' ? seen.spoiled.map(({ detail }) => detail) : seen).to.deep.equal([
      `${path}/spool.db-wal.broken-20261128T011500.000Z has what was answered 202 and could not be read any more when the ledger started`,
    ]);
    remove();
  });

  it('names a lock that is none any more, and what to do', () => {
    const { path, remove } = temporaryFolder();
    const databases = ['events.db', 'read-models.db'].map((name) => join(path, name));
    const names = ['imports.lock', 'months.lock', 'events.db.lock', 'read-models.db.lock'];
    for (const name of names) writeFileSync(join(path, name), Buffer.alloc(3_000, 0xfe), { mode: 0o600 });
    const seen = lookAtDataDirectory(path, databases);
    expect(seen._tag === 'There' ? seen.spoiled : seen).to.deep.equal(
      names.map((name) => ({
        detail: `${join(path, name)} is damaged; it is a lock, and holds nothing`,
        cure: 'stop the ledger and every command of it, then remove it: the next start makes it',
      })),
    );
    expect(dataDirectoryCheck(path, seen)).to.have.property('ok', false);
    for (const name of names) writeFileSync(join(path, name), '');
    const whole = lookAtDataDirectory(path, databases);
    expect(whole._tag === 'There' ? whole.spoiled : whole).to.deep.equal([]);
    remove();
  });

  it('finds what others can read, what is no folder, and what is not there', () => {
    const { path, remove } = temporaryFolder();
    const file = join(path, 'a-file');
    writeFileSync(file, '', { mode: 0o644 });
    chmodSync(path, 0o755);
    expect(lookAtDataDirectory(path)).to.deep.equal({
      _tag: 'There',
      told: [],
      displaced: [],
      linked: [],
      spoiled: [],
      changeable: [],
      readableByOthers: ['a-file'],
    });
    chmodSync(file, 0o666);
    const seen = lookAtDataDirectory(path);
    expect(seen._tag === 'There' ? seen.told.map(({ detail }) => detail) : seen).to.deep.equal([
      `${file} is no file of the ledger's, and others can write to it`,
    ]);
    expect(seen).to.have.nested.property('changeable.length', 0);
    chmodSync(file, 0o644);
    chmodSync(path, 0o700);
    expect(lookAtDataDirectory(path)).to.deep.equal({
      _tag: 'There',
      told: [],
      displaced: [],
      linked: [],
      spoiled: [],
      changeable: [],
      readableByOthers: [],
    });
    expect(lookAtDataDirectory(file)).to.deep.equal({ _tag: 'NoFolder', nearest: file });
    expect(lookAtDataDirectory(join(path, 'in', 'it'))).to.deep.equal({ _tag: 'NotThere' });
    remove();
  });

  it('tells of a folder above that is open to all, as volumes of containers are, and finds nothing wrong', () => {
    const { path, remove } = temporaryFolder();
    const data = join(path, 'data');
    mkdirSync(data, { mode: 0o700 });
    chmodSync(path, 0o777);
    const { ok, detail, cure } = dataDirectoryCheck(data, lookAtDataDirectory(data));
    expect([ok, cure]).to.deep.equal([true, null]);
    expect(detail).to.match(/everybody on this machine may exchange what is in .*: chmod o-w /);
    expect(detail).to.include(path);
    remove();
  });

  it('finds a database that has a second name wrong, but for that of a restore that was cut off', () => {
    const { path, remove } = temporaryFolder();
    const [events, spool] = [join(path, 'events.db'), join(path, 'spool.db')];
    for (const file of [events, spool]) writeFileSync(file, '', { mode: 0o600 });
    const check = () => dataDirectoryCheck(path, lookAtDataDirectory(path, [events], events));
    linkSync(events, `${events}.set-aside-0123abcd`);
    expect(check()).to.include({ ok: true, detail: path });
    linkSync(events, join(path, 'other.db'));
    expect(check()).to.have.property('ok', false);
    expect(check().detail).to.include(`${events} has 2 names (hard links)`);
    expect(check().cure).to.match(/ramp-ledger backup .*ramp-ledger restore .*--set-aside/);
    linkSync(spool, join(path, 'other-spool.db'));
    expect(check().detail).to.include(`${spool} has 2 names (hard links)`);
    remove();
  });
});
