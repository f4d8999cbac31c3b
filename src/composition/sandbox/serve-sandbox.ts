import { randomBytes } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import type { CommandFailure } from '../../cli/command-failure.ts';
import type { SandboxOptions } from '../../cli/sandbox-options.ts';
import type { Environment } from '../../config/index.ts';
import { CLIENT_ID } from '../../sandbox/access-tokens.ts';
import type { Run, Sandbox } from '../../sandbox/sandbox.ts';
import { createLog, type Log } from '../../telemetry/logger.ts';
import { askedToStop } from '../asked-to-stop.ts';
import { sandboxSettings } from './sandbox-settings.ts';
import { startSandbox } from './start-sandbox.ts';
import { writeBankFolder } from './write-bank-folder.ts';

const SEED_BYTES = 6;

/** A seed for a start that names none. */
export const newSeed = (): string => randomBytes(SEED_BYTES).toString('hex');

const play = async (sandbox: Sandbox, run: Run, { logger }: Log): Promise<void> => {
  await sandbox.play(run);
  const { sent, answers } = sandbox.deliveries.counts();
  const { ordersPlayed } = sandbox.progress;
  logger.info({ orders: ordersPlayed, deliveries: sent, answers: Object.fromEntries(answers) }, 'played');
};

/** Runs the sandbox provider until it is told to stop. */
export const serveSandbox = async (
  env: Environment,
  options: SandboxOptions,
): Promise<E.Either<CommandFailure, void>> => {
  const read = sandboxSettings(options, env, newSeed);
  if (E.isLeft(read)) return read;
  const settings = read.right;
  const log = await createLog('info', process.stdout.isTTY);
  const stop = askedToStop();
  const started = await startSandbox(settings, log);
  if (E.isLeft(started)) return started;
  const { url, sandbox, money, stop: end } = started.right;
  const target = settings.callback?.target.href ?? null;
  log.announce({ url, issuer: url, audience: CLIENT_ID, target, seed: settings.seed }, 'listening');
  const { run, bankDir } = settings;
  /** A folder that can't be written to is no reason to end: what it was to have is at hand by HTTP. */
  const writeMoney = (): void => {
    const written = bankDir === null ? E.right(undefined) : writeBankFolder(bankDir, money({}));
    if (E.isLeft(written)) log.logger.error(written.left.line);
    else if (bankDir !== null) log.logger.info({ folder: bankDir }, 'bank files are written');
  };
  const playing = run === null ? Promise.resolve() : play(sandbox, run, log).then(writeMoney);
  playing.catch((err: unknown) => log.logger.error({ err }, 'unexpected error'));
  await stop;
  await end();
  writeMoney();
  await log.flush();
  return E.right(undefined);
};
