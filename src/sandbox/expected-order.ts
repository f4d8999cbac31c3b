import type { Flow } from '../domain/flow.ts';
import { isListed, phaseOf, rankOf, type Phase } from '../domain/status.ts';

/** What an order must look like to a receiver that took some of its events. */
export type ExpectedOrder = { readonly status: string; readonly phase: Phase; readonly isAnomalous: boolean };

/** An event that was taken: what makes it one (docs/spec/domain.md, Identity), and what may not fit about it. */
export type TakenEvent = {
  readonly status: string;
  readonly utr: string | null;
  /** In lower case. */
  readonly wallet: string;
  /** Whether every member is of its documented type. */
  readonly isWhole: boolean;
};

const PAYOUT_STATUSES: readonly string[] = ['fiatDeemed', 'fiatFailed', 'PayoutSuccess'];
const PROGRESS: readonly string[] = ['orderReceived', 'InProgress', 'fiatReceived', 'transferred', 'completed'];

type Statuses = ReadonlySet<string>;

/** The statuses of each payout attempt (docs/spec/domain.md, Payouts: attempts keyed by utr). */
const attemptsOf = (events: readonly TakenEvent[]): readonly Statuses[] => {
  const payouts = events.filter(({ status }) => PAYOUT_STATUSES.includes(status));
  const utrs = new Set(payouts.flatMap(({ utr }) => utr ?? []));
  if (payouts.length === 0) return [];
  if (utrs.size <= 1) return [new Set(payouts.map(({ status }) => status))];
  const attempts = [...utrs].map((utr) => new Set(payouts.filter((it) => it.utr === utr).map(({ status }) => status)));
  const strays = payouts.filter(
    ({ status, utr }) => utr === null && status !== 'fiatDeemed' && !attempts.some((its) => its.has(status)),
  );
  return strays.length === 0 ? attempts : [...attempts, new Set(strays.map(({ status }) => status))];
};

const stateOf = (statuses: Statuses): string =>
  ['PayoutSuccess', 'fiatFailed'].find((status) => statuses.has(status)) ?? 'fiatDeemed';

const shown = (flow: Flow, statuses: Statuses, attempts: readonly Statuses[]): string => {
  const [highest = ''] = [...statuses].toSorted((a, b) => rankOf(flow, b) - rankOf(flow, a));
  if (flow === 'onramp' || !PAYOUT_STATUSES.includes(highest)) return highest;
  const states = attempts.map(stateOf);
  return ['PayoutSuccess', 'fiatDeemed'].find((state) => states.includes(state)) ?? 'fiatFailed';
};

const isAnomalous = (flow: Flow, statuses: Statuses, attempts: readonly Statuses[]): boolean => {
  const has = (status: string): boolean => statuses.has(status);
  const settled = has(flow === 'onramp' ? 'completed' : 'PayoutSuccess');
  if (settled && (has('refunding') || has('refunded'))) return true;
  if (flow === 'onramp') return has('expired') && PROGRESS.some(has);
  const paid = attempts.filter((its) => its.has('PayoutSuccess'));
  return paid.length > 1 || paid.some((its) => its.has('fiatFailed')) || (has('completed') && !settled);
};

const isOdd = (flow: Flow, events: readonly TakenEvent[]): boolean =>
  events.some(({ status, isWhole }) => !isWhole || !isListed(flow, status)) ||
  new Set(events.map(({ wallet }) => wallet)).size > 1;

/**
 * The status, the phase and the anomaly that events of one order add up to (docs/spec/domain.md, Order state). The
 * sandbox's own reading, apart from the ledger's: where the two differ, one of them is wrong.
 * @param events one or more, each once
 * @param hasConflict whether other facts were taken beside one of them
 */
export const expectedOrder = (flow: Flow, events: readonly TakenEvent[], hasConflict: boolean): ExpectedOrder => {
  const statuses = new Set(events.map(({ status }) => status));
  const attempts = flow === 'offramp' ? attemptsOf(events) : [];
  const status = shown(flow, statuses, attempts);
  return {
    status,
    phase: phaseOf(flow, status),
    isAnomalous: hasConflict || isOdd(flow, events) || isAnomalous(flow, statuses, attempts),
  };
};
