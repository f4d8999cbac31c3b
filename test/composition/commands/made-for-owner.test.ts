import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { configErrorLine, loadConfig } from '../../../src/config/index.ts';
import { backUp } from '../../../src/event-store/sqlite/back-up.ts';
import { workForOwner } from '../../../src/files/for-owner.ts';
import { statementOf } from '../../support/bank-imports.ts';
import { fillLedger } from '../../support/filled-ledger.ts';
import { right } from '../../support/right.ts';
import { runHere } from '../../support/run-here.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Somebody who is neither root nor whoever runs the tests. */
const OWNER = 54_321;

/** Only root works in somebody else's folder. */
const itAsRoot = process.geteuid?.() === 0 ? it : () => undefined;

describe('what root makes in the data directory of somebody else', () => {
  let folder = temporaryFolder();
  const at = (...names: readonly string[]): string => join(folder.path, ...names);
  const all = (): readonly string[] => [
    at('data'),
    ...readdirSync(at('data'), { recursive: true, encoding: 'utf8' }).map((name) => at('data', name)),
  ];
  const others = (): readonly string[] => all().filter((path) => statSync(path).uid !== OWNER);
  const give = (): void => {
    for (const path of all()) chownSync(path, OWNER, OWNER);
  };
  const run = async (...args: readonly string[]): Promise<void> => {
    const { status, err } = await runHere(args, { DATA_DIR: at('data') });
    expect(status, `${args.join(' ')}: ${err}`).to.equal(0);
    expect(others(), args.join(' ')).to.deep.equal([]);
  };

  beforeEach(async () => {
    folder = temporaryFolder();
    await runHere(['serve'], { DATA_DIR: at('data'), PORT: '0', LOG_LEVEL: 'error' });
    await fillLedger({ file: at('data', 'events.db'), dataDir: at('data') }, 4);
    give();
  });
  afterEach(() => {
    // What other tests make is theirs.
    workForOwner(at());
    folder.remove();
  });

  itAsRoot('is that owner’s, where read models are built, asked, and proved', async () => {
    for (const command of [['replay'], ['orders'], ['checkpoint'], ['verify']]) {
      await run(...command);
      if (command[0] !== 'replay') continue;
      expect(existsSync(at('data', 'read-models.db.build-lock'))).to.equal(true);
    }
    for (const name of readdirSync(at('data')))
      if (name.startsWith('read-models.db') || name.endsWith('.lock') || name === 'log-tree')
        rmSync(at('data', name), { recursive: true });
    for (const command of [['orders'], ['checkpoint'], ['replay']]) await run(...command);
  });

  itAsRoot('is that owner’s, where a backup is restored and the log is migrated', async () => {
    writeFileSync(at('bank.sta'), statementOf());
    await run('statement', 'import', at('bank.sta'));
    await run('backup', '--out', at('backup.db'));
    expect(statSync(at('backup.db')).uid).to.equal(0);
    rmSync(at('data', 'statements'), { recursive: true });
    await run('restore', at('backup.db'), '--set-aside');
    expect(readdirSync(at('data', 'statements'))).to.have.length(1);
    await run('migrate', '--to', `sqlite:${at('data', 'moved.db')}`);
    expect(existsSync(at('data', 'moved.db'))).to.equal(true);
    await run('migrate', '--to', `sqlite:${at('elsewhere', 'below', 'events.db')}`);
    for (const name of ['', 'below', 'below/events.db'])
      expect(statSync(at('elsewhere', name)).uid, name).to.equal(OWNER);
  });

  itAsRoot('is that owner’s, where exports and backups are put there, or below, and root’s elsewhere', async () => {
    mkdirSync(at('data', 'files'));
    give();
    for (const to of [['data'], ['data', 'files']]) {
      await run('backup', '--out', at(...to, 'backup.db'));
      await run('export', 'orders', '--out', at(...to, 'orders.csv'));
      expect(existsSync(at(...to, 'orders.csv.manifest.json'))).to.equal(true);
    }
    await run('export', 'orders', '--out', at('orders.csv'));
    expect(statSync(at('orders.csv')).uid).to.equal(0);
  });

  itAsRoot('is that owner’s while it is being made: the draft of a backup', async () => {
    expect(workForOwner(at('data'))).to.equal(null);
    right(await backUp(at('data', 'events.db'), at('data', 'backup.0123456789abcdef.part'), () => undefined));
    expect(others()).to.deep.equal([]);
    right(await backUp(at('data', 'events.db'), at('backup.0123456789abcdef.part'), () => undefined));
    expect(statSync(at('backup.0123456789abcdef.part')).uid).to.equal(0);
  });

  itAsRoot('keeps no ledger of that owner from starting, where root itself has put it there', () => {
    writeFileSync(at('data', 'by-hand.csv'), '');
    const started = (): string =>
      E.match(configErrorLine, () => 'right')(loadConfig({ DATA_DIR: at('data') }, { generate: true, randomBytes }));
    for (const path of all()) chownSync(path, 0, 0);
    chownSync(at('data', 'by-hand.csv'), OWNER, OWNER);
    expect(started()).to.equal('right');
    chownSync(at('data', 'api-key'), OWNER, OWNER);
    expect(started()).to.match(/^DATA_DIR: .*api-key belongs to another user/);
  });
});
