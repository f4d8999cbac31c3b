import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { CommandFailure } from '../../cli/command-failure.ts';
import type { SandboxOptions } from '../../cli/sandbox-options.ts';
import { configError, configErrorLine, quoted, type ConfigError } from '../../config/config-error.ts';
import type { Environment } from '../../config/environment.ts';
import { integerOr, optionalText, textOr } from '../../config/plain-variable.ts';
import { readSecretFile } from '../../config/read-secret-file.ts';
import { epochMsOf, parseInstant } from '../../domain/instant.ts';
import { timeZone } from '../../config/time-zone.ts';
import { readFaults, type Fault } from '../../sandbox/fault.ts';
import { readMoneyFaults, type MoneyFaults } from '../../sandbox/money/money-fault.ts';
import { RUN_LIMITS } from '../../sandbox/run-request.ts';
import type { Run } from '../../sandbox/sandbox.ts';

/** What a sandbox is started with. */
export type SandboxSettings = {
  readonly host: string;
  readonly port: number;
  /** Null: no webhooks are sent. */
  readonly callback: { readonly target: URL; readonly secret: Buffer } | null;
  readonly seed: string;
  readonly faults: ReadonlySet<Fault>;
  readonly moneyFaults: MoneyFaults;
  /** Of the days on which the bank books. */
  readonly timeZone: string;
  /** Null: never gives up. */
  readonly mostTries: number | null;
  readonly ordersAtOnce: number;
  /** In milliseconds since the Unix epoch; null: the system's clock. */
  readonly startAtMs: number | null;
  /** Null: nothing is played until somebody asks for it. */
  readonly run: Run | null;
  /** Where the files of bank and chains are written when it has played; null: nowhere. */
  readonly bankDir: string | null;
};

type Read<A> = E.Either<ConfigError, A>;

const SECRET = 'SANDBOX_WEBHOOK_SECRET';
const USUAL_PORT = 8090;
const MOST_PORT = 65_535;
const ORDERS_AT_ONCE = { usual: 64, most: 1_024 };
const MOST_TRIES = 1_000;
const MS_PER_DAY = 86_400_000;
/** Where the ledger takes webhooks (docs/spec/receiving.md). */
const RECEIVING_PATH = '/v1/webhooks';

const NUMBER = /^\d{1,15}(?:\.\d{1,9})?$/;

const numberOption = (
  name: string,
  text: string | undefined,
  { least, most, whole }: { readonly least: number; readonly most: number; readonly whole: boolean },
): Read<number | null> => {
  if (text === undefined) return E.right(null);
  const value = Number(text);
  const isFit = NUMBER.test(text) && value >= least && value <= most && (!whole || Number.isInteger(value));
  const kind = whole ? 'a whole number' : 'a number';
  return isFit
    ? E.right(value)
    : E.left(
        configError(name, `${quoted(text)} is out of range or no number`, `give ${kind} from ${least} to ${most}`),
      );
};

const targetOption = (text: string | undefined): Read<URL | null> => {
  if (text === undefined) return E.right(null);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return E.left(
      configError('--target', `${quoted(text)} is no address`, 'give one as http://127.0.0.1:8080/v1/webhooks'),
    );
  }
  if (url.pathname === '/' && url.search === '') url.pathname = RECEIVING_PATH;
  return E.right(url);
};

const secretOf = (env: Environment, file: string | undefined): Read<Buffer | null> => {
  if (file === undefined)
    return E.map((text: string | null) => (text === null ? null : Buffer.from(text)))(optionalText(env, SECRET));
  return pipe(
    readSecretFile(file),
    E.mapLeft((error) =>
      error._tag === 'Absent'
        ? configError('--secret-file', 'the file is not there', 'name the file that holds the secret')
        : configError('--secret-file', `the file ${error.detail}`, error.cure),
    ),
    E.map(({ text }) => Buffer.from(text)),
  );
};

const callbackOf = (target: URL | null, secret: Buffer | null): Read<SandboxSettings['callback']> => {
  if (target === null) return E.right(null);
  return secret === null
    ? E.left(
        configError('--target', 'there is no secret to sign webhooks with', `give --secret-file FILE, or ${SECRET}`),
      )
    : E.right({ target, secret });
};

