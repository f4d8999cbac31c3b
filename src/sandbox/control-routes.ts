import { Router } from '@koa/router';
import * as E from 'fp-ts/lib/Either.js';
import { instantOf } from '../domain/instant.ts';
import { member } from '../domain/json.ts';
import { deliveryResource } from './delivery-resource.ts';
import type { Fault } from './fault.ts';
import { withJsonObject } from './json-request.ts';
import { readAskedOrder } from './order-request.ts';
import { sendJson, sendRefusal } from './replies.ts';
import { readRun } from './run-request.ts';
import type { Sandbox } from './sandbox.ts';
import type { SandboxRouter } from './sandbox-context.ts';

export type ControlDeps = {
  readonly sandbox: Sandbox;
  readonly now: () => number;
  /** The faults of orders and runs that name none. */
  readonly usualFaults: ReadonlySet<Fault>;
  /**
   * Resolves when the work is done, or after a few seconds: where the target is away, the caller is not kept waiting.
   */
  readonly patiently: (work: Promise<void>) => Promise<void>;
  /** Takes work that was begun and that nobody waits for. */
  readonly onBackground: (work: Promise<void>) => void;
};

const MS_PER_SECOND = 1_000;
/** A century: beyond it, timestamps would soon have five-digit years. */
const MOST_SECONDS = 3_155_760_000;

/** What the sandbox is ordered to do, and what it tells of itself (docs/spec/sandbox.md, Routes of the sandbox). */
export const controlRoutes = ({ sandbox, now, usualFaults, patiently, onBackground }: ControlDeps): SandboxRouter => {
  const router = new Router({ sensitive: true });
  router.post(
    '/sandbox/orders',
    withJsonObject(async (ctx, body) => {
      const placed = E.chain(sandbox.place.bind(sandbox))(readAskedOrder(body, usualFaults));
      if (E.isLeft(placed)) return sendRefusal(ctx, 400, placed.left);
      await patiently(placed.right.delivered);
      return sendJson(ctx, { orderId: placed.right.orderId });
    }),
  );
  router.post(
    '/sandbox/clock',
    withJsonObject(async (ctx, body) => {
      const seconds = member(body, 'advanceSeconds');
      if (typeof seconds !== 'number' || seconds < 0 || seconds > MOST_SECONDS) {
        return sendRefusal(ctx, 400, `advanceSeconds: expected a number of seconds from 0 to ${MOST_SECONDS}`);
      }
      await patiently(sandbox.advance(Math.round(seconds * MS_PER_SECOND)));
      return sendJson(ctx, { now: instantOf(Math.floor(now())) });
    }),
  );
  router.post(
    '/sandbox/run',
    withJsonObject((ctx, body) => {
      const run = readRun(body, usualFaults);
      if (E.isLeft(run)) return sendRefusal(ctx, 400, run.left);
      onBackground(sandbox.play(run.right));
      return sendJson(ctx, { started: true });
    }),
  );
  router.get('/sandbox/run', (ctx) => {
    const { sent, answers } = sandbox.deliveries.counts();
    return sendJson(ctx, { ...sandbox.progress, deliveries: sent, answers: Object.fromEntries(answers) });
  });
  router.get('/sandbox/deliveries', (ctx) => {
    const { deliveries } = sandbox;
    return sendJson(ctx, { data: deliveries.all().map(deliveryResource), dropped: deliveries.dropped });
  });
  router.get('/sandbox/expected', (ctx) => {
    const { expectation } = sandbox;
    return sendJson(ctx, { onramp: expectation.totals('onramp'), offramp: expectation.totals('offramp') });
  });
  return router;
};
