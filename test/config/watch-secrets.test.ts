import fs, { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { mock } from 'node:test';
import { expect } from 'chai';
import { keyEntry, noticeOf, secretEntry, WatchedSecrets, type Notice } from '../support/watched-secrets.ts';

describe('watching the secrets', () => {
  let scene = new WatchedSecrets();
  beforeEach(() => {
    scene.end();
    scene = new WatchedSecrets();
  });
  after(() => scene.end());

  it('sees a file that is replaced by a rename', async () => {
    writeFileSync(scene.path('secrets'), secretEntry('old'));
    scene.watch({ WEBHOOK_SECRETS_FILE: scene.path('secrets') });
    for (const id of ['new', 'newer']) {
      writeFileSync(scene.path('draft'), secretEntry(id));
      renameSync(scene.path('draft'), scene.path('secrets'));
      expect(await scene.next()).to.deep.equal(noticeOf([id]));
    }
  });

  it('sees a file that is written in place, its size unchanged', async () => {
    writeFileSync(scene.path('secrets'), secretEntry('abc'));
    scene.watch({ WEBHOOK_SECRETS_FILE: scene.path('secrets') });
    // One call, so that no half of it is seen.
    writeFileSync(scene.path('secrets'), secretEntry('abd'), { flag: 'r+' });
    expect(await scene.next()).to.deep.equal(noticeOf(['abd']));
  });

  it('sees the symlink swap of a mounted volume, all of its files in one reload', async () => {
    for (const [version, active, retired] of [
      ['v1', 'a', 'z'],
      ['v2', 'b', 'a'],
    ] as const) {
      mkdirSync(scene.path(version));
      writeFileSync(join(scene.path(version), 'active'), secretEntry(active));
      writeFileSync(join(scene.path(version), 'retired'), secretEntry(retired));
    }
    symlinkSync('v1', scene.path('..data'));
    for (const name of ['active', 'retired']) symlinkSync(join('..data', name), scene.path(name));
    scene.watch({ WEBHOOK_SECRETS_FILE: scene.path('active'), WEBHOOK_RETIRED_SECRETS_FILE: scene.path('retired') });
    symlinkSync('v2', scene.path('..data_tmp'));
    renameSync(scene.path('..data_tmp'), scene.path('..data'));
    expect(await scene.next()).to.deep.equal(noticeOf(['b'], ['a']));
    expect(scene.notices).to.deep.equal([]);
  });

  it('takes back every secret that is not there, validly, any more, keeps those that can be read, and tells why', async () => {
    scene.replace('secrets', `${secretEntry('a')},${secretEntry('b')}`);
    scene.watch({ WEBHOOK_SECRETS_FILE: scene.path('secrets') });
    scene.replace('secrets', `${secretEntry('a')},b=short,${secretEntry('c')}`);
    expect(await scene.next()).to.deep.equal({ ...noticeOf(['a', 'c']), wrong: ['WEBHOOK_SECRETS_FILE'] });
    scene.replace('secrets', '');
    expect(await scene.next()).to.deep.equal({ ...noticeOf([]), wrong: ['WEBHOOK_SECRETS_FILE'] });
    scene.replace('secrets', secretEntry('d'));
    expect(await scene.next()).to.deep.equal(noticeOf(['d']));
    rmSync(scene.path('secrets'));
    expect(await scene.next()).to.deep.equal({ ...noticeOf([]), wrong: ['WEBHOOK_SECRETS_FILE'] });
  });

  for (const mark of ['#', ';', '//', '--', '"'])
    it(`takes back what somebody has taken out with ${mark} before it`, async () => {
      scene.replace('secrets', `${secretEntry('a')},${secretEntry('b')}`);
      scene.replace('keys', `${keyEntry('a')},${keyEntry('b')}`);
      scene.watch({ WEBHOOK_SECRETS_FILE: scene.path('secrets') });
      scene.replace('secrets', `${mark}${secretEntry('a')},${secretEntry('b')}`);
      expect(await scene.next()).to.deep.equal({ ...noticeOf(['b']), wrong: ['WEBHOOK_SECRETS_FILE'] });
      scene.replace('secrets', `${secretEntry('c')},${mark}${secretEntry('b')}`);
      expect(await scene.next()).to.deep.equal({ ...noticeOf(['c']), wrong: ['WEBHOOK_SECRETS_FILE'] });
    });

  it('takes back API keys likewise: emptied, spoiled, removed', async () => {
    scene.replace('keys', `${keyEntry('a')},${keyEntry('b')}`);
    scene.watch({ API_KEYS_FILE: scene.path('keys') });
    const keys = (...ids: readonly string[]): Notice => ({
      ...noticeOf(['generated']),
      keys: ids,
      wrong: ['API_KEYS_FILE'],
    });
    scene.replace('keys', `a:orders:write=key-of-a-with-enough-bytes-in-it,${keyEntry('b')}`);
    expect(await scene.next()).to.deep.equal(keys('b'));
    scene.replace('keys', `#${keyEntry('a')},${keyEntry('b')}`);
    expect(await scene.next()).to.deep.equal(keys('b'));
    scene.replace('keys', '\n');
    expect(await scene.next()).to.deep.equal(keys());
    scene.replace('keys', Buffer.from([0xff, 0xfe]).toString('latin1').repeat(20));
    expect(await scene.next()).to.deep.equal(keys());
    rmSync(scene.path('keys'));
    expect(await scene.next()).to.deep.equal(keys());
  });

  it('takes nothing out of a data directory that somebody has put in the place of its own', async () => {
    scene.watch({});
    renameSync(scene.path('data'), scene.path('moved'));
    mkdirSync(scene.path('theirs'));
    for (const name of ['api-key', 'webhook-secret']) writeFileSync(scene.path(join('theirs', name)), 'x'.repeat(43));
    chmodSync(scene.path('theirs'), 0o777);
    renameSync(scene.path('theirs'), scene.path('data'));
    const nothing = { active: [], retired: [], keys: [], wrong: ['WEBHOOK_SECRETS', 'API_KEYS'] };
    expect(await scene.next()).to.deep.equal(nothing);
  });

  it('takes nothing out of one that it can not look through', async () => {
    scene.watch({});
    mkdirSync(scene.path('theirs'));
    mkdirSync(scene.path('theirs/log-tree'));
    for (const name of ['api-key', 'webhook-secret']) writeFileSync(scene.path(join('theirs', name)), 'x'.repeat(43));
    chmodSync(scene.path('theirs'), 0o777);
    // A folder of mode 000 holds up everybody but root.
    const listing = mock.method(fs, 'readdirSync', () => {
      throw Object.assign(new Error('permission denied'), { code: 'EACCES' });
    });
    syncBuiltinESMExports();
    try {
      renameSync(scene.path('data'), scene.path('moved'));
      renameSync(scene.path('theirs'), scene.path('data'));
      const nothing = { active: [], retired: [], keys: [], wrong: ['WEBHOOK_SECRETS', 'API_KEYS'] };
      expect(await scene.next()).to.deep.equal(nothing);
    } finally {
      listing.mock.restore();
      syncBuiltinESMExports();
    }
  });

  it('takes an id that both lists have for an accepted one, and a generated id only for the generated secret', async () => {
    scene.replace('active', secretEntry('a'));
    scene.replace('retired', secretEntry('b'));
    scene.watch({ WEBHOOK_SECRETS_FILE: scene.path('active'), WEBHOOK_RETIRED_SECRETS_FILE: scene.path('retired') });
    scene.replace('retired', `${secretEntry('a')},${secretEntry('b')}`);
    expect(await scene.next()).to.deep.equal({ ...noticeOf(['a'], ['b']), wrong: ['WEBHOOK_RETIRED_SECRETS_FILE'] });
    writeFileSync(scene.path('data/webhook-secret'), 'a-secret-with-thirty-2-bytes-000\n');
    scene.replace('retired', `${secretEntry('generated')},${secretEntry('b')}`);
    expect(await scene.next()).to.deep.equal({
      ...noticeOf(['a'], ['b', 'generated']),
      wrong: ['WEBHOOK_RETIRED_SECRETS'],
    });
  });

  it('lets go of the generated secret and key when their files go or are spoiled', async () => {
    scene.watch({});
    rmSync(scene.path('data/webhook-secret'));
    expect(await scene.next()).to.deep.equal({ ...noticeOf([]), wrong: ['WEBHOOK_SECRETS'] });
    writeFileSync(scene.path('data/api-key'), 'short');
    expect(await scene.next()).to.deep.equal({ ...noticeOf([]), keys: [], wrong: ['API_KEYS', 'WEBHOOK_SECRETS'] });
    scene.stop();
    writeFileSync(scene.path('data/webhook-secret'), 'a-secret-with-thirty-2-bytes-000\n');
    rmSync(scene.path('data/api-key'));
    scene.watch({ WEBHOOK_SECRETS: secretEntry('own') });
    rmSync(scene.path('data/webhook-secret'));
    expect(await scene.next()).to.deep.equal(noticeOf(['own']));
  });

  it('reloads on SIGHUP, and not after it was stopped', async () => {
    scene.watch({ WEBHOOK_SECRETS: secretEntry('own') });
    const listeners = process.listenerCount('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
    expect(await scene.next()).to.deep.equal(noticeOf(['own']));
    scene.stop();
    expect(process.listenerCount('SIGHUP')).to.equal(listeners - 1);
  });
});
