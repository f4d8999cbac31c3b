import * as E from 'fp-ts/lib/Either.js';
import { keepsStreamsApart, STREAM_KINDS } from '../domain/ids.ts';
import { certificateFault, optionsIn } from './certificate-files.ts';
import { configError, quoted, type ConfigError } from './config-error.ts';
import type { EventStoreLocation } from './config.ts';
import type { Environment } from './environment.ts';
import { optionalText } from './plain-variable.ts';
import { secretSource } from './secret-source.ts';
import { sqliteLocation } from './store-location.ts';

const VARIABLE = 'EVENT_STORE_URL';
const PREFIX = 'EVENT_STORE_STREAM_PREFIX';

const FORM = 'give sqlite:, sqlite:FILE, or esdb://USER:PASSWORD@HOST:2113 (several hosts: esdb://USER:PASSWORD@A,B,C)';

/** `esdb://`, a user, hosts with ports, options: as the client reads it. An @ in the options is refused: it would show that a password was not percent-encoded. */
const CONNECTION =
  /^(?<scheme>esdb|esdb\+discover):\/\/(?:(?<user>[^:@/?]+):(?<password>[^:@/?]+)@)?(?<hosts>[\w.-]+(?::\d{1,5})?(?:,[\w.-]+(?::\d{1,5})?)*)\/?(?:\?(?<options>[^@]+))?$/;

const WHOLE = /^\d{1,9}$/;
const FLAG = /^(?:true|false)$/;

type Texts = readonly [problem: string, cure: string];

type StoreOption =
  | { readonly is: (value: string) => boolean; readonly right: string }
  /** What to give where a value can't be used; null: it can. */
  | { readonly cure: (value: string) => string | null };

const CERTIFICATE: StoreOption = { cure: certificateFault };

const cureOf = (option: StoreOption, value: string): string | null => {
  if ('cure' in option) return option.cure(value);
  return option.is(value) ? null : `give ${option.right}`;
};

/** The options that the client knows, and the values that are safe with this ledger (the client warns of a keep-alive below 10 s, and `throwOnAppendFailure` must stay true). */
const OPTIONS: Readonly<Record<string, StoreOption>> = {
  tls: { is: (value) => FLAG.test(value), right: 'true or false' },
  tlsCAFile: CERTIFICATE,
  userCertFile: CERTIFICATE,
  userKeyFile: CERTIFICATE,
  connectionName: { is: () => true, right: 'a name' },
  nodePreference: {
    is: (value) => ['leader', 'follower', 'random', 'readonlyreplica'].includes(value.toLowerCase()),
    right: 'leader, follower, random or readOnlyReplica',
  },
  maxDiscoverAttempts: { is: (value) => WHOLE.test(value), right: 'a whole number' },
  discoveryInterval: { is: (value) => WHOLE.test(value), right: 'milliseconds' },
  gossipTimeout: { is: (value) => WHOLE.test(value), right: 'seconds' },
  defaultDeadline: { is: (value) => WHOLE.test(value) && Number(value) > 0, right: 'milliseconds' },
  keepAliveInterval: {
    is: (value) => value === '-1' || (WHOLE.test(value) && Number(value) >= 10_000),
    right: '10000 ms or more, or -1',
  },
  keepAliveTimeout: { is: (value) => value === '-1' || WHOLE.test(value), right: 'milliseconds, or -1' },
};

/** What is wrong with the options; null where nothing is. */
const optionProblem = (options: string): Texts | null => {
  const seen = new Set<string>();
  for (const [name, value] of optionsIn(options)) {
    const option = Object.entries(OPTIONS).find(([known]) => known.toLowerCase() === name)?.[1];
    if (option === undefined) {
      // An option name that is no word may be part of a password that was not percent-encoded, so it is not shown.
      const named = /^[a-z]+$/.test(name) ? `an option ${quoted(name)} that is unknown here` : 'an option that is none';
      return [`it has ${named}`, `leave it out; known are ${Object.keys(OPTIONS).join(', ')}`];
    }
    if (seen.has(name)) return [`it has the option ${name} twice`, 'keep one of the two'];
    const cure = cureOf(option, value);
    if (cure !== null) return [`its option ${name} has a value that can't be used`, cure];
    seen.add(name);
  }
  return null;
};

