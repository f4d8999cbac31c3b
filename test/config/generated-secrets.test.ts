import { createPrivateKey, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { configErrorLine, loadConfig, SCOPES, type Environment, type LoadedConfig } from '../../src/config/index.ts';
import { generatedWords } from '../../src/config/generated-secret.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SECRET = 'first-secret-of-thirty-2-bytes-0';

describe('generated secrets', () => {
  let folder = temporaryFolder();
  let dataDir = '';
  beforeEach(() => {
    folder.remove();
    folder = temporaryFolder();
    dataDir = join(folder.path, 'not', 'there', 'yet');
  });
  after(() => folder.remove());

  const file = (name: string): string => join(dataDir, name);
  const value = (name: string): string => readFileSync(file(name), 'utf8').trim();
  const tryStart = (env: Environment = {}) =>
    loadConfig({ DATA_DIR: dataDir, ...env }, { generate: true, randomBytes });
  const start = (env: Environment = {}): LoadedConfig => right(tryStart(env));
  const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);
  const ids = ({ config }: LoadedConfig) => ({
    active: config.secrets.webhook.active.map(({ id }) => String(id)),
    retired: config.secrets.webhook.retired.map(({ id }) => String(id)),
    keys: config.secrets.apiKeys.map(({ id }) => id),
  });

  it('are made where nothing is configured: a folder of mode 0700, files of one line and mode 0600, nothing else', () => {
    const { generatedFiles, warnings } = start();
    expect(readdirSync(dataDir).toSorted()).to.deep.equal([
      'api-key',
      'begun-here',
      'origin',
      'signing-key',
      'webhook-secret',
    ]);
    expect([mode(dataDir), mode(dirname(dataDir))]).to.deep.equal(['700', '700']);
    expect([mode(file('origin')), mode(file('signing-key'))]).to.deep.equal(['600', '600']);
    expect(value('origin')).to.match(/^ramp-ledger\/[0-9a-f]{16}$/);
    expect(createPrivateKey(value('signing-key')).asymmetricKeyType).to.equal('ed25519');
    for (const name of ['webhook-secret', 'api-key']) {
      expect(mode(file(name))).to.equal('600');
      expect(readFileSync(file(name), 'utf8')).to.match(/^[\w-]{43}\n$/);
    }
    expect(value('webhook-secret')).not.to.equal(value('api-key'));
    expect(generatedFiles.map((one) => [one.file, generatedWords(one)])).to.deep.equal([
      [file('webhook-secret'), 'made now, since WEBHOOK_SECRETS is not set'],
      [file('api-key'), 'made now, since API_KEYS is not set'],
    ]);
    expect(warnings).to.deep.equal([]);
  });

  it('are accepted under the id generated, the key with every scope', () => {
    const { secrets } = start().config;
    expect(secrets.webhook.active.map(({ key }) => key.toString())).to.deep.equal([value('webhook-secret')]);
    expect(secrets.apiKeys).to.deep.equal([
      { id: 'generated', scopes: new Set(SCOPES), sha256: sha256(value('api-key')) },
    ]);
  });

  it('are kept from the first start on', () => {
    const { config } = start();
    const made = [value('webhook-secret'), value('api-key')];
    const later = start();
    expect(later.config).to.deep.equal(config);
    // Nothing that is said of a start sounds like a secret that the provider does not know.
    expect(later.generatedFiles.map(generatedWords)).to.deep.equal([
      'taken from this file, since WEBHOOK_SECRETS is not set',
      'taken from this file, since API_KEYS is not set',
    ]);
    expect([value('webhook-secret'), value('api-key')]).to.deep.equal(made);
    rmSync(file('api-key'));
    expect(start().generatedFiles.map(({ isNew }) => isNew)).to.deep.equal([false, true]);
  });

  it('never replace what another process made in the meantime', () => {
    const racing = (count: number): Buffer => {
      mkdirSync(dataDir, { recursive: true });
      if (!existsSync(file('webhook-secret'))) writeFileSync(file('webhook-secret'), `${SECRET}\n`);
      return randomBytes(count);
    };
    const loaded = right(loadConfig({ DATA_DIR: dataDir }, { generate: true, randomBytes: racing }));
    expect(loaded.config.secrets.webhook.active.map(({ key }) => key.toString())).to.deep.equal([SECRET]);
    expect(value('webhook-secret')).to.equal(SECRET);
    expect(readdirSync(dataDir)).to.have.length(5);
  });

  it('are not told by anything that is printed', () => {
    const { generatedFiles, warnings } = start();
    const printed = JSON.stringify([generatedFiles, warnings]);
    for (const name of ['webhook-secret', 'api-key']) expect(printed).not.to.include(value(name));
  });

  it('are made on every loopback host, each alone where the other is configured', () => {
    for (const HOST of ['127.0.0.1', '127.8.9.1', '::1', '0:0:0:0:0:0:0:1', 'localhost', 'LOCALHOST']) {
      rmSync(dataDir, { recursive: true, force: true });
      expect(start({ HOST, WEBHOOK_SECRETS: `a=${SECRET}` }).generatedFiles.map((one) => one.file)).to.deep.equal([
        file('api-key'),
      ]);
      expect(readdirSync(dataDir)).to.deep.equal(['api-key', 'begun-here', 'origin', 'signing-key']);
    }
  });

  it('are not made on another host, nor beside a wrong value', () => {
    for (const env of [{ HOST: '0.0.0.0' }, { PORT: 'x' }, { WEBHOOK_RETIRED_SECRETS: 'x' }, { API_KEYS: 'x' }]) {
      expect(E.isLeft(tryStart(env))).to.equal(true);
      expect(existsSync(dataDir)).to.equal(false);
    }
  });

  it('are not made by the command line, which uses them where they are', () => {
    const options = { generate: false, randomBytes };
    const command = (HOST: string) => right(loadConfig({ DATA_DIR: dataDir, HOST }, options));
    expect(ids(command('0.0.0.0'))).to.deep.equal({ active: [], retired: [], keys: [] });
    expect(existsSync(dataDir)).to.equal(false);
    start();
    expect(ids(command('127.0.0.1'))).to.deep.equal({ active: ['generated'], retired: [], keys: ['generated'] });
  });

  it('re-verify old events once a secret is configured, as long as the file is there; the key is valid no more', () => {
    start();
    const configured = { WEBHOOK_SECRETS: `own=${SECRET}`, API_KEYS: `own:admin=${SECRET}`, HOST: '0.0.0.0' };
    const later = start(configured);
    expect(ids(later)).to.deep.equal({ active: ['own'], retired: ['generated'], keys: ['own'] });
    expect(later.generatedFiles).to.deep.equal([]);
    rmSync(file('webhook-secret'));
    expect(ids(start(configured)).retired).to.deep.equal([]);
  });

  it('may be configured under their own id, active or retired, but no other secret may', () => {
    start();
    const own = `generated=${value('webhook-secret')}`;
    expect(ids(start({ WEBHOOK_SECRETS: own })).retired).to.deep.equal([]);
    expect(ids(start({ WEBHOOK_SECRETS: `a=${SECRET}`, WEBHOOK_RETIRED_SECRETS: own })).retired).to.deep.equal([
      'generated',
    ]);
    for (const env of [
      { WEBHOOK_SECRETS: `generated=${SECRET}` },
      { WEBHOOK_SECRETS: `a=${SECRET}`, WEBHOOK_RETIRED_SECRETS: `generated=${SECRET}` },
    ]) {
      expect(E.isLeft(tryStart(env))).to.equal(true);
    }
  });

  it('whose file is a link to nothing stop the start, which names what the link leads to', () => {
    for (const [name, variable] of [
      ['webhook-secret', 'WEBHOOK_SECRETS'],
      ['api-key', 'API_KEYS'],
      ['origin', 'LEDGER_ORIGIN'],
      ['signing-key', 'LEDGER_SIGNING_KEY'],
    ] as const) {
      start();
      rmSync(file(name));
      const target = join(folder.path, 'unmounted', name);
      symlinkSync(target, file(name));
      expect(E.mapLeft(configErrorLine)(tryStart()), name).to.deep.equal(
        E.left(
          `${variable}: ${file(name)} is a link to ${target}, which is not there; mount or bring back what it leads to, or set ${variable}`,
        ),
      );
      expect(readlinkSync(file(name))).to.equal(target);
      rmSync(file(name));
    }
  });

  it('that were damaged stop the start, and are left as they are', () => {
    start();
    for (const damage of ['', 'short\n', `${SECRET}\n${SECRET}\n`]) {
      writeFileSync(file('webhook-secret'), damage);
      const loaded = tryStart();
      if (E.isRight(loaded)) expect.fail('it was taken');
      else
        expect(configErrorLine(loaded.left))
          .to.match(/^WEBHOOK_SECRETS: .*backup$/)
          .and.not.include(SECRET);
      expect(readFileSync(file('webhook-secret'), 'utf8')).to.equal(damage);
    }
  });
});
