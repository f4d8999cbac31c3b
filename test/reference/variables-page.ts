import { randomBytes } from 'node:crypto';
import { loadConfig, type Config } from '../../src/config/index.ts';
import { knownVariables } from '../support/known-variables.ts';
import { right } from '../support/right.ts';
import { code, table } from './table.ts';

type Variable = {
  /** What stands where it is not set: read from the configuration that an empty environment makes, or a word for it. */
  readonly fallback: string | ((config: Config) => string | number);
  readonly about: string;
};

const NONE = 'none';
const GENERATED = 'generated';

/** What each variable is for, in the order of the page. */
const VARIABLES: Readonly<Record<string, Variable>> = {
  HOST: {
    fallback: ({ host }) => host,
    about: 'The address that it listens on. On one that is not loopback, secrets and keys must be configured',
  },
  PORT: {
    fallback: ({ port }) => port,
    about: '`0` picks a free one; the log line with `"msg":"listening"` carries `url`',
  },
  PUBLIC_URL: {
    fallback: NONE,
    about:
      'Where browsers reach the ledger behind its proxy, `https://ledger.example`; pages are then for that host, and their cookies for TLS alone. Without it a ledger on a loopback host answers names of this machine only',
  },
  DATA_DIR: { fallback: './data', about: 'The folder for everything that the ledger keeps; made with mode 0700' },
  EVENT_STORE_URL: {
    fallback: 'sqlite:',
    about:
      '`sqlite:` (in the data directory), `sqlite:FILE`, or EventStoreDB: `esdb://USER:PASSWORD@HOST:2113`, a cluster `esdb://USER:PASSWORD@A,B,C`',
  },
  EVENT_STORE_STREAM_PREFIX: {
    fallback: NONE,
    about: 'EventStoreDB only: put before every stream name, so that ledgers can share a server',
  },
  SPOOL_MAX_BYTES: {
    fallback: ({ spoolMaxBytes }) => spoolMaxBytes,
    about: 'Bytes that deliveries may take on this machine while EventStoreDB is away',
  },
  SPOOL_AFTER_MS: {
    fallback: ({ spoolAfterMs }) => spoolAfterMs,
    about:
      'How long a delivery waits for an EventStoreDB that is silent, in ms, before it is kept on this machine and answered 202',
  },
  READ_MODEL_URL: {
    fallback: 'sqlite:',
    about: '`sqlite:` (in the data directory) or `sqlite:FILE`; everything in it can be built again from the events',
  },
  WEBHOOK_SECRETS: {
    fallback: GENERATED,
    about: '`id=secret,id2=secret2`: each is accepted; 24 bytes or more',
  },
  WEBHOOK_RETIRED_SECRETS: {
    fallback: NONE,
    about: 'The same form; not accepted any more, kept to prove old events',
  },
  WEBHOOK_SIGNATURE_HEADER: {
    fallback: ({ webhooks }) => webhooks.signatureHeader,
    about: 'The request header that carries the signature',
  },
  WEBHOOK_SIGNED_FORM: {
    fallback: ({ webhooks }) => webhooks.signedForm,
    about: 'What the signature is over: `bytes` as they came, or `json`: `JSON.stringify(JSON.parse(body))`',
  },
  WEBHOOK_MAX_BODY_BYTES: {
    fallback: ({ webhooks }) => webhooks.maxBodyBytes,
    about: 'The largest delivery in bytes; at most 524288',
  },
  WEBHOOK_MAX_AGE_SECONDS: {
    fallback: ({ webhooks }) => webhooks.maxAgeSeconds ?? 'off',
    about: 'Deliveries whose own newest time is longer past are refused (protection against replays)',
  },
  API_KEYS: { fallback: GENERATED, about: '`id:scope+scope=key,…`; [the scopes](scopes.md)' },
  API_MAX_REQUESTS_PER_MINUTE: {
    fallback: ({ queriesPerMinute }) => queriesPerMinute,
    about:
      'Queries that one API key may ask in a minute; more are answered 429 `rate-limited`. Deliveries are never limited so',
  },
  UPSTREAM_BASE_URL: { fallback: NONE, about: "The provider's base address, which calls stay below" },
  UPSTREAM_LOGIN_JSON: { fallback: NONE, about: "The body of the provider's login: a JSON object, a secret" },
  UPSTREAM_ISSUER: { fallback: NONE, about: 'What tokens must say in `iss`; not checked where it is not set' },
  UPSTREAM_AUDIENCE: { fallback: NONE, about: 'What tokens must say in `aud`; not checked where it is not set' },
  UPSTREAM_JWKS_URL: {
    fallback: NONE,
    about: 'Where the keys are that signatures of tokens are checked with; not checked where it is not set',
  },
  LEDGER_ORIGIN: {
    fallback: GENERATED,
    about: "The name of this ledger's log in checkpoints: one line, no blanks, no `+`",
  },
  LEDGER_SIGNING_KEY: { fallback: GENERATED, about: 'The Ed25519 key that signs checkpoints, in PKCS#8 PEM' },
  LEDGER_RETIRED_SIGNING_KEY: {
    fallback: NONE,
    about: 'The key before it, which signs checkpoints beside it until everybody who verifies them knows the new one',
  },
  LEDGER_WITNESSES: {
    fallback: NONE,
    about:
      'Witnesses that are asked to cosign checkpoints: `vkey url, vkey2 url2`, each key a verifier key of cosignature/v1',
  },
  CHAIN_RPC_URLS: {
    fallback: NONE,
    about:
      'Nodes that transfers are looked up on, by JSON-RPC: `137=https://…,1=https://…`; several of one chain repeat its number, and the next is asked where one fails',
  },
  BUSINESS_TIME_ZONE: {
    fallback: ({ businessTimeZone }) => businessTimeZone,
    about: 'An IANA zone: where a business day begins. After a change the read models are built again by themselves',
  },
  MATCH_TOLERANCES: {
    fallback: NONE,
    about:
      'How far the amounts of order and bank may be apart, by currency: `INR=0.01,*=0`; exactly the tolerance is inside. After a change the read models are built again by themselves',
  },
  MATCH_DUE_DAYS: {
    fallback: ({ match }) => match.dueDays,
    about: 'How many days a settled order is expected before it is missed, unless a statement covers its day',
  },
  MATCH_DATE_TOLERANCE_DAYS: {
    fallback: ({ match }) => match.settings.dateToleranceDays,
    about: "How many days a bank line's day may be from the order's",
  },
  OFFRAMP_FIAT: {
    fallback: ({ match }) => match.settings.offRampFiat,
    about:
      "Whether an off-ramp order's `fiat` is what the bank pays out (`net`), or what tds and commission are taken from (`gross`)",
  },
  LOG_LEVEL: {
    fallback: ({ logLevel }) => logLevel,
    about: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
  },
};

