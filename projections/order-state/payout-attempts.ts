import * as Ord from 'fp-ts/lib/Ord.js';
import * as RA from 'fp-ts/lib/ReadonlyArray.js';
import * as S from 'fp-ts/lib/string.js';
import type { Utr } from '../../src/domain/ids.ts';
import type { FoldedEvent } from '../../src/domain/ledger-event.ts';
import type { OffRampStatus } from '../../src/domain/status.ts';
import { idsOf } from './anomaly.ts';
import type { Payout } from './order.ts';

type PayoutStatus = Extract<OffRampStatus, 'fiatDeemed' | 'fiatFailed' | 'PayoutSuccess'>;

const PAYOUT_STATUSES: ReadonlySet<string> = new Set<PayoutStatus>(['fiatDeemed', 'fiatFailed', 'PayoutSuccess']);

/** A payout attempt with its events, of the three payout statuses all (docs/spec/domain.md, Payouts). */
export type Attempt = Pick<Payout, 'utr' | 'state'> & { readonly events: readonly FoldedEvent[] };

/** Whether an event speaks of a payout. An on-ramp order has none: there these are unlisted statuses. */
export const isPayoutEvent = ({ facts }: FoldedEvent): boolean =>
  facts.flow === 'offramp' && PAYOUT_STATUSES.has(facts.status);

/** Those of some events that have a payout status. */
export const ofStatus = (events: readonly FoldedEvent[], status: PayoutStatus): readonly FoldedEvent[] =>
  events.filter(({ facts }) => facts.status === status);

const has = (events: readonly FoldedEvent[], status: string): boolean =>
  events.some(({ facts }) => facts.status === status);

const attempt = (utr: Utr | null, events: readonly FoldedEvent[]): Attempt => ({
  utr,
  state: has(events, 'PayoutSuccess') ? 'paid' : has(events, 'fiatFailed') ? 'failed' : 'deemed',
  events,
});

/** No utr is ever empty, so the attempt without one comes first. */
const byUtr: Ord.Ord<Attempt> = Ord.contramap(({ utr }: Attempt): string => utr ?? '')(S.Ord);

const NONE: readonly Attempt[] = [];

/**
 * The payout attempts of an order, by utr, the one without first (docs/spec/domain.md, Payouts). With one utr at most,
 * all payout events are one attempt. With several, those without a utr are dealt out: fiatDeemed to every attempt, a
 * final one to the attempts whose own events have its status. Final ones that fit nowhere are the attempt without utr.
 */
export const payoutAttempts = (events: readonly FoldedEvent[]): readonly Attempt[] => {
  const payouts = events.filter(isPayoutEvent);
  if (payouts.length === 0) return NONE;
  const own = new Map<Utr, FoldedEvent[]>();
  const bare: FoldedEvent[] = [];
  for (const event of payouts) {
    const { utr } = event.facts;
    const sameUtr = utr === null ? bare : own.get(utr);
    if (sameUtr !== undefined) sameUtr.push(event);
    else if (utr !== null) own.set(utr, [event]);
  }
  const [only = null] = own.keys();
  if (own.size <= 1) return [attempt(only, payouts)];

  const attempts: Attempt[] = [];
  const owned = new Set<string>(['fiatDeemed']);
  for (const [utr, its] of own) {
    const statuses = new Set<string>(['fiatDeemed', ...its.map(({ facts }) => facts.status)]);
    for (const status of statuses) owned.add(status);
    attempts.push(attempt(utr, [...its, ...bare.filter(({ facts }) => statuses.has(facts.status))]));
  }
  const strays = bare.filter(({ facts }) => !owned.has(facts.status));
  if (strays.length > 0) attempts.push(attempt(null, [...strays, ...ofStatus(bare, 'fiatDeemed')]));
  return RA.sortBy([byUtr])(attempts);
};

/** An attempt as an order shows it. */
export const payoutOf = ({ utr, state, events }: Attempt): Payout => ({ utr, state, eventIds: idsOf(events) });
