import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { lookAtDataDirectory } from '../../src/composition/doctor/look-at-folders.ts';
import { configErrorLine, loadConfig, otherKinds } from '../../src/config/index.ts';
import { dataDirectoryCheck } from '../../src/doctor/data-directory-check.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('what stands in the place of something that the ledger keeps', () => {
  let folder = temporaryFolder();
  let data = '';
  beforeEach(() => {
    folder = temporaryFolder();
    data = join(folder.path, 'data');
    mkdirSync(data, { mode: 0o700 });
  });
  afterEach(() => folder.remove());

  const put = (path: string, kind: 'folder' | 'file'): void => {
    if (kind === 'folder') mkdirSync(path, { mode: 0o700 });
    else writeFileSync(path, '', { mode: 0o600 });
  };
  const started = (env: Record<string, string> = {}): string =>
    E.match(configErrorLine, ({ warnings }: { readonly warnings: readonly string[] }) => warnings.join('\n'))(
      loadConfig({ DATA_DIR: data, ...env }, { generate: true, randomBytes }),
    );

  for (const [name, kind, words] of [
    ['ledger.sock', 'folder', 'is a folder, and the ledger keeps a socket there'],
    ['ledger.lock', 'folder', 'is a folder, and the ledger keeps a file there'],
    ['events.db.lock', 'folder', 'is a folder, and the ledger keeps a file there'],
    ['events.db-wal', 'folder', 'is a folder, and the ledger keeps a file there'],
    ['spool.db', 'folder', 'is a folder, and the ledger keeps a file there'],
    ['checkpoints-0123456789abcdef.draft', 'folder', 'is a folder, and the ledger keeps a file there'],
    ['read-models.db.build-lock', 'folder', 'is a folder, and the ledger keeps a file there'],
    ['arrivals.json', 'folder', 'is a folder, and the ledger keeps a file there'],
    ['log-tree', 'file', 'is no folder, and the ledger keeps one there'],
    ['statements', 'file', 'is no folder, and the ledger keeps one there'],
  ] as const) {
    it(`is named with its cure by doctor and the start: a ${kind} at ${name}`, () => {
      const path = join(data, name);
      expect(started()).to.equal('');
      put(path, kind);
      expect(started()).to.equal(`DATA_DIR: ${path} ${words}; move ${path} away`);
      const check = dataDirectoryCheck(
        data,
        lookAtDataDirectory(data, [join(data, 'events.db')], join(data, 'events.db')),
      );
      expect([check.ok, check.detail, check.cure]).to.deep.equal([
        false,
        `${path} ${words}\n${data}`,
        `move ${path} away`,
      ]);
    });
  }

  it('refuses the start where there could be none, and nothing else', () => {
    const refusing = ['ledger.sock', 'ledger.lock', 'events.db.lock', 'events.db-wal', 'events.db-shm', 'spool.db'];
    for (const name of [...refusing, 'arrivals.json', 'read-models.db.lock', 'imports.lock'])
      put(join(data, name), 'folder');
    const events = join(data, 'events.db');
    const named = otherKinds(data, [events], events).filter(({ refuses }) => refuses);
    expect(named.map(({ path }) => path)).to.have.members(refusing.map((name) => join(data, name)));
    for (const name of refusing) rmSync(join(data, name), { recursive: true });
    expect(E.isRight(loadConfig({ DATA_DIR: data }, { generate: true, randomBytes }))).to.equal(true);
  });

  it('is a link to nothing, named with where it leads; it refuses the start where there could be none', () => {
    const target = join(folder.path, 'unmounted', 'x');
    const events = join(data, 'events.db');
    const REFUSING = ['ledger.lock', 'events.db.lock', 'events.db-wal'];
    const OTHERS = [
      'ledger.sock',
      'signing-key',
      'webhook-secret',
      'log-keys',
      'log-tree',
      'arrivals.json',
      'imports.lock',
    ];
    for (const name of [...REFUSING, ...OTHERS, 'orders.csv']) symlinkSync(target, join(data, name));
    const found = otherKinds(data, [events], events);
    expect(found.map(({ path }) => path)).to.have.members([...REFUSING, ...OTHERS].map((name) => join(data, name)));
    expect(found.filter(({ refuses }) => refuses).map(({ path }) => path)).to.have.members(
      REFUSING.map((name) => join(data, name)),
    );
    for (const name of [...REFUSING, ...OTHERS]) rmSync(join(data, name));
    const lock = join(data, 'ledger.lock');
    symlinkSync(target, lock);
    const words = `${lock} is a link to ${target}, which is not there`;
    expect(started()).to.equal(`DATA_DIR: ${words}; mount or bring back what it leads to`);
    const check = dataDirectoryCheck(data, lookAtDataDirectory(data, [events], events));
    expect([check.ok, check.detail, check.cure]).to.deep.equal([
      false,
      `${words}\n${data}`,
      'mount or bring back what it leads to',
    ]);
  });

  it('is a folder in the tree, or beside a database elsewhere', () => {
    mkdirSync(join(data, 'log-tree'), { mode: 0o700 });
    put(join(data, 'log-tree', 'positions'), 'folder');
    put(join(data, 'log-tree', 'lost+found'), 'folder');
    const elsewhere = join(folder.path, 'models.db');
    put(`${elsewhere}.build-lock`, 'folder');
    expect(otherKinds(data, [elsewhere], null).map(({ path }) => path)).to.deep.equal([
      `${elsewhere}.build-lock`,
      join(data, 'log-tree', 'positions'),
    ]);
    expect(started({ READ_MODEL_URL: `sqlite:${elsewhere}` })).to.include(`move ${elsewhere}.build-lock away`);
  });

  it('is nothing else: what the ledger keeps, and what has a name that is none of its own', () => {
    for (const name of ['log-tree', 'statements', 'uploads', 'lost+found']) put(join(data, name), 'folder');
    for (const name of ['log-keys', 'events.db', 'events.db-wal', 'origin', 'orders.csv'])
      put(join(data, name), 'file');
    expect(otherKinds(data, [join(data, 'events.db')], join(data, 'events.db'))).to.deep.equal([]);
    expect(otherKinds(join(data, 'none'), [], null)).to.deep.equal([]);
  });
});
