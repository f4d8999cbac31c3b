import { expect } from 'chai';
import * as fc from 'fast-check';
import { businessCalendar, type Calendar } from '../../../src/domain/business-day.ts';
import { FLOWS, type Flow } from '../../../src/domain/flow.ts';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { LedgerEvent } from '../../../src/domain/ledger-event.ts';
import { foldOrder } from '../../../projections/order-state/index.ts';
import { offRampReport } from '../../../projections/off-ramp-report/index.ts';
import { onRampReport } from '../../../projections/on-ramp-report/index.ts';
import {
  facetKey,
  GROUP_KEYS,
  measuresGroup,
  type Basis,
  type Cell,
  type GroupKey,
  type Report,
  type ReportCell,
  type ReportProjection,
  type ReportSums,
} from '../../../projections/report/index.ts';
import { sentDeliveries, taken } from '../../support/order-deliveries.ts';
import { naiveReport } from '../../support/report-oracle.ts';
import { runs } from '../../support/runs.ts';

const PROJECTIONS: Readonly<Record<Flow, ReportProjection>> = { onramp: onRampReport, offramp: offRampReport };
const BASES: readonly Basis[] = ['created', 'settled'];

const CALENDARS: readonly Calendar[] = [
  'UTC',
  'Asia/Kolkata',
  'America/New_York',
  'America/St_Johns',
  'Pacific/Apia',
  'Europe/London',
].map(businessCalendar);

const calendars = fc.constantFrom(...CALENDARS);
const groupings: fc.Arbitrary<readonly GroupKey[]> = fc.subarray([...GROUP_KEYS]);

const byOrder = (events: readonly LedgerEvent[]): readonly (readonly LedgerEvent[])[] => {
  const orders = new Map<OrderId, LedgerEvent[]>();
  for (const event of events) orders.set(event.facts.orderId, [...(orders.get(event.facts.orderId) ?? []), event]);
  return [...orders.values()];
};

/** The cells of one order's events. */
const cellsOf = (events: readonly LedgerEvent[], calendar: Calendar): readonly Cell[] => {
  const state = foldOrder(events);
  return state === null ? [] : FLOWS.flatMap((flow) => PROJECTIONS[flow].contributions(state, calendar));
};

const ofBasis = (cells: Iterable<Cell>, basis: Basis): readonly ReportCell[] =>
  [...cells]
    .filter((cell) => cell.basis === basis)
    .map(({ day, facet, measures }) => ({ period: day, facet, measures }));

const plainSums = (sums: ReportSums): object => ({ ...sums, byStatus: Object.fromEntries(sums.byStatus) });

const plain = ({ rows, totals }: Report): object => ({ rows: rows.map(plainSums), totals: totals.map(plainSums) });

/** Cells summed by day and facet, as a read model keeps them. */
class Cells {
  readonly #cells = new Map<string, Cell>();

  add(cell: Cell): void {
    const key = JSON.stringify([cell.basis, cell.day, facetKey(cell.facet)]);
    const { measures } = this.#cells.get(key) ?? { measures: measuresGroup.empty };
    this.#cells.set(key, { ...cell, measures: measuresGroup.concat(measures, cell.measures) });
  }

  remove(cell: Cell): void {
    this.add({ ...cell, measures: measuresGroup.inverse(cell.measures) });
  }

  all(): Iterable<Cell> {
    return this.#cells.values();
  }
}

describe('the reports', () => {
  it('are what the contract says, computed naively from the deliveries', () => {
    fc.assert(
      fc.property(sentDeliveries, calendars, groupings, (sent, calendar, groupBy) => {
        const { events, delivered } = taken(sent);
        const cells = byOrder(events).flatMap((its) => cellsOf(its, calendar));
        for (const flow of FLOWS) {
          for (const basis of BASES) {
            const report = PROJECTIONS[flow].report(groupBy, ofBasis(cells, basis));
            const { timeZone } = calendar;
            expect(plain(report)).to.deep.equal(naiveReport(delivered, { flow, basis, timeZone, groupBy }));
          }
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('kept up with every event equal those from scratch', () => {
    fc.assert(
      fc.property(sentDeliveries, calendars, groupings, (sent, calendar, groupBy) => {
        const { events } = taken(sent);
        const kept = new Cells();
        const histories = new Map<OrderId, readonly LedgerEvent[]>();
        for (const event of events) {
          const before = histories.get(event.facts.orderId) ?? [];
          const after = [...before, event];
          for (const cell of cellsOf(before, calendar)) kept.remove(cell);
          for (const cell of cellsOf(after, calendar)) kept.add(cell);
          histories.set(event.facts.orderId, after);
          const scratch = [...histories.values()].flatMap((its) => cellsOf(its, calendar));
          for (const flow of FLOWS) {
            for (const basis of BASES) {
              const { report } = PROJECTIONS[flow];
              expect(report(groupBy, ofBasis(kept.all(), basis))).to.deep.equal(
                report(groupBy, ofBasis(scratch, basis)),
              );
            }
          }
        }
      }),
    );
  });

  it('do not depend on the order of arrival', () => {
    const shuffled = sentDeliveries.chain((sent) => {
      // Of the deliveries of one key the first counts, so that only what is appended may change places.
      const { events } = taken(sent);
      return fc.tuple(fc.constant(events), fc.shuffledSubarray([...events], { minLength: events.length }));
    });
    fc.assert(
      fc.property(shuffled, calendars, groupings, ([one, other], calendar, groupBy) => {
        const cells = (events: readonly LedgerEvent[]): readonly Cell[] =>
          byOrder(events).flatMap((its) => cellsOf(its, calendar));
        for (const flow of FLOWS) {
          for (const basis of BASES) {
            const { report } = PROJECTIONS[flow];
            expect(report(groupBy, ofBasis(cells(one), basis))).to.deep.equal(
              report(groupBy, ofBasis(cells(other), basis)),
            );
          }
        }
      }),
    );
  });
});
