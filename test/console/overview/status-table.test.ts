import { expect } from 'chai';
import fc from 'fast-check';
import { countByStatus, inFlowOrder } from '../../../src/console/overview/status-table.ts';
import { FLOWS } from '../../../src/domain/flow.ts';
import { OFF_RAMP_STATUSES, ON_RAMP_STATUSES } from '../../../src/domain/status.ts';

const LISTED = { onramp: ON_RAMP_STATUSES, offramp: OFF_RAMP_STATUSES } as const;

const statuses = fc.oneof(fc.constantFrom(...ON_RAMP_STATUSES, ...OFF_RAMP_STATUSES), fc.string());
const byStatus = fc
  .dictionary(statuses, fc.nat(1_000))
  .map((counts) => ({ byStatus: new Map(Object.entries(counts)) }));

describe('orders by status', () => {
  it('are counted over all currencies', () => {
    fc.assert(
      fc.property(fc.array(byStatus), (sums) => {
        const counts = countByStatus(sums);
        const all = sums.flatMap((sum) => [...sum.byStatus]);
        for (const [status, count] of counts) {
          const expected = all.filter(([of]) => of === status).reduce((sum, [, orders]) => sum + orders, 0);
          expect(count).to.equal(expected);
        }
        expect(new Set(counts.keys())).to.deep.equal(new Set(all.map(([status]) => status)));
      }),
    );
  });

  it('stand in the order of the flow, those that the interface does not list behind them', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FLOWS), byStatus, (flow, { byStatus: counts }) => {
        const order = inFlowOrder(flow, counts);
        expect([...order].toSorted()).to.deep.equal([...counts.keys()].toSorted());
        const listed = LISTED[flow].filter((status) => counts.has(status));
        expect(order.slice(0, listed.length)).to.deep.equal(listed);
        const others = order.slice(listed.length).map((status) => counts.get(status) ?? 0);
        expect(others).to.deep.equal(others.toSorted((a, b) => b - a));
      }),
    );
  });
});
