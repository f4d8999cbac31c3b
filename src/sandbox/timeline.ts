import type { Path } from './path.ts';
import type { Random } from './random.ts';
import type { OrderEvent } from './sandbox-order.ts';
import { randomUtr } from './random-ids.ts';

/** How long an on-ramp order stays pending at most (docs/spec/provider.md, Limits); beyond it, it expires. */
export const PENDING_AT_MOST_MS = 3 * 3_600_000;

const MINUTE = 60_000;

/** When an order was created, and what happened to it when. */
export type Timeline = { readonly createdAtMs: number; readonly events: readonly OrderEvent[] };

/** How long after the event before it an event happens. */
const gapBefore = (status: string, random: Random): number =>
  status === 'expired' ? PENDING_AT_MOST_MS + MINUTE + random.below(MINUTE) : 5_000 + random.below(4 * MINUTE);

const utrsOf = (path: Path, given: string | null | undefined, random: Random): readonly (string | null)[] => {
  const utrs = new Map<number, string>();
  return path.map(({ payout }) => {
    if (typeof payout !== 'number') return payout;
    if (given !== undefined) return given === '' ? null : given;
    const utr = utrs.get(payout) ?? randomUtr(random);
    utrs.set(payout, utr);
    return utr;
  });
};

/**
 * Lays an order's path over time so that its last event happens at a moment of the clock, or up to so much earlier.
 * The events of an order that is played live happen all at once; only an expired order was created three hours ago.
 *
 * @param utr in place of those that payouts would be given; empty or null: none
 */
export const timeline = (
  request: {
    readonly path: Path;
    readonly utr: string | null | undefined;
    readonly nowMs: number;
    readonly withinMs: number;
  },
  random: Random,
): Timeline => {
  const { path, utr, nowMs, withinMs } = request;
  const isLive = withinMs === 0;
  const gaps = path.map(({ status }, i) => {
    const gap = gapBefore(status, random);
    return i === 0 || (isLive && status !== 'expired') ? 0 : gap;
  });
  const duration = gaps.reduce((all, gap) => all + gap, 0);
  const createdAtMs = nowMs - duration - random.below(withinMs + 1);
  const utrs = utrsOf(path, utr, random);
  let atMs = createdAtMs;
  const events = path.map(({ status }, i) => {
    atMs += gaps[i] ?? 0;
    return { status, utr: utrs[i] ?? null, atMs };
  });
  return { createdAtMs, events };
};
