import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { businessCalendar } from '../../../src/domain/business-day.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { asOfParameter } from '../../../src/queries/parameters/as-of-parameter.ts';
import { inMemoryEventStore } from '../../support/in-memory-event-store.ts';
import { inMemoryReadModels } from '../../support/in-memory-read-models.ts';
import { bodyOf, onRamp } from '../../support/payloads.ts';
import { deliverUnaware } from '../../support/quarantine-scene.ts';

describe('an instant to answer as of', () => {
  it('waits for nothing that came behind a later event, and for all else that is in the log', async () => {
    let now = instantOf(0);
    const store = inMemoryEventStore(() => now);
    const readModels = inMemoryReadModels(store, businessCalendar('UTC'));
    const deliveredAt = async (epochMs: number): Promise<void> => {
      now = instantOf(epochMs);
      await deliverUnaware(store, bodyOf(onRamp({ orderId: `order ${epochMs}` })));
    };
    await deliveredAt(1000);
    await deliveredAt(2000);
    readModels.hold();
    await deliveredAt(3000);

    const asOf = (epochMs: number) => asOfParameter({ store, readModels, now: () => now }, instantOf(epochMs))();
    const [first] = store.recorded();
    const checkpoint = { position: first?.position, at: instantOf(1000) };
    expect(await asOf(1500)).to.deep.equal(E.right({ checkpoint, now: instantOf(1500) }));
    expect(await asOf(2500)).to.deep.include({ _tag: 'Left' });
    // Another event may have been recorded in the same millisecond.
    expect(await asOf(2000)).to.deep.include({ _tag: 'Left' });
  });
});
