import { randomBytes } from 'node:crypto';
import fs, { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { mock } from 'node:test';
import { expect } from 'chai';
import { loadConfig, watchSecrets, type Environment } from '../../src/config/index.ts';
import { fingerprintNow, type FileLooks } from '../../src/config/watched-file.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const secret = (id: string): string => `${id}=secret-of-${id}-with-enough-bytes`;

const apiKey = (id: string): string => `${id}:orders:read=key-of-${id}-with-enough-bytes-in-it`;

/** What a reload handed over: ids, and the variables that something was wrong with. */
type Notice = {
  readonly active: readonly string[];
  readonly retired: readonly string[];
  readonly keys: readonly string[];
  readonly wrong: readonly string[];
};

describe('watching the secrets', () => {
  let folder = temporaryFolder();
  let stop = (): void => undefined;
  let notices: Notice[] = [];
  const restless: string[] = [];
  const silences: (number | 'over')[] = [];
  let wake = (): void => undefined;

  beforeEach(() => {
    folder.remove();
    folder = temporaryFolder();
    notices = [];
    restless.length = 0;
    silences.length = 0;
  });
  afterEach(() => stop());
  after(() => folder.remove());

  const path = (name: string): string => join(folder.path, name);

  const watch = (env: Environment, pollMs = 5, looks?: FileLooks): void => {
    const full = { DATA_DIR: path('data'), ...env };
    const { config } = right(loadConfig(full, { generate: true, randomBytes }));
    stop = watchSecrets({
      env: full,
      dataDir: config.dataDir,
      pollMs,
      ...(looks === undefined ? {} : { looks }),
      onSilent: (silent) => silences.push(silent === null ? 'over' : silent.seconds),
      onRestless: (variable) => restless.push(variable),
      onReload: ({ secrets: { webhook, apiKeys }, errors }) => {
        notices.push({
          active: webhook.active.map(({ id }) => id),
          retired: webhook.retired.map(({ id }) => id),
          keys: apiKeys.map(({ id }) => id),
          wrong: errors.map(({ variable }) => variable),
        });
        wake();
      },
    });
  };

  const next = async (): Promise<Notice | undefined> => {
    if (notices.length === 0) {
      // The watch holds no process alive, so the wait has to.
      const alive = setInterval(() => undefined, 1_000);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      clearInterval(alive);
    }
    return notices.shift();
  };

  /** As those of the system, but over in the turn in which they begin. */
  const atOnce: FileLooks = {
    fingerprint: (at) => Promise.resolve(fingerprintNow(at)),
    reach: () => Promise.resolve(),
  };
  /** Lets so much time pass by the clock that is mocked, and whatever is asked then come to its end. */
  const pass = async (ms: number): Promise<void> => {
    mock.timers.tick(ms);
    await new Promise(setImmediate);
  };

  const now = (active: readonly string[], retired: readonly string[] = []): Notice => ({
    active,
    retired,
    keys: ['generated'],
    wrong: [],
  });
  const replace = (name: string, text: string): void => {
    writeFileSync(path('draft'), text);
    renameSync(path('draft'), path(name));
  };

  it('sees a file that is replaced by a rename', async () => {
    writeFileSync(path('secrets'), secret('old'));
    watch({ WEBHOOK_SECRETS_FILE: path('secrets') });
    for (const id of ['new', 'newer']) {
      writeFileSync(path('draft'), secret(id));
      renameSync(path('draft'), path('secrets'));
      expect(await next()).to.deep.equal(now([id]));
    }
  });

  it('sees a file that is written in place, its size unchanged', async () => {
    writeFileSync(path('secrets'), secret('abc'));
    watch({ WEBHOOK_SECRETS_FILE: path('secrets') });
    // One call, so that no half of it is seen.
    writeFileSync(path('secrets'), secret('abd'), { flag: 'r+' });
    expect(await next()).to.deep.equal(now(['abd']));
  });

  it('sees the symlink swap of a mounted volume, all of its files in one reload', async () => {
    for (const [version, active, retired] of [
      ['v1', 'a', 'z'],
      ['v2', 'b', 'a'],
    ] as const) {
      mkdirSync(path(version));
      writeFileSync(join(path(version), 'active'), secret(active));
      writeFileSync(join(path(version), 'retired'), secret(retired));
    }
    symlinkSync('v1', path('..data'));
    for (const name of ['active', 'retired']) symlinkSync(join('..data', name), path(name));
    watch({ WEBHOOK_SECRETS_FILE: path('active'), WEBHOOK_RETIRED_SECRETS_FILE: path('retired') });
    symlinkSync('v2', path('..data_tmp'));
    renameSync(path('..data_tmp'), path('..data'));
    expect(await next()).to.deep.equal(now(['b'], ['a']));
    expect(notices).to.deep.equal([]);
  });

  it('takes back every secret that is not there, validly, any more, keeps those that can be read, and tells why', async () => {
    replace('secrets', `${secret('a')},${secret('b')}`);
    watch({ WEBHOOK_SECRETS_FILE: path('secrets') });
    replace('secrets', `${secret('a')},b=short,${secret('c')}`);
    expect(await next()).to.deep.equal({ ...now(['a', 'c']), wrong: ['WEBHOOK_SECRETS_FILE'] });
    replace('secrets', '');
    expect(await next()).to.deep.equal({ ...now([]), wrong: ['WEBHOOK_SECRETS_FILE'] });
    replace('secrets', secret('d'));
    expect(await next()).to.deep.equal(now(['d']));
    rmSync(path('secrets'));
    expect(await next()).to.deep.equal({ ...now([]), wrong: ['WEBHOOK_SECRETS_FILE'] });
  });

  it('takes back API keys likewise: emptied, spoiled, removed', async () => {
    replace('keys', `${apiKey('a')},${apiKey('b')}`);
    watch({ API_KEYS_FILE: path('keys') });
    const keys = (...ids: readonly string[]): Notice => ({
      ...now(['generated']),
      keys: ids,
      wrong: ['API_KEYS_FILE'],
    });
    replace('keys', `a:orders:write=key-of-a-with-enough-bytes-in-it,${apiKey('b')}`);
    expect(await next()).to.deep.equal(keys('b'));
    replace('keys', '\n');
    expect(await next()).to.deep.equal(keys());
    replace('keys', Buffer.from([0xff, 0xfe]).toString('latin1').repeat(20));
    expect(await next()).to.deep.equal(keys());
    rmSync(path('keys'));
    expect(await next()).to.deep.equal(keys());
  });

  it('takes nothing out of a data directory that somebody has put in the place of its own', async () => {
    watch({});
    renameSync(path('data'), path('moved'));
    mkdirSync(path('theirs'));
    for (const name of ['api-key', 'webhook-secret']) writeFileSync(path(join('theirs', name)), 'x'.repeat(43));
    chmodSync(path('theirs'), 0o777);
    renameSync(path('theirs'), path('data'));
    const nothing = { active: [], retired: [], keys: [], wrong: ['WEBHOOK_SECRETS', 'API_KEYS'] };
    expect(await next()).to.deep.equal(nothing);
  });

  it('takes nothing out of one that it can not look through', async () => {
    watch({});
    mkdirSync(path('theirs'));
    mkdirSync(path('theirs/log-tree'));
    for (const name of ['api-key', 'webhook-secret']) writeFileSync(path(join('theirs', name)), 'x'.repeat(43));
    chmodSync(path('theirs'), 0o777);
    // A folder of mode 000 holds up everybody but root.
    const listing = mock.method(fs, 'readdirSync', () => {
      throw Object.assign(new Error('permission denied'), { code: 'EACCES' });
    });
    syncBuiltinESMExports();
    try {
      renameSync(path('data'), path('moved'));
      renameSync(path('theirs'), path('data'));
      const nothing = { active: [], retired: [], keys: [], wrong: ['WEBHOOK_SECRETS', 'API_KEYS'] };
      expect(await next()).to.deep.equal(nothing);
    } finally {
      listing.mock.restore();
      syncBuiltinESMExports();
    }
  });

  it('takes an id that both lists have for an accepted one, and a generated id only for the generated secret', async () => {
    replace('active', secret('a'));
    replace('retired', secret('b'));
    watch({ WEBHOOK_SECRETS_FILE: path('active'), WEBHOOK_RETIRED_SECRETS_FILE: path('retired') });
    replace('retired', `${secret('a')},${secret('b')}`);
    expect(await next()).to.deep.equal({ ...now(['a'], ['b']), wrong: ['WEBHOOK_RETIRED_SECRETS_FILE'] });
    writeFileSync(path('data/webhook-secret'), 'a-secret-with-thirty-2-bytes-000\n');
    replace('retired', `${secret('generated')},${secret('b')}`);
    expect(await next()).to.deep.equal({ ...now(['a'], ['b', 'generated']), wrong: ['WEBHOOK_RETIRED_SECRETS'] });
  });

  it('lets go of the generated secret and key when their files go or are spoiled', async () => {
    watch({});
    rmSync(path('data/webhook-secret'));
    expect(await next()).to.deep.equal({ ...now([]), wrong: ['WEBHOOK_SECRETS'] });
    writeFileSync(path('data/api-key'), 'short');
    expect(await next()).to.deep.equal({ ...now([]), keys: [], wrong: ['API_KEYS', 'WEBHOOK_SECRETS'] });
    stop();
    writeFileSync(path('data/webhook-secret'), 'a-secret-with-thirty-2-bytes-000\n');
    rmSync(path('data/api-key'));
    watch({ WEBHOOK_SECRETS: secret('own') });
    rmSync(path('data/webhook-secret'));
    expect(await next()).to.deep.equal(now(['own']));
  });

  it('takes nothing back while a file is being written anew', async () => {
    replace('secrets', secret('old'));
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      watch({ WEBHOOK_SECRETS_FILE: path('secrets') }, 5, atOnce);
      const look = (): Promise<void> => pass(5);
      writeFileSync(path('secrets'), '');
      await look();
      writeFileSync(path('secrets'), secret('new'));
      await look();
      expect(notices).to.deep.equal([]);
      await look();
      expect(notices).to.deep.equal([now(['new'])]);
      await look();
      expect(notices).to.have.length(1);
    } finally {
      mock.timers.reset();
    }
  });

  it('waits for no file that keeps changing, and tells of it once, while another one has lost a key', async () => {
    replace('secrets', secret('own'));
    replace('keys', `${apiKey('a')},${apiKey('b')}`);
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      watch({ WEBHOOK_SECRETS_FILE: path('secrets'), API_KEYS_FILE: path('keys') }, 500, atOnce);
      const touchedFor = async (seconds: number): Promise<void> => {
        for (let looks = 0; looks < seconds * 2; looks += 1) {
          // Its size tells as well, however coarse the times of files are.
          replace('secrets', `${secret('own')}${'\n'.repeat((looks % 2) + 1)}`);
          await pass(500);
        }
      };
      await touchedFor(0.5);
      replace('keys', apiKey('b'));
      await touchedFor(2);
      expect(notices).to.deep.equal([]);
      await touchedFor(1);
      expect(notices).to.deep.equal([{ ...now(['own']), keys: ['b'] }]);
      expect(restless).to.deep.equal(['WEBHOOK_SECRETS_FILE']);
      await touchedFor(30);
      expect(notices).to.have.length(11);
      expect(restless).to.have.length(1);
    } finally {
      mock.timers.reset();
    }
  });

  it('reads no file by half that is being written, while another one keeps changing', async () => {
    replace('secrets', secret('own'));
    replace('keys', apiKey('a'));
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      watch({ WEBHOOK_SECRETS_FILE: path('secrets'), API_KEYS_FILE: path('keys') }, 500, atOnce);
      const steps = ['', '', '', '', 'a', 'a:', 'a:o', apiKey('a'), ''].map((text, at) => ({ text, at }));
      for (const { text, at } of steps) {
        replace('secrets', `${secret('own')}${'\n'.repeat((at % 2) + 1)}`);
        if (at >= 4 && at < 8) writeFileSync(path('keys'), text);
        await pass(500);
      }
      expect(notices).to.deep.equal([{ ...now(['own']), keys: ['a'] }]);
    } finally {
      mock.timers.reset();
    }
  });

  it('lets what was read last be valid while the file system does not answer, and tells when that begins and ends', async () => {
    replace('keys', apiKey('a'));
    let answers = Promise.withResolvers<undefined>();
    const hanging = {
      fingerprint: (at: string) => answers.promise.then(() => atOnce.fingerprint(at)),
      reach: () => answers.promise,
    };
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      watch({ API_KEYS_FILE: path('keys') }, 500, hanging);
      replace('keys', apiKey('b'));
      process.emit('SIGHUP', 'SIGHUP');
      for (let seconds = 0; seconds < 30; seconds += 1) await pass(1_000);
      expect({ notices, silences }).to.deep.equal({ notices: [], silences: [5] });
      answers.resolve(undefined);
      for (let looks = 0; looks < 4; looks += 1) await pass(500);
      expect(silences).to.deep.equal([5, 'over']);
      expect(new Set(notices.map(({ keys }) => keys.join()))).to.deep.equal(new Set(['b']));
      // Asked for while a look is under way, it is done behind that.
      notices = [];
      answers = Promise.withResolvers<undefined>();
      await pass(500);
      process.emit('SIGHUP', 'SIGHUP');
      await pass(0);
      expect(notices).to.deep.equal([]);
      answers.resolve(undefined);
      await pass(0);
      expect(notices).to.have.length(1);
    } finally {
      mock.timers.reset();
    }
  });

  it('reloads on SIGHUP, and not after it was stopped', async () => {
    watch({ WEBHOOK_SECRETS: secret('own') });
    const listeners = process.listenerCount('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
    expect(await next()).to.deep.equal(now(['own']));
    stop();
    expect(process.listenerCount('SIGHUP')).to.equal(listeners - 1);
  });
});
