import { randomBytes, randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { either as E } from 'fp-ts';
import Koa from 'koa';
import type { ApiContext, ApiState } from './http/api-context.ts';
import { mountApi } from './api/mount-api.ts';
import type { CommandContext, CommandFailure, OpenLedger } from './cli/command-context.ts';
import { runCommandLine } from './cli/run-command-line.ts';
import { configErrorLine, loadConfig, watchSecrets, type Config, type Secrets } from './config/index.ts';
import { branded } from './domain/brand.ts';
import type { RequestId } from './domain/ids.ts';
import type { EventStore } from './event-store/event-store.ts';
import { emptyStore } from './event-store/empty-store.ts';
import { openBeside, openServing, storeExists, type SqlitePlace } from './event-store/sqlite/sqlite-event-store.ts';
import { accessLog } from './http/access-log.ts';
import { listen } from './http/http-server.ts';
import { RecentOrders } from './ledger/recent-orders.ts';
import { describeFailure, recordDelivery } from './ledger/record-delivery.ts';
import type { SecretKeyById } from './ledger/verify-event.ts';
import { createLog, type Log } from './telemetry/logger.ts';
import { systemClock } from './telemetry/system-clock.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';

/** Orders whose next delivery is decided without reading; some 500 bytes each. */
const RECENT_ORDERS = 50_000;
/** A provider's burst waits here; what is beyond it is told to come again. */
const DELIVERIES_UNDER_WAY = 2_048;
/** How long a delivery's body may take to come (contract.md, Receiving). */
const BODY_WITHIN_MS = 10_000;

const newRequestId = (): RequestId => branded<RequestId>(randomUUID());

const failure = (status: CommandFailure['status'], line: string): CommandFailure => ({ status, line });

const placeOf = ({ dataDir, eventStore }: Config): SqlitePlace => ({ dataDir, file: eventStore.file });

/** Finds the key that an event was signed with, among those that are accepted and those that only prove old events. */
const keyById =
  (secrets: () => Secrets): SecretKeyById =>
  (id) => {
    const { active, retired } = secrets().webhook;
    return [...active, ...retired].find((secret) => secret.id === id)?.key ?? null;
  };

const application = (
  { webhooks: settings }: Config,
  store: EventStore,
  secrets: () => Secrets,
  log: Log,
): Koa<ApiState> => {
  const now = systemClock();
  const app = new Koa<ApiState>();
  // Errors of replies that are cut off; all others are answered and logged on their way.
  app.on('error', (error: unknown, ctx?: ApiContext) => {
    log.logger.warn({ requestId: ctx?.state.requestId, err: error }, 'a reply was cut off');
  });
  app.use(accessLog(log.request));
  const webhooks = webhookRoutes({
    settings: { ...settings, mostUnderWay: DELIVERIES_UNDER_WAY, bodyWithinMs: BODY_WITHIN_MS },
    secrets: () => secrets().webhook.active,
    now,
    record: recordDelivery({ store, recent: new RecentOrders(RECENT_ORDERS) }),
    onFailure: (failed, requestId) => {
      log.logger.error({ requestId, failure: describeFailure(failed) }, 'a delivery was not recorded');
    },
  });
  const deps = {
    store,
    apiKeys: () => secrets().apiKeys,
    secretKey: keyById(secrets),
    now,
    newRequestId,
    log: log.logger,
  };
  mountApi(app, deps, [webhooks]);
  return app;
};

/** Resolves at the first SIGTERM or SIGINT; further ones, which npm and terminals send, change nothing. */
const askedToStop = (): Promise<NodeJS.Signals> =>
  new Promise((stop) => {
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });

/** Keeps secrets and keys current; what can't be used is logged, and the ones in use stay. */
const currentSecrets = (
  config: Config,
  { logger }: Log,
): { readonly get: () => Secrets; readonly stop: () => void } => {
  let current = config.secrets;
  const stop = watchSecrets({
    env: process.env,
    place: config,
    onReload: ({ secrets: { webhook, apiKeys }, warnings }) => {
      current = { webhook, apiKeys };
      for (const warning of warnings) logger.warn(warning);
      const counts = { active: webhook.active.length, retired: webhook.retired.length, apiKeys: apiKeys.length };
      logger.info(counts, 'secrets and keys were read again');
    },
    onError: (error) => {
      logger.error({ problem: configErrorLine(error) }, 'secrets and keys could not be read again; those in use stay');
    },
  });
  return { get: () => current, stop };
};

const serve = async (): Promise<E.Either<CommandFailure, void>> => {
  const loaded = loadConfig(process.env, { generate: true, randomBytes });
  if (E.isLeft(loaded)) return E.left(failure(2, configErrorLine(loaded.left)));
  const { config, warnings, generatedFiles } = loaded.right;
  const opened = await openServing(placeOf(config));
  if (E.isLeft(opened)) return E.left(failure(opened.left._tag === 'DataDirUnusable' ? 2 : 1, opened.left.detail));
  const store = opened.right;
  const log = createLog(config.logLevel, process.stdout.isTTY);
  const { logger } = log;
  const secrets = currentSecrets(config, log);
  const stop = askedToStop();
  const handle = application(config, store, secrets.get, log).callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  const server = await listen(listener, config.host, config.port, newRequestId);
  if (E.isLeft(server)) {
    secrets.stop();
    await store.close();
    return E.left(failure(1, server.left.detail));
  }
  for (const warning of warnings) logger.warn(warning);
  for (const file of generatedFiles) logger.info({ file }, 'generated, since none is configured');
  log.announce({ url: server.right.url }, 'listening');
  const signal = await stop;
  logger.info({ signal }, 'stopping');
  await server.right.close();
  await store.close();
  secrets.stop();
  logger.info('stopped');
  log.flush();
  return E.right(undefined);
};

/** The ledger for a command: its file beside whoever serves it, or an empty log where there has been no start yet. */
const openLedger = (): E.Either<CommandFailure, OpenLedger> => {
  const loaded = loadConfig(process.env, { generate: false, randomBytes });
  if (E.isLeft(loaded)) return E.left(failure(2, configErrorLine(loaded.left)));
  const { config } = loaded.right;
  const place = placeOf(config);
  const store = storeExists(place) ? openBeside(place) : E.right(emptyStore);
  if (E.isLeft(store)) return E.left(failure(1, store.left.detail));
  return E.right({ store: store.right, secretKey: keyById(() => config.secrets) });
};

const context: CommandContext = {
  terminal: {
    out: (text) => process.stdout.write(text),
    note: (text) => process.stderr.write(text),
    interactive: process.stderr.isTTY,
  },
  now: systemClock(),
  openLedger,
  serve,
};

// Orders are personal data: what is written is for its owner only, whatever the shell would allow.
process.umask(0o077);
process.exitCode = await runCommandLine(context, process.argv.slice(2));
