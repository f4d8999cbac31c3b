import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { composeFile } from './compose-file.ts';
import { runScript, type Ran } from './container-folder.ts';

const PASSWORDS = ['store-admin-password', 'store-ops-password', 'store-ledger-password'];

describe('deploy/make-secrets.sh', () => {
  let folder = '';
  let remove = (): void => undefined;
  const secrets = (): string => join(folder, 'secrets');
  const make = (): Ran => runScript('make-secrets.sh', [secrets()]);
  const contents = (): ReadonlyMap<string, string> =>
    new Map(readdirSync(secrets()).map((name) => [name, readFileSync(join(secrets(), name), 'utf8')]));
  const mode = (path: string): string => (statSync(path).mode & 0o7777).toString(8);

  beforeEach(() => {
    const temporary = temporaryFolder();
    folder = temporary.path;
    remove = temporary.remove;
  });
  afterEach(() => remove());

  it('makes every secret that docker-compose.yml reads, and no other file', () => {
    expect(make().status).to.equal(0);
    expect([...contents().keys()]).to.have.members(Object.keys(composeFile().secrets));
  });

  it('closes the folder to others, and keeps passwords from the ledger too', () => {
    make();
    expect(mode(secrets())).to.equal('700');
    for (const name of contents().keys()) {
      expect(mode(join(secrets(), name)), name).to.equal(PASSWORDS.includes(name) ? '600' : '644');
    }
  });

  it('never changes what is there, and makes what is missing', () => {
    make();
    const before = contents();
    writeFileSync(join(secrets(), 'webhook-secrets'), 'main=what-the-provider-signs-with');
    rmSync(join(secrets(), 'api-keys'));
    const again = make();
    expect(again.status).to.equal(0);
    expect(again.out).to.equal(`made ${secrets()}/api-keys\n`);
    const after = contents();
    expect(after.get('webhook-secrets')).to.equal('main=what-the-provider-signs-with');
    expect(after.get('api-keys')).to.not.equal(before.get('api-keys'));
    for (const name of ['event-store-url', 'event-store-url-cluster', ...PASSWORDS]) {
      expect(after.get(name), name).to.equal(before.get(name));
    }
  });

  it('makes nothing of bytes that could not be read, and counts an empty file as not there', () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'od'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const failed = runScript('make-secrets.sh', [secrets()], { PATH: `${bin}:${process.env['PATH'] ?? ''}` });
    expect(failed.status).to.equal(1);
    expect(failed.err).to.match(/^make-secrets\.sh: od gave no 24 bytes.*\n$/);
    expect([...contents().keys()]).to.deep.equal([]);
    writeFileSync(join(secrets(), 'store-ops-password'), '');
    expect(make().status).to.equal(0);
    for (const [name, text] of contents()) expect(text, name).to.match(/[\da-f]{48}/);
  });

  it('writes a password as it stands in a URL, whatever is in it', () => {
    make();
    for (const name of ['event-store-url', 'event-store-url-cluster']) rmSync(join(secrets(), name));
    const password = 'p@ss/w?rd#1%ü ';
    writeFileSync(join(secrets(), 'store-ledger-password'), password);
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'od'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const failed = runScript('make-secrets.sh', [secrets()], { PATH: `${bin}:${process.env['PATH'] ?? ''}` });
    expect(failed.status).to.equal(1);
    expect([...contents().keys()]).to.not.include('event-store-url');
    expect(make().status).to.equal(0);
    for (const name of ['event-store-url', 'event-store-url-cluster']) {
      const [, encoded = ''] = /^esdb:\/\/ledger:([^@/?#]*)@store/.exec(contents().get(name) ?? '') ?? [];
      expect(decodeURIComponent(encoded), name).to.equal(password);
    }
  });

  it('makes another value each time, of 24 random bytes, and says none of them', () => {
    const { out, err } = make();
    const values = [...contents().values()].map((text) => text.match(/[\da-f]{48}/)?.[0] ?? '');
    // The two URLs hold the password of the ledger's user.
    expect(new Set(values).size).to.equal(values.length - 2);
    expect(values).to.not.include('');
    for (const value of values) expect(out + err).to.not.contain(value);
  });

  it('gives the ledger the password that the set-up gives its user', () => {
    make();
    const password = contents().get('store-ledger-password') ?? '';
    expect(contents().get('event-store-url')).to.contain(`esdb://ledger:${password}@store:2113?`);
    expect(contents().get('event-store-url-cluster')).to.contain(
      `esdb://ledger:${password}@store-1:2113,store-2:2113,store-3:2113?`,
    );
  });
});
