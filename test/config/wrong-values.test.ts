import { mkdirSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { configErrorLine, loadConfig, type Environment } from '../../src/config/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SECRET = 'first-secret-of-thirty-2-bytes-0';
const OTHER = 'other-secret-of-thirty-2-bytes-1';

type Case = readonly [what: string, names: string, env: Environment, says: RegExp];

const PLAIN: readonly Case[] = [
  ['a port beyond the range', 'PORT', { PORT: '65536' }, /0 to 65535/],
  ['a port with a sign', 'PORT', { PORT: '-1' }, /0 to 65535/],
  ['a port in hexadecimal', 'PORT', { PORT: '0x50' }, /0 to 65535/],
  ['an empty port', 'PORT', { PORT: '' }, /empty.*unset/],
  ['an empty host', 'HOST', { HOST: '' }, /empty/],
  ['a host with a scheme', 'HOST', { HOST: 'http://127.0.0.1' }, /IP address or a host name/],
  ['a host with a line break', 'HOST', { HOST: 'a\nb' }, /IP address/],
  ['a host with a port', 'HOST', { HOST: '127.0.0.1:8080' }, /without a port/],
  ['a host of numbers that is no IPv4 address', 'HOST', { HOST: '256.1.1.1' }, /IP address/],
  ['a host with an empty label', 'HOST', { HOST: 'ledger..example' }, /IP address/],
  ['an empty data directory', 'DATA_DIR', { DATA_DIR: '' }, /empty/],
  ['another kind of event store', 'EVENT_STORE_URL', { EVENT_STORE_URL: `mysql://u:${SECRET}@h/x` }, /sqlite:FILE/],
  ['a path without a scheme', 'EVENT_STORE_URL', { EVENT_STORE_URL: 'events.db' }, /sqlite:FILE/],
  ['SQLite without a file', 'EVENT_STORE_URL', { EVENT_STORE_URL: 'sqlite::memory:' }, /names no file/],
  ['SQLite with a host', 'EVENT_STORE_URL', { EVENT_STORE_URL: 'sqlite://events.db' }, /names no file/],
  ['no host', 'EVENT_STORE_URL', { EVENT_STORE_URL: `esdb://u:${SECRET}@` }, /connection string.*esdb:\/\/USER/],
  ['a port of words', 'EVENT_STORE_URL', { EVENT_STORE_URL: `esdb://u:${SECRET}@h:x` }, /connection string/],
  ['no user', 'EVENT_STORE_URL', { EVENT_STORE_URL: 'esdb://h:2113' }, /names no user.*tls=false/],
  ['no password', 'EVENT_STORE_URL', { EVENT_STORE_URL: `esdb://${SECRET}@h:2113` }, /connection string/],
  [
    'a colon in a password, behind which the client would cut it off',
    'EVENT_STORE_URL',
    { EVENT_STORE_URL: `esdb://u:a:${SECRET}@h` },
    /percent-encoded/,
  ],
  [
    'a question mark in a password',
    'EVENT_STORE_URL',
    { EVENT_STORE_URL: `esdb://u:12345?${SECRET}@h:2113` },
    /percent-encoded/,
  ],
  [
    'a password with a broken escape',
    'EVENT_STORE_URL',
    { EVENT_STORE_URL: `esdb://u:${SECRET}%@h` },
    /user or password.*percent-encoded/,
  ],
  [
    'hosts that would not be asked',
    'EVENT_STORE_URL',
    { EVENT_STORE_URL: `esdb+discover://u:${SECRET}@a,b` },
    /only the first.*esdb:\/\/A,B,C/,
  ],
  [
    'an unknown option',
    'EVENT_STORE_URL',
    { EVENT_STORE_URL: `esdb://u:${SECRET}@h?ssl=true` },
    /option "ssl".*tlsCAFile/,
  ],
  ['an option twice', 'EVENT_STORE_URL', { EVENT_STORE_URL: `esdb://u:${SECRET}@h?tls=true&tls=false` }, /tls twice/],
  [
    'keep-alive that the client warns of',
    'EVENT_STORE_URL',
    { EVENT_STORE_URL: `esdb://u:${SECRET}@h?keepAliveInterval=500` },
    /keepaliveinterval.*10000/,
  ],
  [
    'appends that fail in silence',
    'EVENT_STORE_URL',
    { EVENT_STORE_URL: `esdb://u:${SECRET}@h?throwOnAppendFailure=false` },
    /throwonappendfailure/,
  ],
  [
    'a certificate that is not there',
    'EVENT_STORE_URL',
    { EVENT_STORE_URL: `esdb://u:${SECRET}@h?tlsCAFile=/no/such/ca.crt` },
    /tlscafile.*a file that is there/,
  ],
  [
    'the URL and its file',
    'EVENT_STORE_URL',
    { EVENT_STORE_URL: `esdb://u:${SECRET}@h`, EVENT_STORE_URL_FILE: '/run/secrets/url' },
    /together with EVENT_STORE_URL_FILE/,
  ],
  [
    'a prefix of system streams',
    'EVENT_STORE_STREAM_PREFIX',
    { EVENT_STORE_URL: 'esdb://h?tls=false', EVENT_STORE_STREAM_PREFIX: '$a' },
    /not begin with \$/,
  ],
  [
    'the same beside a store that takes no prefix',
    'EVENT_STORE_STREAM_PREFIX',
    { EVENT_STORE_STREAM_PREFIX: '$a' },
    /not begin with \$/,
  ],
  [
    "a prefix that holds a ledger's own",
    'EVENT_STORE_STREAM_PREFIX',
    { EVENT_STORE_URL: 'esdb://h?tls=false', EVENT_STORE_STREAM_PREFIX: 'my-order-' },
    /order-.*another ledger.*migrate/,
  ],
  [
    "a prefix that is how a ledger's own streams begin",
    'EVENT_STORE_STREAM_PREFIX',
    { EVENT_STORE_URL: 'esdb://h?tls=false', EVENT_STORE_STREAM_PREFIX: 'period-' },
    /period-.*another ledger.*migrate/,
  ],
  ['a limit of no queries', 'API_MAX_REQUESTS_PER_MINUTE', { API_MAX_REQUESTS_PER_MINUTE: '0' }, /whole number from 1/],
  ['a spool of nothing', 'SPOOL_MAX_BYTES', { SPOOL_MAX_BYTES: '10' }, /whole number from 1048576/],
  ['no time for the store', 'SPOOL_AFTER_MS', { SPOOL_AFTER_MS: '0' }, /whole number from 50/],
  [
    'a place of the read models and a file with it',
    'READ_MODEL_URL',
    { READ_MODEL_URL: 'sqlite:', READ_MODEL_URL_FILE: '/run/secrets/url' },
    /together with READ_MODEL_URL_FILE/,
  ],
  ['PostgreSQL', 'READ_MODEL_URL', { READ_MODEL_URL: `postgres://u:${SECRET}@h/db` }, /later version/],
  [
    'one file for both',
    'READ_MODEL_URL',
    { EVENT_STORE_URL: 'sqlite:a', READ_MODEL_URL: 'sqlite:./a' },
    /file of their own/,
  ],
  ['a header with a blank', 'WEBHOOK_SIGNATURE_HEADER', { WEBHOOK_SIGNATURE_HEADER: 'X Sig' }, /name of a header/],
  ['a header with a colon', 'WEBHOOK_SIGNATURE_HEADER', { WEBHOOK_SIGNATURE_HEADER: 'X-Sig:' }, /name of a header/],
  ['the header of the type', 'WEBHOOK_SIGNATURE_HEADER', { WEBHOOK_SIGNATURE_HEADER: 'content-type' }, /nothing else/],
  ['the header of the length', 'WEBHOOK_SIGNATURE_HEADER', { WEBHOOK_SIGNATURE_HEADER: 'Content-Length' }, /nothing/],
  ['the header of the host', 'WEBHOOK_SIGNATURE_HEADER', { WEBHOOK_SIGNATURE_HEADER: 'HOST' }, /nothing else/],
  ['the header of API keys', 'WEBHOOK_SIGNATURE_HEADER', { WEBHOOK_SIGNATURE_HEADER: 'Authorization' }, /nothing else/],
  [
    'a header of the hop',
    'WEBHOOK_SIGNATURE_HEADER',
    { WEBHOOK_SIGNATURE_HEADER: 'Transfer-Encoding' },
    /nothing else/,
  ],
  ['the header of request ids', 'WEBHOOK_SIGNATURE_HEADER', { WEBHOOK_SIGNATURE_HEADER: 'x-request-id' }, /nothing/],
  ['an unknown signed form', 'WEBHOOK_SIGNED_FORM', { WEBHOOK_SIGNED_FORM: 'JSON' }, /bytes, json/],
  ['no body at all', 'WEBHOOK_MAX_BODY_BYTES', { WEBHOOK_MAX_BODY_BYTES: '0' }, /1 to 524288/],
  ['a body beyond the stores', 'WEBHOOK_MAX_BODY_BYTES', { WEBHOOK_MAX_BODY_BYTES: '524289' }, /1 to 524288/],
  ['a body size with a unit', 'WEBHOOK_MAX_BODY_BYTES', { WEBHOOK_MAX_BODY_BYTES: '256k' }, /1 to 524288/],
  ['an age of nothing', 'WEBHOOK_MAX_AGE_SECONDS', { WEBHOOK_MAX_AGE_SECONDS: '0' }, /from 1/],
  ['an age with a fraction', 'WEBHOOK_MAX_AGE_SECONDS', { WEBHOOK_MAX_AGE_SECONDS: '1.5' }, /whole number/],
  ['an unknown zone', 'BUSINESS_TIME_ZONE', { BUSINESS_TIME_ZONE: 'Mars/Base' }, /"Mars\/Base".*IANA/],
  ['an offset for a zone', 'BUSINESS_TIME_ZONE', { BUSINESS_TIME_ZONE: '+05:30' }, /IANA/],
  ['a tolerance without a currency', 'MATCH_TOLERANCES', { MATCH_TOLERANCES: '0.01' }, /"0\.01".*INR=0\.01/],
  ['a negative tolerance', 'MATCH_TOLERANCES', { MATCH_TOLERANCES: 'INR=-1' }, /INR=0\.01/],
  ['two tolerances of one currency', 'MATCH_TOLERANCES', { MATCH_TOLERANCES: 'INR=1,inr=2' }, /twice/],
  ['a number of days with a unit', 'MATCH_DUE_DAYS', { MATCH_DUE_DAYS: '2d' }, /from 0 to 366/],
  ['a negative number of days', 'MATCH_DATE_TOLERANCE_DAYS', { MATCH_DATE_TOLERANCE_DAYS: '-1' }, /from 0 to 366/],
  ['an unknown meaning of fiat', 'OFFRAMP_FIAT', { OFFRAMP_FIAT: 'Net' }, /net, gross/],
  ['an unknown level', 'LOG_LEVEL', { LOG_LEVEL: 'verbose' }, /trace, debug, info, warn, error, fatal, silent/],
];

const UPSTREAM: readonly Case[] = [
  ...[
    '',
    'api.example.com',
    'ftp://api.example.com',
    'https:api.example.com',
    'https://',
    'https://api.example.com/ x',
    'https://api.example.com\\x',
    `https://user:${SECRET}@api.example.com`,
    `https://${SECRET}@api.example.com`,
    `https://api.example.com/?key=${SECRET}`,
    'https://api.example.com/#',
    'https://api.example.com:99999',
  ].map((url): Case => [
    `a base URL ${JSON.stringify(url.replace(SECRET, '…'))}`,
    'UPSTREAM_BASE_URL',
    { UPSTREAM_BASE_URL: url },
    /https:\/\/|empty/,
  ]),
  [
    'a key set with credentials',
    'UPSTREAM_JWKS_URL',
    { UPSTREAM_JWKS_URL: `https://u:${SECRET}@h/jwks` },
    /without credentials/,
  ],
  ['a key set in a file', 'UPSTREAM_JWKS_URL', { UPSTREAM_JWKS_URL: 'file:///jwks.json' }, /https:/],
  ['a login that is no JSON', 'UPSTREAM_LOGIN_JSON', { UPSTREAM_LOGIN_JSON: `password=${SECRET}` }, /JSON object/],
  ['a login that is no object', 'UPSTREAM_LOGIN_JSON', { UPSTREAM_LOGIN_JSON: `["${SECRET}"]` }, /JSON object/],
  ['an empty login', 'UPSTREAM_LOGIN_JSON', { UPSTREAM_LOGIN_JSON: '' }, /empty/],
  ['a chain without a node', 'CHAIN_RPC_URLS', { CHAIN_RPC_URLS: `137=https://n/a,${SECRET}` }, /entry 2 is no chain/],
  ['a chain of number 0', 'CHAIN_RPC_URLS', { CHAIN_RPC_URLS: `0=https://n/${SECRET}` }, /entry 1 has no number/],
  ['a node of another kind', 'CHAIN_RPC_URLS', { CHAIN_RPC_URLS: `1=wss://n/${SECRET}` }, /entry 1 has no address/],
  ['a node twice', 'CHAIN_RPC_URLS', { CHAIN_RPC_URLS: `1=https://n/${SECRET},1=https://n/${SECRET}` }, /entry 2 was/],
  ['no nodes', 'CHAIN_RPC_URLS', { CHAIN_RPC_URLS: '' }, /empty/],
  ['an issuer with a blank', 'UPSTREAM_ISSUER', { UPSTREAM_ISSUER: 'https://issuer.example ' }, /blank.*exactly/],
  ['an empty issuer', 'UPSTREAM_ISSUER', { UPSTREAM_ISSUER: '' }, /empty/],
  ['an audience over two lines', 'UPSTREAM_AUDIENCE', { UPSTREAM_AUDIENCE: 'a\nb' }, /line break.*exactly/],
];

const key = (scopes: string, value = SECRET, id = 'a'): string => `${id}:${scopes}=${value}`;
const webhook = (value: string): Environment => ({ WEBHOOK_SECRETS: value });
const keys = (value: string): Environment => ({ API_KEYS: value });

const PUBLIC_URLS: readonly Case[] = [
  '',
  'ledger.example',
  'http://ledger.example',
  'https://',
  'https://ledger.example/console',
  'https://ledger.example?x',
  'https://ledger.example#x',
  'https://user@ledger.example',
  `https://user:${SECRET}@ledger.example`,
  'https://ledger.example ',
  'https:\\\\ledger.example',
  'https://a b',
  'https://*.example',
  'https://ledger.example:0',
].map((url): Case => [
  `a public URL ${JSON.stringify(url.replace(SECRET, '…'))}`,
  'PUBLIC_URL',
  { PUBLIC_URL: url },
  /https:\/\/ledger\.example|empty/,
]);

const LISTS: readonly Case[] = [
  ['an empty list', 'WEBHOOK_SECRETS', webhook(''), /empty/],
  ['a bare secret', 'WEBHOOK_SECRETS', webhook(SECRET), /entry 1 has no =.*id=secret/],
  ['no id', 'WEBHOOK_SECRETS', webhook(`=${SECRET}`), /entry 1 has no id/],
  ['a blank after the comma', 'WEBHOOK_SECRETS', webhook(`a=${SECRET}, b=${OTHER}`), /entry 2 has a blank/],
  ['a comma at the end', 'WEBHOOK_SECRETS', webhook(`a=${SECRET},`), /entry 2 has no =/],
  ['a secret of 23 bytes', 'WEBHOOK_SECRETS', webhook(`a=${SECRET.slice(0, 23)}`), /23 bytes.*24 bytes/],
  ['an empty secret', 'WEBHOOK_SECRETS', webhook('a='), /0 bytes/],
  ['a secret over two lines', 'WEBHOOK_SECRETS', webhook(`a=${SECRET}\n${OTHER}`), /line break/],
  ['an id used twice', 'WEBHOOK_SECRETS', webhook(`a=${SECRET},a=${OTHER}`), /entry 2 has an id that is used twice/],
  ['id and secret swapped, twice', 'WEBHOOK_SECRETS', webhook(`${SECRET}=${OTHER},${SECRET}=${OTHER}`), /used twice/],
  [
    'a retired id used twice',
    'WEBHOOK_RETIRED_SECRETS',
    { WEBHOOK_RETIRED_SECRETS: `a=${SECRET},a=${OTHER}` },
    /twice/,
  ],
  [
    'an id that is active and retired',
    'WEBHOOK_RETIRED_SECRETS',
    { WEBHOOK_SECRETS: `a=${SECRET}`, WEBHOOK_RETIRED_SECRETS: `b=${OTHER},a=${OTHER}` },
    /entry 2.*WEBHOOK_SECRETS/,
  ],
  [
    'the generated id for another secret',
    'WEBHOOK_RETIRED_SECRETS',
    { WEBHOOK_RETIRED_SECRETS: `generated=${SECRET}` },
    /id generated.*another id/,
  ],
  ['a key without scopes', 'API_KEYS', keys(`a=${SECRET}`), /entry 1 has no scopes.*orders:read/],
  ['a key without an id', 'API_KEYS', keys(key('admin', SECRET, '')), /has no id/],
  ['an unknown scope', 'API_KEYS', keys(key('orders:read+orders:write')), /unknown scope, number 2.*orders:read/],
  ['empty scopes', 'API_KEYS', keys(key('')), /unknown scope, number 1/],
  ['a secret among the scopes', 'API_KEYS', keys(key(`admin+${OTHER}`)), /unknown scope, number 2/],
  ['a short key', 'API_KEYS', keys(key('admin', 'short')), /key of 5 bytes.*24 bytes/],
  ['a key with a blank', 'API_KEYS', keys(key('admin', `${SECRET} x`)), /visible ASCII/],
  ['a key id used twice', 'API_KEYS', keys(`${key('admin')},${key('pii:read', OTHER)}`), /entry 2.*twice/],
  ['one key under two ids', 'API_KEYS', keys(`${key('admin')},${key('pii:read', SECRET, 'b')}`), /entry 2.*another id/],
];

const REACHABLE: readonly Case[] = [
  [
    'no secrets on all interfaces',
    'WEBHOOK_SECRETS',
    { HOST: '0.0.0.0', API_KEYS: key('admin') },
    /WEBHOOK_SECRETS_FILE/,
  ],
  ['no secrets on ::', 'WEBHOOK_SECRETS', { HOST: '::', API_KEYS: key('admin') }, /WEBHOOK_SECRETS_FILE/],
  ['no keys on a name', 'API_KEYS', { HOST: 'ledger.example', WEBHOOK_SECRETS: `a=${SECRET}` }, /API_KEYS_FILE/],
];

describe('a wrong environment', () => {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const inFolder = (name: string): string => join(folder.path, name);
  before(() => {
    mkdirSync(inFolder('folder'));
    writeFileSync(inFolder('empty'), '');
    writeFileSync(inFolder('newline'), '\n');
    writeFileSync(inFolder('fine'), `a=${SECRET}\n`);
    writeFileSync(inFolder('short'), `a=${SECRET.slice(0, 20)}\n`);
    writeFileSync(inFolder('latin1'), Buffer.from([0x61, 0x3d, 0xff, 0xfe]));
    writeFileSync(inFolder('large'), 'a'.repeat(70_000));
  });
  after(folder.remove);

  const refuse = ([what, names, env, says]: Case): void => {
    it(`${what}: one line that names ${names}, says what would be right, and tells no secret`, () => {
      const loaded = loadConfig({ DATA_DIR: dataDir, ...env }, { generate: true, randomBytes });
      const line = E.isLeft(loaded) ? configErrorLine(loaded.left) : 'it was taken';
      expect(line.startsWith(`${names}: `), line).to.equal(true);
      expect(line)
        .to.match(says)
        .and.not.match(/[\r\n]/);
      for (const secret of [SECRET, OTHER]) expect(line).not.to.include(secret.slice(0, 20));
    });
  };

  for (const one of [...PLAIN, ...UPSTREAM, ...PUBLIC_URLS, ...LISTS, ...REACHABLE]) refuse(one);

  const FILES: readonly Case[] = [
    ['no such file', 'WEBHOOK_SECRETS_FILE', { WEBHOOK_SECRETS_FILE: inFolder('none') }, /no file at its path/],
    ['a secret in place of a path', 'WEBHOOK_SECRETS_FILE', { WEBHOOK_SECRETS_FILE: `a=${SECRET}` }, /no file/],
    ['an empty path', 'API_KEYS_FILE', { API_KEYS_FILE: '' }, /empty/],
    ['an empty file', 'WEBHOOK_SECRETS_FILE', { WEBHOOK_SECRETS_FILE: inFolder('empty') }, /is empty/],
    ['a file with a newline alone', 'API_KEYS_FILE', { API_KEYS_FILE: inFolder('newline') }, /is empty/],
    [
      'a folder',
      'WEBHOOK_RETIRED_SECRETS_FILE',
      { WEBHOOK_RETIRED_SECRETS_FILE: inFolder('folder') },
      /no regular file/,
    ],
    ['a file in another encoding', 'WEBHOOK_SECRETS_FILE', { WEBHOOK_SECRETS_FILE: inFolder('latin1') }, /UTF-8/],
    ['a file without end', 'WEBHOOK_SECRETS_FILE', { WEBHOOK_SECRETS_FILE: inFolder('large') }, /more than/],
    ['a file with a short secret', 'WEBHOOK_SECRETS_FILE', { WEBHOOK_SECRETS_FILE: inFolder('short') }, /20 bytes/],
    [
      'a variable together with its file',
      'WEBHOOK_SECRETS',
      { WEBHOOK_SECRETS: `a=${SECRET}`, WEBHOOK_SECRETS_FILE: inFolder('fine') },
      /together with WEBHOOK_SECRETS_FILE/,
    ],
    [
      'a login file without JSON',
      'UPSTREAM_LOGIN_JSON_FILE',
      { UPSTREAM_LOGIN_JSON_FILE: inFolder('fine') },
      /JSON object/,
    ],
    [
      'no such login file',
      'UPSTREAM_LOGIN_JSON_FILE',
      { UPSTREAM_LOGIN_JSON_FILE: inFolder('none') },
      /no file at its path/,
    ],
    [
      'a login together with its file',
      'UPSTREAM_LOGIN_JSON',
      { UPSTREAM_LOGIN_JSON: '{}', UPSTREAM_LOGIN_JSON_FILE: inFolder('fine') },
      /together with UPSTREAM_LOGIN_JSON_FILE/,
    ],
    ['a file in place of the data directory', 'DATA_DIR', { DATA_DIR: inFolder('fine/data') }, /can't be|folder/],
    ['a folder with a line break, in a file', 'DATA_DIR', { DATA_DIR: inFolder('fine/da\nta') }, /can't be written/],
  ];
  for (const one of FILES) refuse(one);
});
