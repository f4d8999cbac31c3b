import { mkdirSync, symlinkSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { configErrorLine, loadConfig, type Environment } from '../../src/config/index.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the names of databases', () => {
  const { path, remove } = temporaryFolder();
  const dataDir = `${path}/data`;
  before(() => {
    mkdirSync(dataDir);
    symlinkSync(dataDir, `${path}/to-data`);
  });
  after(remove);

  const loaded = (env: Environment) => loadConfig({ DATA_DIR: dataDir, ...env }, { generate: false, randomBytes });
  const refused = (env: Environment) => {
    const result = loaded(env);
    return E.isLeft(result) ? result.left : expect.fail('nothing was found wrong');
  };
  const inData = (name: string): string => `sqlite:${dataDir}/${name}`;

  for (const variable of ['READ_MODEL_URL', 'EVENT_STORE_URL'])
    for (const [name, met] of [
      ['ledger', 'ledger.lock'],
      ['imports', 'imports.lock'],
      ['months', 'months.lock'],
      ['Ledger', 'ledger.lock'],
      ['spool.db', 'spool.db'],
      ['spool.db-wal', 'spool.db-wal'],
      ['events.db.lock', 'events.db.lock'],
      ['read-models.db.g7', 'read-models.db.g7'],
      ['origin', 'origin'],
      ['ledger-id', 'ledger-id'],
      ['signing-key', 'signing-key'],
      ['webhook-secret', 'webhook-secret'],
      ['ledger.sock', 'ledger.sock'],
      ['checkpoints-0123456789abcdef', 'checkpoints-0123456789abcdef'],
      ['log-tree', 'log-tree'],
      ['statements/models.db', 'statements/models.db'],
      ['../to-data/ledger', 'ledger.lock'],
    ] as const)
      it(`are not, for ${variable}, ${name} in the data directory: ${met} is kept there`, () => {
        const wrong = refused({ [variable]: inData(name) });
        expect(wrong).to.include({ variable });
        expect(configErrorLine(wrong))
          .to.match(/^[^\n]+$/)
          .and.to.include(` of ${met}; name a file of another name`);
      });

  it('are known before anything is there as they are behind that, by whatever links', () => {
    symlinkSync(path, `${path}/link`);
    symlinkSync('data/spool.db', `${path}/e.db`);
    for (const url of [`sqlite:${path}/link/new/spool.db`, `sqlite:${path}/link/new/ledger`])
      expect(refused({ DATA_DIR: `${path}/link/new`, EVENT_STORE_URL: url })).to.include({
        variable: 'EVENT_STORE_URL',
      });
    expect(refused({ EVENT_STORE_URL: `sqlite:${path}/e.db` })).to.include({ variable: 'EVENT_STORE_URL' });
  });

  it('are not those of each other, nor of what is kept beside each other', () => {
    for (const [events, models] of [
      ['x', 'x.lock'],
      ['x.lock', 'x'],
      ['x', 'x.g3'],
      ['x', 'x-wal'],
    ] as const) {
      const wrong = refused({
        EVENT_STORE_URL: `sqlite:${path}/${events}`,
        READ_MODEL_URL: `sqlite:${path}/${models}`,
      });
      expect(wrong, `${events} and ${models}`).to.include({ variable: 'READ_MODEL_URL' });
    }
    expect(refused({ EVENT_STORE_URL: inData('x'), READ_MODEL_URL: `sqlite:${path}/to-data/x` })).to.include({
      problem: 'it names the file of the event store',
    });
    expect(refused({ EVENT_STORE_URL: inData('read-models.db') })).to.include({ variable: 'READ_MODEL_URL' });
  });

  it('may be any others, the usual ones of either, and those outside of the data directory', () => {
    for (const [events, models] of [
      [inData('events.db'), inData('read-models.db')],
      [inData('shop.db'), inData('shop-models.db')],
      [`sqlite:${path}/ledger`, `sqlite:${path}/months`],
      ['sqlite:', 'sqlite:'],
      [inData('read-models.db'), inData('events.db')],
      [inData('events.db.set-aside-0123abcd'), 'sqlite:'],
      [inData('read-models.db'), `sqlite:${path}/models.db`],
      [`sqlite:${path}/events.db`, inData('events.db')],
    ] as const)
      right(loaded({ EVENT_STORE_URL: events, READ_MODEL_URL: models }));
  });
});
