import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { directLiveFeed } from '../../src/queries/live/direct-live-feed.ts';
import { openEventStoreDb } from '../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { eventStoreDbUnderTest } from '../support/eventstoredb-under-test.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { deliverUnaware } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('live events on EventStoreDB', () => {
  it('follow behind a position, go on live, and end by their signal', async () => {
    const folder = temporaryFolder();
    const server = await eventStoreDbUnderTest();
    const store = right(openEventStoreDb({ url: server.url, streamPrefix: server.streamPrefix, dataDir: folder.path }));
    const give = (orderId: string) => deliverUnaware(store, bodyOf(onRamp({ orderId })));
    await give('a');
    const first = right(await store.head()());
    await give('b');
    const stop = new AbortController();
    const ids: string[] = [];
    for await (const piece of directLiveFeed(store)(first, 'masked', stop.signal)) {
      const text = E.isRight(piece) ? Buffer.from(piece.right).toString() : 'failed';
      ids.push(...[...text.matchAll(/"stream":"(order-\w)"/g)].map(([, stream = '']) => stream));
      if (ids.length === 1) await give('c');
      if (ids.length === 2) stop.abort();
    }
    expect(ids).to.deep.equal(['order-b', 'order-c']);
    await store.close();
    await server.close();
    folder.remove();
  });
});
