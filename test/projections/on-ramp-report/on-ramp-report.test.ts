import { expect } from 'chai';
import { businessCalendar } from '../../../src/domain/business-day.ts';
import { plainText } from '../../../src/domain/exact.ts';
import type { LedgerEvent } from '../../../src/domain/ledger-event.ts';
import { foldOrder, type OrderState } from '../../../projections/order-state/index.ts';
import { onRampReport } from '../../../projections/on-ramp-report/index.ts';
import type { Measures } from '../../../projections/report/index.ts';
import { offRampEvent, onRampEvent } from '../../support/ledger-events.ts';

const CALENDAR = businessCalendar('Asia/Kolkata');

const stateOf = (...events: readonly LedgerEvent[]): OrderState => {
  const state = foldOrder(events);
  if (state === null) throw new Error('no order');
  return state;
};

const shown = ({ orders, ...amounts }: Measures): object => ({
  orders,
  ...Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, plainText(amount)])),
});

const NOTHING = {
  orders: 1,
  fiat: '100.5',
  tokenAmount: '0',
  baseUnits: '0',
  commission: '0',
  tds: '0',
  ratedAmount: '0',
  rateWeight: '0',
};

const completed = (metaData: object): LedgerEvent =>
  onRampEvent(
    'completed',
    {
      fiat: 100.5,
      transferredAmount: '0.50',
      transferredAmountWei: '500',
      createdAt: '2024-01-31T18:29:59.999Z',
      metaData,
    },
    { receivedAt: '2024-01-31T18:30:00.000Z' },
  );

describe('the on-ramp report', () => {
  it('counts a settled order on its day of creation and on its day of settlement', () => {
    const cells = onRampReport.contributions(
      stateOf(completed({ conversionRate: '90.2', commission: '1.10' })),
      CALENDAR,
    );
    const measures = {
      ...NOTHING,
      tokenAmount: '0.5',
      baseUnits: '500',
      commission: '1.1',
      ratedAmount: '0.5',
      rateWeight: '45.1',
    };
    expect(cells.map(({ basis, day, ...cell }) => [basis, day, shown(cell.measures)])).to.deep.equal([
      ['created', '2024-01-31', measures],
      ['settled', '2024-02-01', measures],
    ]);
  });

  it('gives an order without a rate no weight in the average', () => {
    const [cell] = onRampReport.contributions(stateOf(completed({ commission: '1.10' })), CALENDAR);
    expect(cell === undefined ? null : shown(cell.measures)).to.include({
      tokenAmount: '0.5',
      ratedAmount: '0',
      rateWeight: '0',
    });
  });

  it('keeps the settlement of a refunded order, and none of its tokens', () => {
    const refunded = stateOf(completed({ conversionRate: '90.2' }), onRampEvent('refunded', { fiat: 100.5 }));
    const cells = onRampReport.contributions(refunded, CALENDAR);
    expect(cells.map(({ basis, facet, ...cell }) => [basis, facet.phase, shown(cell.measures)])).to.deep.equal([
      ['created', 'refunded', NOTHING],
      ['settled', 'refunded', NOTHING],
    ]);
  });

  it('has an order that did not settle under its creation alone', () => {
    const cells = onRampReport.contributions(stateOf(onRampEvent('fiatPending', { fiat: 100.5 })), CALENDAR);
    expect(cells.map(({ basis, ...cell }) => [basis, shown(cell.measures)])).to.deep.equal([['created', NOTHING]]);
  });

  it('has nothing of an off-ramp order', () => {
    expect(onRampReport.contributions(stateOf(offRampEvent('PayoutSuccess')), CALENDAR)).to.deep.equal([]);
  });
});
