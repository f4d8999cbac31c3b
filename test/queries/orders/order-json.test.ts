import { expect } from 'chai';
import * as fc from 'fast-check';
import { foldOrder, orderAt, type OrderState } from '../../../projections/order-state/index.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { orderJson } from '../../../src/queries/orders/order-json.ts';
import { OrderResource, orderResource } from '../../../src/queries/orders/order-resource.ts';
import { inArrivalOrder, onRampEvent } from '../../support/ledger-events.ts';
import { sentDeliveries, taken } from '../../support/order-deliveries.ts';
import { there } from '../../support/sqlite-read-models.ts';

const NOW = instantOf(Date.parse('2026-03-01T00:00:00Z'));

const encoded = (state: OrderState, now: typeof NOW, personal: Parameters<typeof orderResource>[1]): string =>
  JSON.stringify(OrderResource.encode(orderResource(orderAt(state, now), personal)));

describe('an order as JSON', () => {
  it('is what the codec of an order writes, whoever asks and however often', () => {
    fc.assert(
      fc.property(sentDeliveries, (sent) => {
        const byOrder = Map.groupBy(taken(sent).events, ({ facts }) => facts.orderId);
        for (const events of byOrder.values()) {
          const state = there(foldOrder(inArrivalOrder(events)));
          for (const personal of ['guarded', 'shown', 'masked', 'shown', 'guarded'] as const) {
            expect(orderJson(state, NOW, personal)).to.equal(encoded(state, NOW, personal));
          }
        }
      }),
    );
  });

  it('has what the clock brings from then on, and not as of a moment before', () => {
    const state = there(foldOrder([onRampEvent('fiatPending', { createdAt: '2024-01-01T10:00:00Z' })]));
    const [before, after] = ['2024-01-01T13:00:00Z', '2024-01-01T13:00:01Z'].map((at) => instantOf(Date.parse(at)));
    for (const now of [before, after, before]) {
      expect(orderJson(state, there(now), 'shown')).to.equal(encoded(state, there(now), 'shown'));
    }
    expect(orderJson(state, there(after), 'masked')).to.include('"overdue":true');
    expect(orderJson(state, there(before), 'masked')).to.include('"overdue":false');
  });
});
