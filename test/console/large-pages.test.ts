import { expect } from 'chai';
import { largePages } from '../../src/console/handed-page.ts';
import { routeDependencies } from '../support/route-dependencies.ts';

describe('pages of the console that are made beside the thread that receives', () => {
  it('are those that hold orders, events or reports whole', () => {
    const paths = largePages(routeDependencies({})).map(({ path }) => path);
    expect(paths).to.have.members([
      '/console/orders',
      '/console/search',
      '/console/orders/{orderId}',
      '/console/orders/{orderId}/evidence',
      '/console/orders/{orderId}/events/{revision}',
      '/console/audit',
      '/console/reconciliation',
      '/console/reports/onramp',
      '/console/reports/offramp',
      '/console/periods/{period}/print',
      '/console/files/periods/{period}',
    ]);
  });
});
