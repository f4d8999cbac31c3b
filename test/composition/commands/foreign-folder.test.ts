import { randomBytes } from 'node:crypto';
import {
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { configErrorLine, loadConfig } from '../../../src/config/index.ts';
import { statementOf } from '../../support/bank-imports.ts';
import { fillLedger } from '../../support/filled-ledger.ts';
import { runHere } from '../../support/run-here.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Somebody who is neither root nor whoever runs the tests. */
const OWNER = 54_321;

/** Only root can give a folder to somebody else; for whoever else runs the tests there is nothing to see. */
const asRoot = (seen: () => void | Promise<void>): (() => void | Promise<void>) =>
  process.geteuid?.() === 0 ? seen : () => undefined;

describe('the data directory of somebody else', () => {
  let folder = temporaryFolder();
  const at = (...names: readonly string[]): string => join(folder.path, ...names);
  const all = (): readonly string[] => [
    at('data'),
    ...readdirSync(at('data'), { recursive: true, encoding: 'utf8' }).map((name) => at('data', name)),
  ];
  /** What is where, whose it is, and when it was written. */
  const seen = (): readonly string[] =>
    [...all(), at('backup.db'), at('outside')].map((path) => {
      const { uid, size, mtimeMs } = lstatSync(path);
      return [path, uid, size, mtimeMs].join(' ');
    });

  beforeEach(async () => {
    folder = temporaryFolder();
    await runHere(['serve'], { DATA_DIR: at('data'), PORT: '0', LOG_LEVEL: 'error' });
    await fillLedger({ file: at('data', 'events.db'), dataDir: at('data') }, 4);
    await runHere(['orders'], { DATA_DIR: at('data') });
    await runHere(['backup', '--out', at('backup.db')], { DATA_DIR: at('data') });
    writeFileSync(at('bank.sta'), statementOf());
    mkdirSync(at('outside'));
    for (const path of all()) chownSync(path, OWNER, OWNER);
  });
  afterEach(() => folder.remove());

  it(
    'is worked in by nobody else, root neither, who would make what its owner can not use',
    asRoot(async () => {
      const before = seen();
      for (const command of [
        ['replay'],
        ['orders'],
        ['report', 'onramp'],
        ['checkpoint'],
        ['verify'],
        ['statement', 'import', at('bank.sta')],
        ['backup', '--out', at('data', 'copy.db')],
        ['backup', '--out', at('copy.db')],
        ['restore', at('backup.db'), '--set-aside'],
        ['migrate', '--to', `sqlite:${at('elsewhere', 'events.db')}`],
        ['export', 'orders', '--out', at('data', 'orders.csv')],
      ]) {
        const { status, err } = await runHere(command, { DATA_DIR: at('data') });
        expect([status, err], command.join(' ')).to.deep.equal([
          1,
          `ramp-ledger: DATA_DIR: ${at('data')} belongs to another user (uid ${OWNER}, this command runs as 0), who could not use what it makes there: run it as that user\n`,
        ]);
        expect(seen(), command.join(' ')).to.deep.equal(before);
      }
    }),
  );

  it(
    'leads root nowhere by the links that its owner puts into it',
    asRoot(async () => {
      writeFileSync(at('outside', 'kept'), 'mine');
      rmSync(at('data', 'events.db'));
      symlinkSync(at('outside', 'kept'), at('data', 'events.db'));
      for (const name of readdirSync(at('data'))) if (name.startsWith('read-models.db')) rmSync(at('data', name));
      symlinkSync(at('outside', 'made'), at('data', 'read-models.db'));
      for (const command of [['orders'], ['replay'], ['checkpoint'], ['restore', at('backup.db'), '--set-aside']])
        expect(await runHere(command, { DATA_DIR: at('data') }), command.join(' ')).to.include({ status: 1 });
      expect(readdirSync(at('outside'))).to.deep.equal(['kept']);
      expect(readFileSync(at('outside', 'kept'), 'utf8')).to.equal('mine');
    }),
  );

  it(
    'keeps no ledger of its owner from starting by what root has put there by hand',
    asRoot(() => {
      writeFileSync(at('data', 'by-hand.csv'), '');
      const started = (): string =>
        E.match(configErrorLine, () => 'right')(loadConfig({ DATA_DIR: at('data') }, { generate: true, randomBytes }));
      for (const path of all()) chownSync(path, 0, 0);
      chownSync(at('data', 'by-hand.csv'), OWNER, OWNER);
      expect(started()).to.equal('right');
      chownSync(at('data', 'api-key'), OWNER, OWNER);
      expect(started()).to.match(/^DATA_DIR: .*api-key belongs to another user/);
    }),
  );
});
