import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { createLatencyRecorder } from './latency-histogram.ts';
import { orderPayload } from './order-payload.ts';
import type { QueryClient } from './query-client.ts';
import { LIST, withQuery } from './query-kind.ts';
import { latenciesOf, type Latencies } from './query-stretch.ts';

/** `tooLong`: how often a list did not come to include the position within the time that the ledger waits. */
export type ProjectionLag = Latencies & { readonly tooLong: number };

const Recorded = t.type({ outcome: t.literal('recorded'), position: t.string });

const EVERY_MS = 200;
/** `behind` */
const NOT_YET = 503;

/** Deliveries of a run of their own. */
export type LagProbe = {
  readonly client: QueryClient;
  readonly secret: string;
  /** 22 hex digits or more that no other run of this ledger has. */
  readonly run: string;
  readonly startedAt: number;
};

/**
 * Delivers an order every 200 ms for so many seconds, and measures from its reply how long it takes until a list includes
 * its position.
 *
 * @throws Error where a delivery is not recorded
 */
export const measureLag = async (
  { client, secret, run, startedAt }: LagProbe,
  seconds: number,
): Promise<ProjectionLag> => {
  const recorder = createLatencyRecorder();
  const start = performance.now();
  let tooLong = 0;
  for (let order = 0; ; order += 1) {
    const due = start + order * EVERY_MS;
    if (due >= start + seconds * 1000) return { ...latenciesOf(recorder), tooLong };
    await wait(Math.max(0, due - performance.now()));
    const body = orderPayload(run, startedAt, { order, step: 0 });
    const reply = await client.deliver(body, createHmac('sha256', secret).update(body).digest('hex'));
    const recorded = Recorded.decode(JSON.parse(reply.text));
    if (E.isLeft(recorded)) throw new Error(`a delivery was answered ${reply.text}`);
    const path = withQuery(LIST, { limit: '1', position: recorded.right.position });
    const { status, ms } = await client.get(path, false, NOT_YET);
    recorder.record(ms);
    if (status === NOT_YET) tooLong += 1;
  }
};
