import { expect } from 'chai';
import { diagnose } from '../../../src/composition/doctor/diagnose.ts';
import type { Environment } from '../../../src/config/index.ts';
import type { DoctorCheck } from '../../../src/doctor/doctor-check.ts';
import { systemClock } from '../../../src/telemetry/system-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Whoever read it would meet that it is not there. */
const SILENT = '/nowhere/silent';

describe('doctor, where the file system of a secret does not answer', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  before(() => {
    folder = temporaryFolder();
  });
  after(() => folder.remove());

  const looked: string[] = [];
  const said = (env: Environment): Promise<readonly DoctorCheck[]> => {
    looked.length = 0;
    return diagnose({ DATA_DIR: folder.path, ...env }, systemClock(), {
      reach: (path) => {
        looked.push(path);
        return path.startsWith('/nowhere/silent') ? new Promise(() => undefined) : Promise.resolve();
      },
    });
  };

  it('says so of that file, and goes on with all else', async () => {
    const others = (await said({})).map(({ name }) => name);
    const checks = await said({
      API_KEYS_FILE: SILENT,
      WEBHOOK_SECRETS: 'primary=a-secret-of-somebody-with-some-length',
      UPSTREAM_BASE_URL: 'http://127.0.0.1:1',
      UPSTREAM_LOGIN_JSON_FILE: '/nowhere/silent',
      CHAIN_RPC_URLS_FILE: '/nowhere/silent',
    });
    expect(checks.map(({ name }) => name)).to.deep.equal(others);
    const of = (name: string) => checks.find((check) => check.name === name);
    for (const [name, variable] of [
      ['API keys', 'API_KEYS_FILE'],
      ['upstream login', 'UPSTREAM_LOGIN_JSON_FILE'],
    ] as const) {
      expect(of(name)).to.deep.include({ ok: false, detail: `${variable}: its file does not answer` });
      expect(of(name)?.cure).to.match(/^\w+_FILE: see that the file system of this file answers/);
    }
    expect(of('configuration')?.detail).to.match(/^CHAIN_RPC_URLS_FILE: its file does not answer\nevents in /);
    expect(of('webhook secrets')?.detail).to.match(/^primary: accepted/);
    expect(looked, 'those beside it are not looked at').to.deep.equal([SILENT]);
  });

  it('looks at nothing else where it is the file that says where the events are', async () => {
    const [only, ...others] = await said({ EVENT_STORE_URL_FILE: SILENT });
    expect(others).to.deep.equal([]);
    expect(only).to.deep.include({
      name: 'configuration',
      ok: false,
      detail: 'EVENT_STORE_URL_FILE: its file does not answer\nnothing else was looked at',
    });
  });

  it('names a variable that is wrong beside it, whatever the file is for', async () => {
    for (const variable of ['API_KEYS_FILE', 'EVENT_STORE_URL_FILE']) {
      const [only, ...others] = await said({ [variable]: SILENT, PORT: '99999' });
      expect(others).to.deep.equal([]);
      expect(only?.detail).to.match(
        new RegExp(`^${variable}: its file does not answer\nPORT: .*99999.*\nnothing else was looked at$`),
      );
      expect(only?.cure).to.match(new RegExp(`^${variable}: see .*\nPORT: give `));
    }
  });

  it('says nothing of a place that may be wrong for want of the silent file alone', async () => {
    const READ_MODEL_URL = `sqlite:${folder.path}/events.db`;
    const [only] = await said({ EVENT_STORE_URL_FILE: SILENT, READ_MODEL_URL });
    expect(only?.detail).to.equal('EVENT_STORE_URL_FILE: its file does not answer\nnothing else was looked at');
  });

  it('stands behind no more than two of them', async () => {
    const [only] = await said({
      WEBHOOK_SECRETS_FILE: '/nowhere/silent-1/a',
      API_KEYS_FILE: '/nowhere/silent-2/b',
      CHAIN_RPC_URLS_FILE: '/nowhere/silent-3/c',
      READ_MODEL_URL_FILE: '/nowhere/silent-4/d',
    });
    expect(only?.detail.split('\n')).to.have.length(5);
    expect(looked).to.deep.equal(['/nowhere/silent-1/a', '/nowhere/silent-2/b', folder.path]);
  });
}).timeout(90_000);
