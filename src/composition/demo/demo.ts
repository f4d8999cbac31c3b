import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { CommandFailure } from '../../cli/command-failure.ts';
import { configErrorLine, loadConfig, type Environment } from '../../config/index.ts';
import { businessCalendar } from '../../domain/business-day.ts';
import { instantOf } from '../../domain/instant.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { askedToStop } from '../asked-to-stop.ts';
import { leastMemory } from '../least-memory.ts';
import { leastOpenFiles } from '../least-open-files.ts';
import { claimDemoDirectory, demoEnvironment } from './demo-directory.ts';
import { bankFilesToTry, commandsToTry, playedBefore, whereToLook } from './demo-guide.ts';
import { LIVE_RUN, ORDERS_AT_ONCE, playHistory } from './demo-orders.ts';
import { showDeliveries } from './demo-ticker.ts';
import { deliverOdd, type DemoCallback } from './odd-deliveries.ts';
import { handOverMoney, leftFile } from './hand-over-money.ts';
import { newSeed } from '../sandbox/serve-sandbox.ts';
import { startLedger, type RunningLedger } from '../ledger/start-ledger.ts';
import { EVERY_MONEY_FAULT } from '../../sandbox/money/money-fault.ts';
import { startSandbox } from '../sandbox/start-sandbox.ts';
import { writeBankFolder } from '../sandbox/write-bank-folder.ts';

const MS_PER_DAY = 86_400_000;
/** In the data directory: the files of the sandbox's bank and chains. */
const BANK_FOLDER = 'bank';

const say = (text: string): void => {
  process.stdout.write(text);
};

/** A demonstration that nobody reads any more, as behind `| head`, has ended. */
const outputGone = (): Promise<void> =>
  new Promise((resolve) => {
    process.stdout.on('error', () => resolve());
  });

const settingsFor = ({ url, config }: RunningLedger): Parameters<typeof startSandbox>[0] => {
  const [secret] = config.secrets.webhook.active;
  return {
    host: config.host,
    port: 0,
    callback: secret === undefined ? null : { target: new URL('/v1/webhooks', url), secret: secret.key },
    seed: newSeed(),
    faults: new Set(),
    moneyFaults: EVERY_MONEY_FAULT,
    timeZone: config.businessTimeZone,
    mostTries: null,
    ordersAtOnce: ORDERS_AT_ONCE,
    startAtMs: null,
  };
};

/** What is printed to be tried: given an order that is settled. */
type Commands = (orderId: string) => string;

/** Plays until the sandbox is stopped. */
const play = async (
  sandbox: Sandbox,
  callback: DemoCallback | null,
  bringMoney: () => Promise<string>,
  commands: Commands,
  isStopping: () => boolean,
): Promise<void> => {
  const orders = await playHistory(sandbox, Date.now());
  if (callback !== null && !isStopping()) await deliverOdd(callback);
  const brought = isStopping() ? '' : await bringMoney();
  if (isStopping()) return;
  const { sent } = sandbox.deliveries.counts();
  const settled = sandbox.orders.list().find(({ status }) => status === 'completed' || status === 'PayoutSuccess');
  say(`${orders} orders of the last thirty days are in, on every path of both flows, by ${sent} webhooks.\n`);
  say(brought);
  say(commands(typeof settled?.['orderId'] === 'string' ? settled['orderId'] : ''));
  say('From now on a webhook a second arrives:\n\n');
  const stopShowing = showDeliveries(sandbox.deliveries, say);
  await sandbox.play(LIVE_RUN);
  stopShowing();
};

/**
 * Runs a ledger, and a sandbox that plays orders into it, until it is told to stop. Both are in this one process: however it
 * ends, nothing of it is left.
 */
export const demo = async (configured: Environment): Promise<E.Either<CommandFailure, void>> => {
  const files = leastOpenFiles();
  if (E.isLeft(files)) return files;
  const memory = leastMemory();
  if (E.isLeft(memory)) return memory;
  const stop = Promise.race([askedToStop('SIGHUP'), outputGone()]);
  const env = demoEnvironment(configured);
  // Nothing is written unless every value is right.
  const read = loadConfig(env, { generate: false, randomBytes });
  if (E.isLeft(read)) return E.left({ status: 2, line: configErrorLine(read.left) });
  const claimed = claimDemoDirectory(read.right.config.dataDir);
  if (E.isLeft(claimed)) return claimed;
  const ledger = await startLedger(env);
  if (E.isLeft(ledger)) return ledger;
  const { url, config, log, stop: endLedger } = ledger.right;
  const settings = settingsFor(ledger.right);
  const provider = await startSandbox(settings, log);
  if (E.isLeft(provider)) {
    await endLedger();
    return provider;
  }
  const { sandbox, stop: endSandbox } = provider.right;
  say(whereToLook(config, url, provider.right.url));
  if (claimed.right === 'again') say(playedBefore(config));
  let stopping = false;
  const commands: Commands = (orderId) => commandsToTry(config, url, env['BUSINESS_TIME_ZONE'], orderId);
  const isStopping = (): boolean => stopping;
  const bringMoney = async (): Promise<string> => {
    const calendar = businessCalendar(config.businessTimeZone);
    const brought = provider.right.money({ through: calendar.dayOf(instantOf(Date.now() - MS_PER_DAY)) });
    const folder = join(config.dataDir, BANK_FOLDER);
    writeBankFolder(folder, brought);
    return bankFilesToTry(folder, await handOverMoney(config, url, brought, isStopping), leftFile(brought));
  };
  const playing = play(sandbox, settings.callback, bringMoney, commands, isStopping);
  await stop;
  stopping = true;
  await endSandbox();
  await playing;
  await endLedger();
  await log.flush();
  say(`\nThe demonstration has ended; its data stays in ${config.dataDir}.\n`);
  return E.right(undefined);
};