const isEscaped = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
};

/** What is wrong with a connection string, without any part of it that may be secret; null where nothing is. */
const connectionProblem = (url: string): Texts | null => {
  const { scheme, user, password, hosts = '', options } = CONNECTION.exec(url)?.groups ?? {};
  if (scheme === undefined) {
    return [
      'it is no connection string of EventStoreDB',
      `${FORM}; write %, @, :, / and ? in the password percent-encoded`,
    ];
  }
  const wrong = options === undefined ? null : optionProblem(options);
  if (wrong !== null) return wrong;
  if (scheme === 'esdb+discover' && hosts.includes(',')) {
    return [
      'esdb+discover:// asks only the first of its hosts',
      'give esdb://A,B,C, or one DNS name that leads to all nodes',
    ];
  }
  const isOpen = optionsIn(options ?? '').some(([name, value]) => name === 'tls' && value === 'false');
  if (user === undefined || password === undefined) {
    return isOpen
      ? null
      : ['it names no user, which a server with security asks for', `${FORM}, with ?tls=false for a server without`];
  }
  return isEscaped(user) && isEscaped(password)
    ? null
    : ['its user or password can not be read', 'write %, @, :, / and ? in them percent-encoded'];
};

const isPrefix = (text: string): boolean => /^[^$\p{Cc}][^\p{Cc}]{0,99}$/u.test(text) && text.isWellFormed();

/** What whoever started the ledger should hear of: one environment may serve several ledgers, so it is no error. */
export const prefixWarnings = (env: Environment, { kind }: EventStoreLocation): readonly string[] =>
  kind === 'sqlite' && env[PREFIX] !== undefined
    ? [`${PREFIX} has no effect: it is for EventStoreDB, and the event store is SQLite`]
    : [];

const streamPrefix = (env: Environment): E.Either<ConfigError, string> =>
  E.chain((prefix: string | null): E.Either<ConfigError, string> => {
    if (prefix === null) return E.right('');
    const none = STREAM_KINDS.join(', ');
    const form = `up to 100 characters that do not begin with $ and contain none of ${none}, such as shop-a-`;
    if (!isPrefix(prefix)) return E.left(configError(PREFIX, `${quoted(prefix)} is not valid`, `give ${form}`));
    if (keepsStreamsApart(prefix)) return E.right(prefix);
    // An earlier version took some of these.
    return E.left(
      configError(
        PREFIX,
        `${quoted(prefix)} contains what a ledger's own streams begin with: another ledger on this server would take the streams of this one for its own, and show their deliveries`,
        `give ${form}; a ledger that has such a prefix already is moved with the version that it ran on: stop it, "ramp-ledger migrate" to an embedded store, and from there to the new prefix with this version`,
      ),
    );
  })(optionalText(env, PREFIX));

const eventStoreDb = (variable: string, url: string, prefix: string): E.Either<ConfigError, EventStoreLocation> => {
  const problem = connectionProblem(url);
  return problem === null
    ? E.right({ kind: 'eventstoredb', url, streamPrefix: prefix })
    : E.left(configError(variable, ...problem));
};

/**
 * Where events are kept (docs/spec/configuration.md, Stores). The URL may hold a password, so it can come in a file,
 * and no part of it is in an error.
 */
export const eventStoreLocation = (env: Environment, dataDir: string): E.Either<ConfigError, EventStoreLocation> =>
  E.chain((source: { readonly variable: string; readonly text: string } | null) => {
    const { variable, text } = source ?? { variable: VARIABLE, text: 'sqlite:' };
    return eventStoreNamed(env, variable, text, dataDir);
  })(secretSource(env, VARIABLE));

/**
 * Reads the URL of an event store; `variable` is what errors name: a variable, or an option. A prefix is for EventStoreDB,
 * and judged in any case: one that is wrong would stop the ledger on the day that it is moved there.
 */
export const eventStoreNamed = (
  env: Environment,
  variable: string,
  url: string,
  dataDir: string,
): E.Either<ConfigError, EventStoreLocation> =>
  E.chain((prefix: string) =>
    /^esdb(?:\+discover)?:/i.test(url)
      ? eventStoreDb(variable, url, prefix)
      : sqliteLocation(variable, url, dataDir, 'events.db', FORM),
  )(streamPrefix(env));
