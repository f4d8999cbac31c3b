import { Agent, request } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { readSpoolState } from '../../../src/event-store/spool/read-spool-state.ts';
import type { ClusterDouble } from '../../support/eventstoredb/cluster.ts';
import { accepted } from '../../support/answers.ts';
import type { Answer } from '../../support/exchange.ts';
import { expectOnceEach } from '../../support/once-each.ts';
import { bodyOf, newOrderId, onRamp, signatureOf } from '../../support/payloads.ts';
import type { Attempt } from '../../support/persistent-provider.ts';
import { right } from '../../support/right.ts';
import { storedTraces } from '../../support/stored-traces.ts';
import { until } from '../../support/until.ts';
import type { ServingLedger } from './two-ledgers.ts';

/** What became of deliveries while leaders were killed. Times in ms, from the first sending to the acknowledgement. */
type KillFigures = {
  readonly kills: number;
  readonly delivered: number;
  readonly spooled: number;
  /** Requests that were answered 503, or not at all, and sent again. */
  readonly sentAgain: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** From the end of the last kill until no spool holds anything. */
  readonly drainedWithin: number;
};

/** A leader is killed so often. */
const EVERY_MS = 15_000;
/** One that was killed comes back as a follower. */
const DOWN_MS = 5_000;
const SEND_AGAIN_MS = 50;
const LOOK_MS = 5;
const DRAINED_WITHIN_MS = 60_000;

/** Without a bound of its own: a queue in the client would be taken for the ledger's. */
const agent = new Agent({ keepAlive: true });

const send = (url: string, body: Buffer, requestId: string): Promise<Answer | null> =>
  new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      'x-service-signature': signatureOf(body),
      'x-request-id': requestId,
    };
    const sent = request(new URL('/v1/webhooks', url), { method: 'POST', agent, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', () => resolve(null));
      response.on('end', () => {
        const bytes = Buffer.concat(parts);
        const { statusCode: status = 0, headers: answered } = response;
        resolve({ status, headers: answered, bytes, text: bytes.toString() });
      });
    });
    sent.on('error', () => resolve(null));
    sent.end(body);
  });

const acknowledgementOf = (answer: Answer | null): Attempt['acknowledgement'] => {
  if (answer === null || answer.status === 503) return null;
  if (answer.status === 202) return { outcome: 'spooled', orderId: null };
  return accepted(answer);
};

/** Kills leader after leader. */
const killLeaders = async (cluster: ClusterDouble, kills: number, leaderlessMs: number): Promise<void> => {
  for (let kill = 0; kill < kills; kill += 1) {
    const leader = cluster.leader();
    await leader?.stop();
    await after(leaderlessMs);
    cluster.elect(cluster.nodes.find((node) => node !== leader && node.isListening()) ?? null);
    await after(DOWN_MS);
    await leader?.start();
    await after(Math.max(0, EVERY_MS - DOWN_MS - leaderlessMs));
  }
};

/** Delivers at a steady rate to ledgers in turn, while the leader of their cluster is killed again and again; then counts the log. */
export const throughKills = async (
  cluster: ClusterDouble,
  ledgers: readonly ServingLedger[],
  kills: number,
  deliveriesPerSecond: number,
  leaderlessMs: number,
): Promise<KillFigures> => {
  const attempts: Attempt[] = [];
  const times: number[] = [];
  const deliver = async (n: number): Promise<void> => {
    const body = bodyOf(onRamp({ orderId: newOrderId('kill') }));
    const since = performance.now();
    for (let time = 0; ; time += 1) {
      const requestId = `delivery-${n}.${time}`;
      const sentAt = Date.now();
      // A provider sends to one name, behind which the ledgers are.
      const answer = await send(ledgers[(n + time) % ledgers.length]?.url ?? '', body, requestId);
      const acknowledgement = acknowledgementOf(answer);
      attempts.push({ requestId, body, sentAt, answeredAt: answer === null ? null : Date.now(), acknowledgement });
      if (acknowledgement !== null) break;
      await after(SEND_AGAIN_MS);
    }
    times.push(performance.now() - since);
  };
  const since = performance.now();
  const all: Promise<void>[] = [];
  const over = new AbortController();
  const killing = killLeaders(cluster, kills, leaderlessMs).finally(() => over.abort());
  while (!over.signal.aborted) {
    const due = ((performance.now() - since) / 1_000) * deliveriesPerSecond;
    while (all.length < due) all.push(deliver(all.length));
    await after(LOOK_MS);
  }
  await killing;
  await Promise.all(all);
  const ended = performance.now();
  for (const { spool } of ledgers) {
    await until(DRAINED_WITHIN_MS, 'the spool to be empty', () =>
      Promise.resolve((right(readSpoolState(spool))?.depth ?? 0) === 0 ? true : null),
    );
  }
  const drainedWithin = performance.now() - ended;
  expectOnceEach(attempts, storedTraces(cluster.log));
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    kills,
    delivered: all.length,
    spooled: attempts.filter(({ acknowledgement }) => acknowledgement?.outcome === 'spooled').length,
    sentAgain: attempts.length - all.length,
    p50: at(0.5),
    p99: at(0.99),
    longest: at(1),
    drainedWithin,
  };
};
