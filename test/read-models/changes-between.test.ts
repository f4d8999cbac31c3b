import { expect } from 'chai';
import { instantOf } from '../../src/domain/instant.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { withPast } from '../../src/read-models/past-read-models.ts';
import type { AsOf, ChangedOrder } from '../../src/read-models/read-models.ts';
import { directReadModels } from '../../src/read-models/sqlite/direct-read-models.ts';
import { emptyQueries } from '../../src/read-models/sqlite/open-queries.ts';
import { PastStates } from '../../src/read-models/touched-orders.ts';
import { playedLedger, type PlayedLedger } from '../support/ledger-script.ts';
import { onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';

const STATUSES = ['orderReceived', 'InProgress', 'fiatReceived', 'transferred', 'completed'];
const ALWAYS = { from: instantOf(0), until: instantOf(Date.UTC(2100, 0, 1)) };

/** A log of one order, an event for each status. */
const played = async (): Promise<PlayedLedger & { readonly events: readonly RecordedEvent[] }> => {
  const ledger = playedLedger();
  await ledger.play(
    STATUSES.map((status) => ({
      body: JSON.stringify(onRamp({ orderId: 'a', status })),
      receivedAt: instantOf(0),
      requestId: null,
      putAway: false,
    })),
  );
  return { ...ledger, events: await Array.fromAsync(ledger.store.readAll(null), right) };
};

const momentOf = (event: RecordedEvent | undefined): AsOf & { readonly position: RecordedEvent['position'] } => {
  if (event === undefined) throw new Error('the log is shorter than that');
  const { position, recordedAt: at } = event;
  return { checkpoint: { position, at }, position };
};

describe('orders that have changed between two moments', () => {
  /**
   * What has changed behind the first event up to the third, as read models say that have come to the fourth. Another
   * question, of read models that have come to the fifth, is answered once the log is read.
   */
  const changed = async (other: 0 | 2 | null): Promise<readonly ChangedOrder[]> => {
    const { store, events } = await played();
    const [asOf, upTo, now] = [momentOf(events[0]), momentOf(events[2]), momentOf(events[3])];
    let isAsked = other === null;
    const readAll: EventStore['readAll'] = async function* (after) {
      if (other !== null && !isAsked) {
        isAsked = true;
        right(await past.since(momentOf(events[other]).position, momentOf(events[4]).position));
      }
      yield* store.readAll(after);
    };
    const past = new PastStates({ ...store, readAll });
    const { queries, close } = emptyQueries('UTC');
    const progress = () => ({ checkpoint: now.checkpoint, building: null });
    const models = withPast({ ...directReadModels(queries, close), progress }, past);
    const ask = models.changes({ asOf, upTo, ...ALWAYS });
    if (other === 0) right(await past.since(asOf.position, momentOf(events[4]).position));
    const answer = right(await ask());
    await models.close();
    return answer;
  };
  const idsOf = async (): Promise<readonly string[]> => (await played()).events.map(({ id }) => id).slice(1, 3);

  it('name the events in between', async () => {
    expect((await changed(null)).map(({ eventIds }) => eventIds)).to.deep.equal([await idsOf()]);
  });

  it('name no fewer where another question has found more behind the later moment meanwhile', async () => {
    expect((await changed(2)).map(({ eventIds }) => eventIds)).to.deep.equal([await idsOf()]);
  });

  it('name no more where another question has found more behind the earlier one', async () => {
    expect((await changed(0)).map(({ eventIds }) => eventIds)).to.deep.equal([await idsOf()]);
  });

  it('are found again without reading the log again', async () => {
    const { store, events } = await played();
    let reads = 0;
    const readAll: EventStore['readAll'] = (after) => {
      reads += 1;
      return store.readAll(after);
    };
    const past = new PastStates({ ...store, readAll });
    const [asOf, upTo, now] = [0, 2, 4].map((i) => momentOf(events[i]).position);
    for (const position of [asOf, upTo, asOf, upTo]) right(await past.since(position ?? null, now ?? null));
    expect(reads).to.equal(2);
  });
});
