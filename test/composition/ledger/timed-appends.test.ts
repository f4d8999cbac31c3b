import * as E from 'fp-ts/lib/Either.js';
import { expect } from 'chai';
import { timedAppends } from '../../../src/composition/ledger/timed-appends.ts';
import { branded } from '../../../src/domain/brand.ts';
import type { EventId, StreamName } from '../../../src/domain/ids.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { inMemoryEventStore } from '../../support/in-memory-event-store.ts';

describe('timed appends', () => {
  it('are those of the store, each told once with what became of it', async () => {
    const inner = inMemoryEventStore(() => instantOf(0));
    const told: (readonly [string, number])[] = [];
    const store = timedAppends(inner, (result, seconds) => told.push([result, seconds]));
    const event = {
      id: branded<EventId>('00000000-0000-5000-8000-000000000000'),
      type: 'OnRampFiatPending',
      data: Buffer.from('{}'),
      metadata: Buffer.from('{}'),
      rawBody: null,
    };
    const append = store.append(branded<StreamName>('order-a'), 'none', [event]);
    expect(told).to.deep.equal([]);
    expect(E.isRight(await append())).to.equal(true);
    const other = { ...event, data: Buffer.from('{"a":1}') };
    const lost = await store.append(branded<StreamName>('order-a'), 'none', [other])();
    expect(lost).to.have.nested.property('left._tag', 'WrongExpectedRevision');
    inner.takeAway('away');
    const away = await store.append(branded<StreamName>('order-b'), 'none', [event])();
    expect(away).to.have.nested.property('left._tag', 'StoreUnavailable');
    expect(told.map(([result]) => result)).to.deep.equal(['appended', 'wrong-revision', 'unavailable']);
    for (const [, seconds] of told) expect(seconds).to.be.within(0, 5);
    expect(inner.recorded()).to.have.length(1);
  });
});
