import { expect } from 'chai';
import { businessCalendar } from '../../../src/domain/business-day.ts';
import { plainText } from '../../../src/domain/exact.ts';
import type { LedgerEvent } from '../../../src/domain/ledger-event.ts';
import { foldOrder } from '../../../projections/order-state/index.ts';
import { offRampReport } from '../../../projections/off-ramp-report/index.ts';
import { offRampEvent, onRampEvent } from '../../support/ledger-events.ts';

const UTC = businessCalendar('UTC');

/** For each cell of an order its basis, day, and what is not zero in it. */
const cellsOf = (...events: readonly LedgerEvent[]): readonly object[] => {
  const state = foldOrder(events);
  if (state === null) throw new Error('no order');
  return offRampReport.contributions(state, UTC).map(({ basis, day, measures: { orders, ...amounts } }) => {
    const texts = Object.entries(amounts).map(([name, amount]): [string, string] => [name, plainText(amount)]);
    const left: Readonly<Record<string, string>> = Object.fromEntries(texts.filter(([, text]) => text !== '0'));
    return { basis, day, orders, ...left };
  });
};

const amounts = { fiat: 5023.5, tokensDeducted: 61.25, tds: 1.5, created_at: '2024-01-31T00:00:00Z' };

describe('the off-ramp report', () => {
  it('counts tokens deducted and TDS of a settled order, on the day that the provider settled it', () => {
    const sums = { orders: 1, fiat: '5023.5', tokenAmount: '61.25', tds: '1.5' };
    expect(cellsOf(offRampEvent('PayoutSuccess', { ...amounts, updated_at: '2024-02-29T23:59:59Z' }))).to.deep.equal([
      { basis: 'created', day: '2024-01-31', ...sums },
      { basis: 'settled', day: '2024-02-29', ...sums },
    ]);
  });

  it('counts neither of an order that is deemed, failed or completed as in the sample', () => {
    for (const status of ['fiatDeemed', 'fiatFailed', 'completed']) {
      expect(cellsOf(offRampEvent(status, amounts)), status).to.deep.equal([
        { basis: 'created', day: '2024-01-31', orders: 1, fiat: '5023.5' },
      ]);
    }
  });

  it('takes what the payout does not carry as nothing', () => {
    const bare = { ...amounts, tokensDeducted: undefined, tds: null };
    const [created] = cellsOf(offRampEvent('PayoutSuccess', bare));
    expect(created).to.deep.equal({ basis: 'created', day: '2024-01-31', orders: 1, fiat: '5023.5' });
  });

  it('has nothing of an on-ramp order', () => {
    expect(cellsOf(onRampEvent('completed'))).to.deep.equal([]);
  });
});
