import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfig, watchSecrets, type Environment } from '../../src/config/index.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const secret = (id: string): string => `${id}=secret-of-${id}-with-enough-bytes`;

/** What a reload handed over: ids, or the variable that was wrong. */
type Notice =
  | { readonly active: readonly string[]; readonly retired: readonly string[]; readonly keys: readonly string[] }
  | { readonly wrong: string };

describe('watching the secrets', () => {
  let folder = temporaryFolder();
  let stop = (): void => undefined;
  let notices: Notice[] = [];
  let wake = (): void => undefined;

  beforeEach(() => {
    folder.remove();
    folder = temporaryFolder();
    notices = [];
  });
  afterEach(() => stop());
  after(() => folder.remove());

  const path = (name: string): string => join(folder.path, name);

  const watch = (env: Environment): void => {
    const full = { DATA_DIR: path('data'), ...env };
    const { config } = right(loadConfig(full, { generate: true, randomBytes }));
    const tell = (notice: Notice): void => {
      notices.push(notice);
      wake();
    };
    stop = watchSecrets({
      env: full,
      place: config,
      pollMs: 5,
      onReload: ({ secrets: { webhook, apiKeys } }) =>
        tell({
          active: webhook.active.map(({ id }) => id),
          retired: webhook.retired.map(({ id }) => id),
          keys: apiKeys.map(({ id }) => id),
        }),
      onError: ({ variable }) => tell({ wrong: variable }),
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

  const now = (active: readonly string[], retired: readonly string[] = []): Notice => ({
    active,
    retired,
    keys: ['generated'],
  });

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

  it('keeps to itself what is wrong, tells why, and takes the mended file', async () => {
    writeFileSync(path('secrets'), secret('old'));
    watch({ WEBHOOK_SECRETS_FILE: path('secrets') });
    const replace = (text: string): void => {
      writeFileSync(path('draft'), text);
      renameSync(path('draft'), path('secrets'));
    };
    replace('new=short');
    expect(await next()).to.deep.equal({ wrong: 'WEBHOOK_SECRETS_FILE' });
    rmSync(path('secrets'));
    expect(await next()).to.deep.equal({ wrong: 'WEBHOOK_SECRETS_FILE' });
    replace(secret('new'));
    expect(await next()).to.deep.equal(now(['new']));
  });

  it('lets go of the generated secret when its file goes, but not where it is the only one', async () => {
    watch({});
    rmSync(path('data/webhook-secret'));
    expect(await next()).to.deep.equal({ wrong: 'WEBHOOK_SECRETS' });
    stop();
    writeFileSync(path('data/webhook-secret'), 'a-secret-with-thirty-2-bytes-000\n');
    watch({ WEBHOOK_SECRETS: secret('own') });
    rmSync(path('data/webhook-secret'));
    expect(await next()).to.deep.equal(now(['own']));
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