/**
 * Every variable that the configuration reads, with its default as an empty environment gives it.
 *
 * @throws Error where a variable has no text here, or a text no variable
 */
export const variablesPage = (): string => {
  const known = knownVariables();
  const named = known.filter((name) => !known.includes(name.replace(/_FILE$/, '')) || !name.endsWith('_FILE'));
  const [untold, unknown] = [
    named.filter((name) => !(name in VARIABLES)),
    Object.keys(VARIABLES).filter((name) => !known.includes(name)),
  ];
  if (untold.length + unknown.length > 0) {
    throw new Error(`variables without a text: ${untold.join(', ')}; texts without a variable: ${unknown.join(', ')}`);
  }
  const { config } = right(loadConfig({}, { generate: false, randomBytes }));
  const rows = Object.entries(VARIABLES).map(([name, { fallback, about }]) => [
    code(name),
    typeof fallback === 'string' ? fallback : String(fallback(config)),
    known.includes(`${name}_FILE`) ? 'yes' : '',
    about,
  ]);
  return `# Environment variables

Each that has a yes in the third column can be given as \`NAME_FILE\` too: the path of a file that holds the value. These files are looked at twice a second, and at SIGHUP at once, so a secret is changed without a restart. How the environment
is read is in [Configuration](../spec/configuration.md).

${table(['variable', 'default', '`_FILE`', 'means'], rows)}

The sandbox takes \`SANDBOX_WEBHOOK_SECRET\`. The browser tests take \`CHROMIUM_EXECUTABLE\`.
`;
};
