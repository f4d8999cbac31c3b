import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { commandConfig } from '../../../src/composition/commands/command-config.ts';
import { openServing } from '../../../src/event-store/sqlite/sqlite-event-store.ts';
import { right } from '../../support/right.ts';
import { runHere } from '../../support/run-here.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** What commands read, or stand at. */
const FILES = [
  'events.db',
  'events.db-wal',
  'events.db.lock',
  'read-models.db.g1',
  'spool.db',
  'imports.lock',
  'log-keys',
  'accepted-losses',
  'begun-here',
  'witnesses.json',
  'checkpoints-0123456789abcdef',
  'log-tree/positions',
  'statements/0123456789abcdef',
];

describe('a command, where something else stands in the place of a file of the ledger', () => {
  let folder = temporaryFolder();
  beforeEach(async () => {
    folder = temporaryFolder();
    for (const name of ['log-tree', 'statements']) mkdirSync(at(name), { recursive: true, mode: 0o700 });
    await right(await openServing({ file: at('events.db'), dataDir: at('') })).close();
  });
  afterEach(() => folder.remove());
  const at = (name: string): string => join(folder.path, 'data', name);
  const env = () => ({ DATA_DIR: join(folder.path, 'data') });
  const pipe = (path: string): void => {
    rmSync(path, { force: true });
    execFileSync('mkfifo', ['-m', '600', path]);
  };

  it('is refused at a pipe before it waits there, in one line that names it', () => {
    const source = new URL('../../../src/composition/commands/command-config.ts', import.meta.url).href;
    for (const name of FILES) pipe(at(name));
    const program = `import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { commandConfig } from '${source}';
for (;;) {
  const { left } = commandConfig({ DATA_DIR: process.argv[1] });
  console.log(left?.line ?? 'none');
  const [, path] = /; move (.*) away$/.exec(left?.line ?? '') ?? [];
  if (path === undefined) break;
  rmSync(path);
}`;
    // A process of its own: one that waits there hears nothing.
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program, at('')], {
      encoding: 'utf8',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    expect(stdout.trimEnd().split('\n')).to.have.members([
      ...FILES.map((name) => `DATA_DIR: ${at(name)} is a pipe or a device, and no file; move ${at(name)} away`),
      'none',
    ]);
  }).timeout(30_000);

  it('is refused at a folder in the place of the events, of their log or lock, and at no other', async () => {
    for (const name of ['arrivals.json', 'imports.lock']) mkdirSync(at(name), { mode: 0o700 });
    expect(E.isRight(commandConfig(env()))).to.equal(true);
    for (const name of ['events.db-wal', 'events.db.lock']) {
      rmSync(at(name), { force: true });
      mkdirSync(at(name), { mode: 0o700 });
      const line = `DATA_DIR: ${at(name)} is a folder, and the ledger keeps a file there; move ${at(name)} away`;
      expect(commandConfig(env())).to.deep.equal(E.left({ status: 2, line }));
      rmSync(at(name), { recursive: true });
    }
    rmSync(at('events.db'));
    mkdirSync(at('events.db'), { mode: 0o700 });
    for (const command of [['verify'], ['backup', '--out', join(folder.path, 'copy.db')]]) {
      const { status, err } = await runHere(command, env());
      expect([status, err]).to.deep.equal([
        2,
        `ramp-ledger: EVENT_STORE_URL: ${at('events.db')} is a folder; name a file\n`,
      ]);
    }
  });
});