const startOption = (text: string | undefined): Read<number | null> => {
  if (text === undefined) return E.right(null);
  const instant = parseInstant(text);
  return instant === null
    ? E.left(configError('--start-at', `${quoted(text)} is no moment`, 'give one as 2026-01-31T12:00:00Z'))
    : E.right(epochMsOf(instant));
};

const faultOptions = (names: readonly string[]): Read<ReadonlySet<Fault>> =>
  E.mapLeft((problem: string) => configError('--fault', problem, 'see --help for what each does'))(readFaults(names));

const moneyFaultOptions = (names: readonly string[]): Read<MoneyFaults> =>
  E.mapLeft((problem: string) => configError('--money-fault', problem, 'see --help for what each does'))(
    readMoneyFaults(names),
  );

const folderOption = (text: string | undefined): Read<string | null> =>
  text === ''
    ? E.left(configError('--bank-dir', 'it is empty', 'name a folder'))
    : E.right(text === undefined ? null : resolve(text));

const portOf = (env: Environment, option: string | undefined): Read<number> =>
  pipe(
    numberOption('--port', option, { least: 0, most: MOST_PORT, whole: true }),
    E.chain((port) =>
      port === null ? integerOr(env, 'PORT', { least: 0, most: MOST_PORT, fallback: USUAL_PORT }) : E.right(port),
    ),
  );

/**
 * Reads options and environment (docs/spec/sandbox.md, Sandbox).
 * @param newSeed a seed for a start that names none
 */
export const sandboxSettings = (
  options: SandboxOptions,
  env: Environment,
  newSeed: () => string,
): E.Either<CommandFailure, SandboxSettings> =>
  pipe(
    E.Do,
    E.bind('host', () => textOr(env, 'HOST', '127.0.0.1')),
    E.bind('port', () => portOf(env, options.port)),
    E.bind('target', () => targetOption(options.target)),
    E.bind('secret', () => secretOf(env, options.secretFile)),
    E.bind('callback', ({ target, secret }) => callbackOf(target, secret)),
    E.bind('orders', () =>
      numberOption('--orders', options.orders, { least: 0, most: RUN_LIMITS.orders, whole: true }),
    ),
    E.bind('rate', () => numberOption('--rate', options.rate, { least: 0.001, most: RUN_LIMITS.rate, whole: false })),
    E.bind('days', () => numberOption('--days', options.days, { least: 0, most: RUN_LIMITS.days, whole: false })),
    E.bind('faults', () => faultOptions(options.fault ?? [])),
    E.bind('moneyFaults', () => moneyFaultOptions(options.moneyFault ?? [])),
    E.bind('timeZone', () => timeZone(env)),
    E.bind('bankDir', () => folderOption(options.bankDir)),
    E.bind('mostTries', () => numberOption('--tries', options.tries, { least: 1, most: MOST_TRIES, whole: true })),
    E.bind('atOnce', () =>
      numberOption('--at-once', options.atOnce, { least: 1, most: ORDERS_AT_ONCE.most, whole: true }),
    ),
    E.bind('startAtMs', () => startOption(options.startAt)),
    E.bimap(
      (error): CommandFailure => ({ status: 2, line: configErrorLine(error) }),
      ({ orders, rate, days, atOnce, ...settings }): SandboxSettings => ({
        host: settings.host,
        port: settings.port,
        callback: settings.callback,
        faults: settings.faults,
        moneyFaults: settings.moneyFaults,
        timeZone: settings.timeZone,
        bankDir: settings.bankDir,
        mostTries: settings.mostTries,
        startAtMs: settings.startAtMs,
        seed: options.seed ?? newSeed(),
        ordersAtOnce: atOnce ?? ORDERS_AT_ONCE.usual,
        run:
          orders === null && rate === null
            ? null
            : { orders, rate, withinMs: Math.round((days ?? 0) * MS_PER_DAY), faults: settings.faults },
      }),
    ),
  );
