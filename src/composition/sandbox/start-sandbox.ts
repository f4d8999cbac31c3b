import type { RequestListener } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import type { CommandFailure } from '../../cli/command-failure.ts';
import { businessCalendar, type BusinessDay } from '../../domain/business-day.ts';
import { instantOf } from '../../domain/instant.ts';
import { inTime } from '../../concurrency/in-time.ts';
import { wait } from '../../concurrency/wait.ts';
import { isLoopback } from '../../config/index.ts';
import { listen } from '../../http/http-server.ts';
import { isKnownHost } from '../../http/known-host.ts';
import { accessTokens } from '../../sandbox/access-tokens.ts';
import { signWith } from '../../sandbox/parcel.ts';
import { createPost } from '../../sandbox/post.ts';
import { Random } from '../../sandbox/random.ts';
import { Sandbox } from '../../sandbox/sandbox.ts';
import { sandboxApplication } from '../../sandbox/sandbox-application.ts';
import { sandboxClock } from '../../sandbox/sandbox-clock.ts';
import type { Money, MoneyQuestion } from '../../sandbox/money/money.ts';
import type { Log } from '../../telemetry/logger.ts';
import { listenFailure } from '../listen-failure.ts';
import { newRequestId } from '../new-request-id.ts';
import type { SandboxSettings } from './sandbox-settings.ts';

/** A sandbox provider that answers. */
export type RunningSandbox = {
  /** Where it answers; also the issuer of its tokens. */
  readonly url: string;
  readonly sandbox: Sandbox;
  /** What its bank and chains have up to now: by month, each currency in its usual format, unless something else is asked. */
  readonly money: (asked: Partial<MoneyQuestion>) => Money;
  /** Sends nothing more, cuts off what is on its way, and answers no longer. */
  readonly stop: () => Promise<void>;
};

const FIRST_RETRY_MS = 500;
const LOOK_FOR_EXPIRIES_EVERY_MS = 1_000;
const PATIENCE_MS = 5_000;

const monotonicMs = (): number => performance.now();

const callbackOf = ({ callback, ordersAtOnce }: Pick<SandboxSettings, 'callback' | 'ordersAtOnce'>) =>
  callback === null
    ? null
    : { post: createPost(callback.target, 2 * ordersAtOnce, monotonicMs), sign: signWith(callback.secret) };

/** Starts the sandbox provider; resolves when it answers. What it is to play is for the caller to begin. */
export const startSandbox = async (
  settings: Omit<SandboxSettings, 'run' | 'bankDir'>,
  { logger }: Log,
): Promise<E.Either<CommandFailure, RunningSandbox>> => {
  const { host, port, seed, startAtMs } = settings;
  const clock = sandboxClock(startAtMs === null ? Date.now : () => startAtMs);
  const sandbox = new Sandbox({
    seed,
    clock,
    wallMs: Date.now,
    monotonicMs,
    wait,
    callback: callbackOf(settings),
    retries: { mostTries: settings.mostTries, firstWaitMs: FIRST_RETRY_MS },
    ordersAtOnce: settings.ordersAtOnce,
    onGivenUp: ({ parcel: { orderId, status }, attempt, answer }) => {
      const answered = answer === null || 'error' in answer ? { error: answer?.error } : { answer: answer.status };
      logger.warn({ orderId, status, attempt, ...answered }, 'a webhook was given up');
    },
  });
  const calendar = businessCalendar(settings.timeZone);
  const dayOf = (epochMs: number): BusinessDay => calendar.dayOf(instantOf(Math.floor(epochMs)));
  let url = '';
  const tokens = await accessTokens(new Random(`${seed}/tokens`), () => url, clock.now);
  const failed = (err: unknown): void => logger.error({ err }, 'unexpected error');
  const inBackground = (work: Promise<void>): void => void work.catch(failed);
  const app = sandboxApplication({
    sandbox,
    tokens,
    isKnownHost: (header) =>
      isKnownHost({ publicUrl: null, listensOnLoopback: isLoopback(host), isLoopback }, '/', header),
    now: clock.now,
    usualFaults: settings.faults,
    moneyFaults: settings.moneyFaults,
    wallMs: Date.now,
    dayOf,
    patiently: (work) => inTime(PATIENCE_MS, work, undefined),
    onBackground: inBackground,
    onError: failed,
  });
  const handle = app.callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  const server = await listen(listener, host, port, newRequestId);
  if (E.isLeft(server)) return E.left(listenFailure(server.left));
  ({ url } = server.right);
  const expiries = setInterval(() => inBackground(sandbox.sendDue()), LOOK_FOR_EXPIRIES_EVERY_MS);
  const stop = (): Promise<void> => {
    clearInterval(expiries);
    sandbox.end();
    return server.right.close();
  };
  const money = (asked: Partial<MoneyQuestion>): Money =>
    sandbox.money(
      { faults: settings.moneyFaults, dayOf },
      { span: 'month', through: dayOf(Date.now()), format: null, ...asked },
    );
  return E.right({ url, sandbox, money, stop });
};
