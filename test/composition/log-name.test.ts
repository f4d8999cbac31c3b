import { symlinkSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { logNameOf } from '../../src/composition/log-name.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the name of a log', () => {
  const { path, remove } = temporaryFolder();
  after(remove);

  const onServer = (url: string, streamPrefix = '') => logNameOf({ kind: 'eventstoredb', url, streamPrefix });
  const onFile = (file: string) => logNameOf({ kind: 'sqlite', file });

  it('tells logs apart by their servers, prefix or file, however these are written, and tells no secret', () => {
    const log = onServer('esdb://admin:hush@a.example,b.example:2114?tls=false');
    for (const same of [
      'esdb://ledger:other@B.example:2114,A.example:2113',
      'esdb://a.example,b.example:2114/?nodePreference=random',
    ])
      expect(onServer(same), same).to.equal(log);
    for (const other of ['esdb://a.example', 'esdb://a.example,b.example', 'esdb://c.example,b.example:2114'])
      expect(onServer(other), other).to.not.equal(log);
    expect(onServer('esdb://a.example', 'shop-')).to.not.equal(onServer('esdb://a.example', 'test-'));
    expect(log).to.match(/^[0-9a-f]{64}$/);

    writeFileSync(`${path}/events.db`, '');
    symlinkSync(`${path}/events.db`, `${path}/link.db`);
    expect(onFile(`${path}/link.db`)).to.equal(onFile(`${path}/events.db`));
    expect(onFile(`${path}/other.db`)).to.not.equal(onFile(`${path}/events.db`));
  });
});
