import { expect } from 'chai';
import { printedFilter } from '../../src/console/orders/printed-filter.ts';

const said = (querystring: string): string => printedFilter(new Map(new URLSearchParams(querystring)), 'Asia/Kolkata');

describe('what a printed list of orders is of', () => {
  it('is all orders where nothing is filtered', () => {
    expect(said('')).to.equal('Orders, created at any time, Asia/Kolkata');
  });

  it('names every part of the filter in the words of its form', () => {
    expect(
      said('flow=offramp&basis=settled&from=2026-10-01&to=2026-10-31&phase=settled&status=PayoutSuccess&currency=INR'),
    ).to.equal(
      'Off-ramp orders, settled 1 to 31 October 2026, Asia/Kolkata, phase Settled, status PayoutSuccess, currency INR',
    );
    expect(said('token=USDT&chainId=137&anomaly=second-payout&from=2026-10-01')).to.equal(
      'Orders, created from 1 October 2026 on, Asia/Kolkata, token USDT, chain 137, anomaly Paid out twice',
    );
  });
});
