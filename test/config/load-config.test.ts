import { randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import {
  configErrorLine,
  loadConfig,
  SCOPES,
  upstreamSettings,
  type Environment,
  type LoadedConfig,
} from '../../src/config/index.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import * as fc from 'fast-check';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SECRET = 'first-secret-of-thirty-2-bytes-0';
const OTHER = 'other-secret-of-thirty-2-bytes-1';

const load = (env: Environment): LoadedConfig => right(loadConfig(env, { generate: false, randomBytes }));

const idText = fc
  .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 })
  .filter((s) => !/[\s,=:]/.test(s))
  .filter((id) => !/^(?:[#;'"]|\/[/*]|--|<!)/.test(id));
const visible = (minLength: number) =>
  fc
    .array(
      fc.constantFrom(
        ...Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at)).filter((c) => c !== ','),
      ),
      { minLength, maxLength: 60 },
    )
    .map((characters) => characters.join(''));

describe('the configuration', () => {
  // Where nobody has started a ledger, whose folder has generated secrets in it.
  const here = process.cwd();
  let elsewhere: ReturnType<typeof temporaryFolder>;
  before(() => {
    elsewhere = temporaryFolder();
    process.chdir(elsewhere.path);
  });
  after(() => {
    process.chdir(here);
    elsewhere.remove();
  });

  it('has the defaults of the contract', () => {
    const { secrets: _secrets, ...plain } = load({}).config;
    expect(plain).to.deep.equal({
      host: '127.0.0.1',
      port: 8080,
      publicUrl: null,
      logIdentity: null,
      dataDir: resolve('data'),
      eventStore: { kind: 'sqlite', file: resolve('data/events.db') },
      readModel: { kind: 'sqlite', file: resolve('data/read-models.db') },
      spoolMaxBytes: 1_073_741_824,
      spoolAfterMs: 500,
      queriesPerMinute: 60_000,
      webhooks: {
        signatureHeader: 'X-Service-Signature',
        signedForm: 'bytes',
        maxBodyBytes: 262_144,
        maxAgeSeconds: null,
      },
      upstream: { baseUrl: null, loginJson: null, issuer: null, audience: null, jwksUrl: null },
      businessTimeZone: 'UTC',
      match: { settings: { tolerances: {}, dateToleranceDays: 3, offRampFiat: 'net' }, dueDays: 2 },
      logLevel: 'info',
      witnesses: [],
      chainNodes: [],
    });
  });

  it('takes what is given', () => {
    const { secrets: _secrets, ...plain } = load({
      HOST: '::1',
      PORT: '0',
      PUBLIC_URL: 'https://Ledger.example:443/',
      DATA_DIR: '/srv/ledger',
      EVENT_STORE_URL: 'sqlite:/srv/events.db',
      READ_MODEL_URL: 'sqlite:models.db',
      SPOOL_MAX_BYTES: '2000000',
      SPOOL_AFTER_MS: '2000',
      API_MAX_REQUESTS_PER_MINUTE: '600',
      WEBHOOK_SIGNATURE_HEADER: 'X-Acme-Mac',
      WEBHOOK_SIGNED_FORM: 'json',
      WEBHOOK_MAX_BODY_BYTES: '524288',
      WEBHOOK_MAX_AGE_SECONDS: '600',
      UPSTREAM_BASE_URL: 'https://api.example.com/ramp/',
      UPSTREAM_LOGIN_JSON: '{"user": "a",\n "password": "b"}',
      UPSTREAM_ISSUER: 'https://issuer.example/',
      UPSTREAM_AUDIENCE: 'client-1',
      UPSTREAM_JWKS_URL: 'https://issuer.example/jwks?v=1',
      BUSINESS_TIME_ZONE: 'Asia/Kolkata',
      MATCH_TOLERANCES: 'inr=0.01, *=0',
      MATCH_DUE_DAYS: '0',
      MATCH_DATE_TOLERANCE_DAYS: '5',
      OFFRAMP_FIAT: 'gross',
      CHAIN_RPC_URLS: '137=https://a.example/v2/key, 1=http://127.0.0.1:8545, 137=https://b.example/?key=1',
      LOG_LEVEL: 'silent',
    }).config;
    expect(plain).to.deep.equal({
      host: '::1',
      port: 0,
      publicUrl: 'https://ledger.example',
      logIdentity: null,
      dataDir: '/srv/ledger',
      eventStore: { kind: 'sqlite', file: '/srv/events.db' },
      readModel: { kind: 'sqlite', file: resolve('models.db') },
      spoolMaxBytes: 2_000_000,
      spoolAfterMs: 2_000,
      queriesPerMinute: 600,
      webhooks: { signatureHeader: 'X-Acme-Mac', signedForm: 'json', maxBodyBytes: 524_288, maxAgeSeconds: 600 },
      upstream: {
        baseUrl: 'https://api.example.com/ramp',
        loginJson: '{"user": "a",\n "password": "b"}',
        issuer: 'https://issuer.example/',
        audience: 'client-1',
        jwksUrl: 'https://issuer.example/jwks?v=1',
      },
      businessTimeZone: 'Asia/Kolkata',
      match: {
        settings: { tolerances: { INR: '0.01', '*': '0' }, dateToleranceDays: 5, offRampFiat: 'gross' },
        dueDays: 0,
      },
      logLevel: 'silent',
      witnesses: [],
      chainNodes: [
        { chainId: 137, url: 'https://a.example/v2/key' },
        { chainId: 1, url: 'http://127.0.0.1:8545' },
        { chainId: 137, url: 'https://b.example/?key=1' },
      ],
    });
  });

  it('takes every form of a connection string, from the variable or its file, and the prefix beside it', () => {
    const folder = temporaryFolder();
    const file = join(folder.path, 'url');
    const forms = [
      'esdb://127.0.0.1:2113?tls=false',
      `esdb://ledger:p%40ss@a.example:2113,b.example:2113,c.example?tlsCAFile=${join(here, 'package.json')}&nodePreference=leader`,
      'esdb+discover://ledger:secret@cluster.example:2113/?keepAliveInterval=10000&keepAliveTimeout=-1',
    ];
    for (const url of forms) {
      writeFileSync(file, `${url}\n`);
      for (const env of [{ EVENT_STORE_URL: url }, { EVENT_STORE_URL_FILE: file }]) {
        expect(load(env).config.eventStore).to.deep.equal({ kind: 'eventstoredb', url, streamPrefix: '' });
        expect(load({ ...env, EVENT_STORE_STREAM_PREFIX: 'shop a-' }).config.eventStore).to.deep.equal({
          kind: 'eventstoredb',
          url,
          streamPrefix: 'shop a-',
        });
      }
    }
    folder.remove();
  });

  it('takes the place of the read models from the variable or its file', () => {
    const folder = temporaryFolder();
    const file = join(folder.path, 'url');
    writeFileSync(file, 'sqlite:models.db\n');
    const { readModel } = load({ READ_MODEL_URL: 'sqlite:models.db' }).config;
    expect(load({ READ_MODEL_URL_FILE: file }).config.readModel).to.deep.equal(readModel);
    folder.remove();
  });

  it('takes read models where a link leads to, there or not, since their files lie beside each other', () => {
    const folder = temporaryFolder();
    const link = join(folder.path, 'link.db');
    const file = join(folder.path, 'models', 'real.db');
    mkdirSync(dirname(file));
    symlinkSync(join('models', 'real.db'), link);
    const placed = (): string => load({ READ_MODEL_URL: `sqlite:${link}` }).config.readModel.file;
    expect(placed()).to.equal(file);
    writeFileSync(file, '');
    expect(placed()).to.equal(file);
    folder.remove();
  });

  it('warns of a prefix that has no effect', () => {
    const { config, warnings } = load({ EVENT_STORE_STREAM_PREFIX: 'a-' });
    expect(config.eventStore.kind).to.equal('sqlite');
    expect(warnings.filter((line) => line.includes('EVENT_STORE_STREAM_PREFIX'))).to.have.length(1);
    const there = { EVENT_STORE_URL: 'esdb://h?tls=false', EVENT_STORE_STREAM_PREFIX: 'a-' };
    expect(load(there).warnings).to.deep.equal(load({ EVENT_STORE_URL: 'esdb://h?tls=false' }).warnings);
  });

  it('reads back every list of secrets that can be written, with = and : in ids and values', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(idText, visible(24)), { minLength: 1, maxLength: 5, selector: ([id]) => id }),
        (list) => {
          const text = list.map(([id, secret]) => `${id}=${secret}`).join(',');
          const { active } = load({ WEBHOOK_SECRETS: text }).config.secrets.webhook;
          expect(active.map(({ id, key }) => [id, key.toString()])).to.deep.equal(list);
        },
      ),
    );
  });

  it('takes retired secrets under any id that they had, also one that others are refused under', () => {
    const text = `#old=${'s'.repeat(24)}`;
    const { retired } = load({ WEBHOOK_RETIRED_SECRETS: text }).config.secrets.webhook;
    expect(retired.map(({ id }) => id)).to.include('#old');
  });

  it('reads back every list of API keys, and keeps only the digest of a key', () => {
    const entry = fc.record({ id: idText, scopes: fc.uniqueArray(fc.constantFrom(...SCOPES), { minLength: 1 }) });
    const list = fc.uniqueArray(entry, { minLength: 1, maxLength: 4, selector: ({ id }) => id });
    fc.assert(
      fc.property(list, visible(24), (entries, stem) => {
        const text = entries.map(({ id, scopes }, at) => `${id}:${scopes.join('+')}=${stem}${at}`).join(',');
        const { apiKeys } = load({ API_KEYS: text }).config.secrets;
        expect(apiKeys).to.deep.equal(
          entries.map(({ id, scopes }, at) => ({ id, scopes: new Set(scopes), sha256: sha256(`${stem}${at}`) })),
        );
        expect(JSON.stringify(apiKeys)).not.to.include(stem);
      }),
    );
  });

  it('keeps retired secrets apart from the active ones, the same secret under two ids included', () => {
    const { webhook } = load({
      WEBHOOK_SECRETS: `new=${SECRET}`,
      WEBHOOK_RETIRED_SECRETS: `old=${OTHER},renamed=${SECRET}`,
    }).config.secrets;
    expect(webhook.active.map(({ id }) => id)).to.deep.equal(['new']);
    expect(webhook.retired.map(({ id }) => id)).to.deep.equal(['old', 'renamed']);
  });

  it('reads secrets from files, without the newline at the end, and warns of it', () => {
    const folder = temporaryFolder();
    try {
      const [secrets, keys] = [join(folder.path, 'secrets'), join(folder.path, 'keys')];
      writeFileSync(secrets, `a=${SECRET},b=${OTHER}\r\n`);
      writeFileSync(keys, `viewer:orders:read=${OTHER}`);
      const { config, warnings } = load({ WEBHOOK_SECRETS_FILE: secrets, API_KEYS_FILE: keys });
      expect(config.secrets.webhook.active.map(({ key }) => key.toString())).to.deep.equal([SECRET, OTHER]);
      expect(config.secrets.apiKeys.map(({ id }) => id)).to.deep.equal(['viewer']);
      expect(warnings).to.have.length(1);
      expect(warnings[0])
        .to.match(/^WEBHOOK_SECRETS_FILE: .*newline/)
        .and.not.include(SECRET);
    } finally {
      folder.remove();
    }
  });

  it('reads the login from a file, and warns where it would go over the network unencrypted', () => {
    const folder = temporaryFolder();
    try {
      const login = join(folder.path, 'login.json');
      writeFileSync(login, '{\n  "password": "from-a-file"\n}\n');
      const given = (UPSTREAM_BASE_URL: string): LoadedConfig =>
        load({ UPSTREAM_BASE_URL, UPSTREAM_LOGIN_JSON_FILE: login });
      const { config, warnings } = given('http://api.example.com');
      expect(config.upstream.loginJson).to.equal('{\n  "password": "from-a-file"\n}');
      expect(warnings).to.have.length(1);
      expect(warnings[0])
        .to.match(/^UPSTREAM_BASE_URL: .*unencrypted/)
        .and.not.include('from-a-file');
      for (const url of ['https://api.example.com', 'http://127.0.0.1:8080', 'http://[::1]', 'HTTP://localhost/x']) {
        expect(given(url).warnings, url).to.deep.equal([]);
      }
    } finally {
      folder.remove();
    }
  });

  it('says what is missing to call the provider', () => {
    const missing = (env: Environment): string => {
      const settings = upstreamSettings(load(env).config.upstream);
      return E.isLeft(settings) ? configErrorLine(settings.left) : 'nothing';
    };
    expect(missing({})).to.match(/^UPSTREAM_BASE_URL: it is not set; give .*https:/);
    expect(missing({ UPSTREAM_LOGIN_JSON: '{}' })).to.match(/^UPSTREAM_BASE_URL: /);
    expect(missing({ UPSTREAM_BASE_URL: 'http://h' })).to.match(/^UPSTREAM_LOGIN_JSON: .*UPSTREAM_LOGIN_JSON_FILE/);
    expect(missing({ UPSTREAM_BASE_URL: 'http://h', UPSTREAM_LOGIN_JSON: '{}' })).to.equal('nothing');
  });
});
