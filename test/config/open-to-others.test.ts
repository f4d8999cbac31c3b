import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { configErrorLine, loadConfig } from '../../src/config/index.ts';
import { lookAtDataDirectory } from '../../src/composition/doctor/look-at-folders.ts';
import { openAbove } from '../../src/config/open-above.ts';
import { openDatabase, openToOthers } from '../../src/config/open-to-others.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const UID = process.getuid?.() ?? 0;

describe('a data directory that others may change', () => {
  let folder = temporaryFolder();
  let data = '';
  beforeEach(() => {
    folder.remove();
    folder = temporaryFolder();
    data = join(folder.path, 'data');
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(join(data, 'events.db'), '', { mode: 0o600 });
  });
  after(() => folder.remove());

  const found = (uid: number | null = UID): readonly string[] => openToOthers(data, uid).map(({ path }) => path);
  const started = (generate: boolean): string =>
    E.match(configErrorLine, () => 'right')(loadConfig({ DATA_DIR: data }, { generate, randomBytes }));

  it('is none where it is its own, may be read by others, or is not there', () => {
    expect(found()).to.deep.equal([]);
    chmodSync(data, 0o755);
    chmodSync(join(data, 'events.db'), 0o644);
    mkdirSync(join(data, 'lost+found'), { mode: 0o777 });
    expect(found()).to.deep.equal([]);
    expect(openToOthers(join(folder.path, 'nothing'), UID)).to.deep.equal([]);
    expect(found(null)).to.deep.equal([]);
    expect(started(true)).to.equal('right');
  });

  it('is told of where everybody may exchange it in a folder above, and not in one that keeps them apart', () => {
    const above = join(folder.path, 'above');
    const below = join(above, 'between', 'data');
    mkdirSync(below, { recursive: true, mode: 0o700 });
    expect(openAbove(below)).to.equal(null);
    for (const [mode, isOpen] of [
      [0o777, true],
      [0o1777, false],
      [0o775, false],
    ] as const) {
      chmodSync(above, mode);
      const loaded = right(loadConfig({ DATA_DIR: below }, { generate: true, randomBytes }));
      expect(loaded.warnings.filter((line) => line.includes(`chmod o-w ${above}`))).to.have.length(isOpen ? 1 : 0);
      expect(openAbove(below)?.path ?? null).to.equal(isOpen ? above : null);
    }
  });

  it('is refused where it, or a folder above it, is a link to nothing, which the system calls a file that exists', () => {
    const [link, target] = [join(folder.path, 'link'), join(folder.path, 'disk')];
    symlinkSync('disk', link);
    const words = `"${link}" is a link to "${target}", which is not there`;
    const start = (env: Record<string, string>, generate = true): string =>
      E.match(configErrorLine, () => 'right')(loadConfig(env, { generate, randomBytes }));
    expect(start({ DATA_DIR: link })).to.contain(`DATA_DIR: ${words}`);
    expect(start({ DATA_DIR: join(link, 'data') })).to.contain(`DATA_DIR: ${words}`);
    const events = `sqlite:${join(link, 'events.db')}`;
    expect(start({ DATA_DIR: data, EVENT_STORE_URL: events })).to.contain(`EVENT_STORE_URL: ${words}`);
    mkdirSync(target, { mode: 0o700 });
    expect(start({ DATA_DIR: join(link, 'data') })).to.equal('right');
    expect(start({ DATA_DIR: data, EVENT_STORE_URL: events })).to.equal('right');
  });

  it('is refused where its events or read models have a second name, by which another ledger could open them', () => {
    expect(started(true)).to.equal('right');
    for (const [name, variable, cure] of [
      ['events.db', 'EVENT_STORE_URL', /; stop every ledger on it; "ramp-ledger backup/],
      ['read-models.db.g1', 'READ_MODEL_URL', /; stop every ledger on it and rm .*read-models\.db\*/],
    ] as const) {
      if (name !== 'events.db')
        for (const part of ['read-models.db', name]) writeFileSync(join(data, part), '', { mode: 0o600 });
      linkSync(join(data, name), join(folder.path, 'other.db'));
      expect(started(true))
        .to.match(new RegExp(`^${variable}: .*${name} has 2 names \\(hard links\\)`))
        .and.to.match(cure);
      expect(started(false)).to.equal('right');
      rmSync(join(folder.path, 'other.db'));
    }
    linkSync(join(data, 'events.db'), join(data, 'events.db.set-aside-0123abcd'));
    expect(started(true)).to.equal('right');
    rmSync(join(data, 'events.db.set-aside-0123abcd'));
  });

  it('is one whose databases, or whose own folders, are links to what others may change', () => {
    const elsewhere = join(folder.path, 'elsewhere');
    mkdirSync(join(elsewhere, 'statements'), { recursive: true, mode: 0o700 });
    const files = ['events.db', 'events.db-wal', 'statements/file', 'other'].map((name) => join(elsewhere, name));
    for (const file of files) writeFileSync(file, '', { mode: 0o600 });
    const link = join(folder.path, 'link.db');
    symlinkSync(join(elsewhere, 'events.db'), link);
    rmSync(join(data, 'events.db'));
    symlinkSync(join(elsewhere, 'events.db'), join(data, 'events.db'));
    symlinkSync(join(elsewhere, 'statements'), join(data, 'statements'));
    expect([found(), openDatabase(link, UID)]).to.deep.equal([[], []]);
    for (const file of files) chmodSync(file, 0o666);
    expect(found()).to.include.members([join(elsewhere, 'events.db-wal'), join(data, 'statements', 'file')]);
    expect(found()).not.to.include(join(elsewhere, 'other'));
    const wal = join(elsewhere, 'events.db-wal');
    expect(openDatabase(link, UID).map(({ path }) => path)).to.include(wal);
    expect(openAbove(link)).to.equal(null);
    chmodSync(elsewhere, 0o777);
    expect(openAbove(link)?.path).to.equal(elsewhere);
    chmodSync(elsewhere, 0o700);
  });

  for (const mode of [0o770, 0o707, 0o720, 0o702]) {
    it(`is one of mode ${mode.toString(8)}: the start is refused, a command is not`, () => {
      chmodSync(data, mode);
      expect(found()).to.deep.equal([data]);
      expect(started(true)).to.match(/^DATA_DIR: .*data can be written to by others.*; chmod go-w .*data$/);
      expect(started(false)).to.equal('right');
    });
  }

  it('has a device where a file should be, which nobody is told to move', () => {
    symlinkSync('/dev/full', join(data, 'log-keys'));
    expect(started(true)).to.match(
      /^DATA_DIR: .* is a pipe or a device, and no file; name another file than .*log-keys$/,
    );
  });

  it('has a pipe where a file should be, whose reader would wait for ever', () => {
    mkdirSync(join(data, 'log-tree'), { mode: 0o700 });
    for (const name of ['log-keys', 'log-tree/positions']) {
      execFileSync('mkfifo', ['-m', '600', join(data, name)]);
      expect(found()).to.deep.equal([join(data, name)]);
      expect(started(true)).to.match(/^DATA_DIR: .* is a pipe or a device, and no file; move .* away$/);
      rmSync(join(data, name));
    }
  });

  it("has a folder of the ledger's own, or a file in one, that others may write", () => {
    for (const name of ['log-tree', 'statements', 'uploads']) {
      const own = join(data, name);
      mkdirSync(own, { mode: 0o700 });
      writeFileSync(join(own, 'file'), '', { mode: 0o600 });
      expect(found()).to.deep.equal([]);
      chmodSync(own, 0o777);
      expect(found()).to.deep.equal([own]);
      expect(started(true)).to.include(own);
      chmodSync(own, 0o700);
      chmodSync(join(own, 'file'), 0o666);
      expect(found()).to.deep.equal([join(own, 'file')]);
      chmodSync(join(own, 'file'), 0o600);
    }
  });

  it('is one whose databases are elsewhere, where others may write to them', () => {
    for (const [variable, name, above] of [
      ['EVENT_STORE_URL', 'elsewhere.db', folder.path],
      ['READ_MODEL_URL', 'models.db', folder.path],
      // A folder of its own inside the data directory is not one of the ledger's.
      ['EVENT_STORE_URL', 'inside.db', data],
    ] as const) {
      const elsewhere = join(above, name);
      const file = join(elsewhere, name);
      mkdirSync(elsewhere, { mode: 0o700 });
      const env = { DATA_DIR: data, [variable]: `sqlite:${file}` };
      const load = () => loadConfig(env, { generate: true, randomBytes });
      const line = (): string => E.match(configErrorLine, () => 'right')(load());
      expect(line()).to.equal('right');
      for (const beside of ['', '-wal', '.lock', '.g7']) {
        writeFileSync(file + beside, '', { mode: 0o600 });
        expect(line()).to.equal('right');
        chmodSync(file + beside, 0o606);
        expect(line()).to.equal(
          `${variable}: ${file}${beside} can be written to by others on this machine; chmod go-w ${file}${beside}`,
        );
        expect(lookAtDataDirectory(data, [file])).to.have.nested.property('changeable[0].path', file + beside);
        chmodSync(file + beside, 0o600);
      }
      writeFileSync(join(elsewhere, 'of-somebody'), '');
      chmodSync(join(elsewhere, 'of-somebody'), 0o666);
      expect(openDatabase(file, UID + 1)).to.have.length(4);
      chmodSync(elsewhere, 0o777);
      expect(right(load()).warnings.filter((text) => text.includes(`chmod o-w ${elsewhere}`))).to.have.length(1);
      expect(lookAtDataDirectory(data, [file]))
        .to.have.nested.property('told[0].detail')
        .that.includes(elsewhere);
    }
  });

  it('has a file that is none of the ledger’s and that others may write: it is told of, and the start is not refused', () => {
    const file = join(data, 'orders.csv');
    const warnings = (): readonly string[] =>
      right(loadConfig({ DATA_DIR: data }, { generate: true, randomBytes })).warnings;
    writeFileSync(file, '', { mode: 0o600 });
    expect(warnings()).to.deep.equal([]);
    chmodSync(file, 0o666);
    expect(found()).to.deep.equal([]);
    expect(warnings()).to.have.length(1);
    expect(warnings()[0]).to.match(/^DATA_DIR: .*orders\.csv is no file of the ledger's, and others can write to it; /);
    expect(lookAtDataDirectory(data)).to.have.nested.property('told[0].path', file);
  });

  it('has a database, or a secret, of another name that others may write: by its variable it is the ledger’s', () => {
    for (const [variable, name, value] of [
      ['EVENT_STORE_URL', 'mine.db', 'sqlite:'],
      ['READ_MODEL_URL', 'models.db', 'sqlite:'],
      ['WEBHOOK_SECRETS_FILE', 'secrets', ''],
    ] as const) {
      const file = join(data, name);
      writeFileSync(file, value === '' ? `main=${'s'.repeat(32)}` : '', { mode: 0o600 });
      const env = { DATA_DIR: data, [variable]: `${value}${file}` };
      const line = (): string =>
        E.match(configErrorLine, () => 'right')(loadConfig(env, { generate: true, randomBytes }));
      expect(line()).to.equal('right');
      chmodSync(file, 0o606);
      expect(line()).to.equal(`${variable}: ${file} can be written to by others on this machine; chmod go-w ${file}`);
      const seen = lookAtDataDirectory(data, value === '' ? [] : [file], null, env);
      expect(seen).to.have.nested.property('changeable[0].path', file);
      rmSync(file);
    }
  });

  it('is beside a secret elsewhere that others may write, of which start and doctor warn, and of containers’ not', () => {
    const file = join(folder.path, 'mounted');
    writeFileSync(file, `main=${'s'.repeat(32)}`);
    symlinkSync('mounted', join(folder.path, 'link'));
    const told = (generate: boolean): readonly string[] =>
      right(loadConfig({ DATA_DIR: data, WEBHOOK_SECRETS_FILE: join(folder.path, 'link') }, { generate, randomBytes }))
        .warnings;
    for (const [mode, isTold] of [
      [0o400, false],
      [0o444, false],
      [0o644, false],
      [0o664, true],
      [0o666, true],
    ] as const) {
      chmodSync(file, mode);
      const warned = [
        'WEBHOOK_SECRETS_FILE: its file can be written to by others on this machine, who could put a value of their own in it; chmod go-w it',
      ];
      for (const generate of [true, false]) expect(told(generate)).to.deep.equal(isTold ? warned : []);
    }
  });

  it('is beside a secret elsewhere in a folder where everybody may exchange it, of which start and doctor warn', () => {
    const [open, shown] = [join(folder.path, 'open'), join(folder.path, 'shown')];
    mkdirSync(open);
    writeFileSync(join(open, 'secrets'), `main=${'s'.repeat(32)}`, { mode: 0o600 });
    symlinkSync(open, shown);
    const told = (path: string): readonly string[] =>
      right(loadConfig({ DATA_DIR: data, WEBHOOK_SECRETS_FILE: path }, { generate: false, randomBytes })).warnings;
    const warned = [
      'WEBHOOK_SECRETS_FILE: everybody on this machine may put another file in the place of its file, since a folder on the way to it can be written to by all; chmod o-w that folder',
    ];
    for (const [mode, isTold] of [
      [0o700, false],
      [0o775, false],
      [0o777, true],
      [0o1777, false],
    ] as const) {
      chmodSync(open, mode);
      for (const path of [join(open, 'secrets'), join(shown, 'secrets')])
        expect(told(path), path).to.deep.equal(isTold ? warned : []);
    }
  });

  it("has a file, or a link to one, that others may write, or that is somebody else's", () => {
    chmodSync(join(data, 'events.db'), 0o660);
    expect(found()).to.deep.equal([join(data, 'events.db')]);
    expect(started(true)).to.include('events.db');
    chmodSync(join(data, 'events.db'), 0o600);
    writeFileSync(join(folder.path, 'elsewhere'), '');
    chmodSync(join(folder.path, 'elsewhere'), 0o602);
    symlinkSync(join(folder.path, 'elsewhere'), join(data, 'api-key'));
    expect(found()).to.deep.equal([join(data, 'api-key')]);
    expect(openToOthers(data, UID + 1).map(({ detail }) => detail)).to.include(
      `${data} belongs to another user (uid ${UID}, the ledger runs as ${UID + 1})`,
    );
  });
});
