import { expect } from 'chai';
import { readLag } from '../../../src/composition/ledger/read-lag.ts';
import { branded } from '../../../src/domain/brand.ts';
import type { EventId, StreamName } from '../../../src/domain/ids.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { inMemoryEventStore, type InMemoryEventStore } from '../../support/in-memory-event-store.ts';
import { right } from '../../support/right.ts';

describe('the lag behind the log', () => {
  let clock = 0;
  let store: InMemoryEventStore;
  const now = () => instantOf(clock);
  const append = async (n: number): Promise<void> => {
    const event = {
      id: branded<EventId>(`00000000-0000-5000-8000-00000000000${n}`),
      type: 'OnRampFiatPending',
      data: Buffer.from('{}'),
      metadata: Buffer.from('{}'),
      rawBody: null,
    };
    right(await store.append(branded<StreamName>(`order-${n}`), 'none', [event])());
  };
  beforeEach(() => {
    clock = 1_000_000;
    store = inMemoryEventStore(now);
  });

  it('is none for an empty log', async () => {
    expect(right(await readLag(store, null, now))).to.deep.equal({ head: null, seconds: 0 });
  });

  it('is the age of the first event that is missing, and none where none is', async () => {
    for (const n of [1, 2, 3]) {
      await append(n);
      clock += 60_000;
    }
    const [first, , last] = store.recorded();
    if (first === undefined || last === undefined) expect.fail('nothing was appended');
    const { position: head } = last;
    const at = ({ position, recordedAt }: typeof last) => ({ position, at: recordedAt });
    expect(right(await readLag(store, null, now))).to.deep.equal({ head, seconds: 180 });
    expect(right(await readLag(store, at(first), now))).to.deep.equal({ head, seconds: 120 });
    expect(right(await readLag(store, at(last), now))).to.deep.equal({ head, seconds: 0 });
    clock = 0;
    expect(right(await readLag(store, at(first), now))).to.deep.equal({ head, seconds: 0 });
  });

  it('is not known while the store is away', async () => {
    store.takeAway('away');
    expect(await readLag(store, null, now)).to.have.nested.property('left._tag', 'StoreUnavailable');
  });
});
