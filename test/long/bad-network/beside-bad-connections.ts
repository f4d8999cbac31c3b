import { deliver } from '../../support/exchange.ts';
import { newOrderId, onRamp } from '../../support/payloads.ts';
import { badConnections } from './bad-connections.ts';

/** What became of genuine deliveries beside connections that go wrong. Times in ms. */
export type BesideFigures = {
  readonly opened: number;
  readonly refused: number;
  readonly delivered: number;
  /** Replies by their status; 0: none came. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
};

/** Delivers for so many seconds, at a steady rate, while so many bad connections a second are opened. */
export const besideBadConnections = async (
  url: string,
  seconds: number,
  connectionsPerSecond: number,
  deliveriesPerSecond: number,
): Promise<BesideFigures> => {
  const stop = new AbortController();
  const bad = badConnections(url, connectionsPerSecond, 1, stop.signal);
  const statuses: Record<number, number> = {};
  const times: number[] = [];
  const one = async (): Promise<void> => {
    const since = performance.now();
    const status = await deliver(url, onRamp({ orderId: newOrderId('genuine') })).then(
      (answer) => answer.status,
      () => 0,
    );
    statuses[status] = (statuses[status] ?? 0) + 1;
    times.push(performance.now() - since);
  };
  const since = performance.now();
  const all: Promise<void>[] = [];
  while (performance.now() - since < seconds * 1_000) {
    const due = ((performance.now() - since) / 1_000) * deliveriesPerSecond;
    while (all.length < due) all.push(one());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(all);
  stop.abort();
  const { opened, refused } = await bad;
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { opened, refused, delivered: all.length, statuses, p50: at(0.5), p99: at(0.99), longest: at(1) };
};
