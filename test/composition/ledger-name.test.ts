import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { ledgerNameOf, ledgerPartsOf } from '../../src/composition/ledger-name.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the name of a ledger', () => {
  const { path, remove } = temporaryFolder();
  after(remove);

  const onServer = (url: string, streamPrefix = '', dataDir = path) =>
    ledgerPartsOf({ dataDir, eventStore: { kind: 'eventstoredb', url, streamPrefix } });
  const onFile = (file: string) => ledgerPartsOf({ dataDir: path, eventStore: { kind: 'sqlite', file } });

  it('tells logs apart by their servers, prefix or file, however these are written, and tells no secret', () => {
    const { log } = onServer('esdb://admin:hush@a.example,b.example:2114?tls=false');
    for (const same of [
      'esdb://ledger:other@B.example:2114,A.example:2113',
      'esdb://a.example,b.example:2114/?nodePreference=random',
    ])
      expect(onServer(same).log, same).to.equal(log);
    for (const other of ['esdb://a.example', 'esdb://a.example,b.example', 'esdb://c.example,b.example:2114'])
      expect(onServer(other).log, other).to.not.equal(log);
    expect(onServer('esdb://a.example', 'shop-').log).to.not.equal(onServer('esdb://a.example', 'test-').log);
    expect(log).to.match(/^[0-9a-f]{64}$/);

    writeFileSync(`${path}/events.db`, '');
    symlinkSync(`${path}/events.db`, `${path}/link.db`);
    expect(onFile(`${path}/link.db`)).to.deep.equal(onFile(`${path}/events.db`));
    expect(onFile(`${path}/other.db`).log).to.not.equal(onFile(`${path}/events.db`).log);
  });

  it('is that of a data directory from which one has served, under whatever path', () => {
    const eventStore = { kind: 'sqlite', file: `${path}/events.db` } as const;
    const data = `${path}/data`;
    mkdirSync(data);
    expect(ledgerNameOf({ dataDir: data, eventStore })).to.equal(null);
    writeFileSync(`${data}/ledger.lock`, '');
    symlinkSync(data, `${path}/to-data`);
    expect(ledgerNameOf({ dataDir: data, eventStore })).to.be.an('object');
    expect(ledgerNameOf({ dataDir: `${path}/to-data`, eventStore })).to.deep.equal(
      ledgerNameOf({ dataDir: data, eventStore }),
    );
  });
});
