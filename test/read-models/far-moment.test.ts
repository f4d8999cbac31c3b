import { setTimeout as after } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { EVERY_ORDER } from '../../src/read-models/order-filter.ts';
import { withPast } from '../../src/read-models/past-read-models.ts';
import { USUAL_WAY } from '../../src/read-models/past-sums.ts';
import type { AsOf, Checkpoint, OrdersQuestion } from '../../src/read-models/read-models.ts';
import { PastStates } from '../../src/read-models/touched-orders.ts';
import { directReadModels } from '../../src/read-models/sqlite/direct-read-models.ts';
import { emptyQueries } from '../../src/read-models/sqlite/open-queries.ts';
import { playedLedger, type Step } from '../support/ledger-script.ts';
import { onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';

const WITHIN_MS = 20;

const QUESTION = { flow: 'onramp', basis: 'created', from: null, to: null, groupBy: [] } as const;

const checkpointOf = (position: Position | null): Checkpoint | null =>
  position === null ? null : { position, at: instantOf(0) };

const steps = (...ids: readonly string[]): readonly Step[] =>
  ids.map((orderId) => ({
    body: JSON.stringify(onRamp({ orderId })),
    receivedAt: instantOf(0),
    requestId: null,
    putAway: false,
  }));

const FILTERED: OrdersQuestion = { filter: EVERY_ORDER, after: null, limit: 50, now: instantOf(0), counted: true };

/** Past states that keep so many orders, and how many events they have read along the log. */
const narrowPast = (store: EventStore, most: number): { readonly past: PastStates; readonly read: () => number } => {
  let events = 0;
  const readAll: EventStore['readAll'] = async function* (after) {
    for await (const event of store.readAll(after)) {
      events += 1;
      yield event;
    }
  };
  return { past: new PastStates({ ...store, readAll }, USUAL_WAY, most), read: () => events };
};

describe('a moment that lies far back', () => {
  it('has no list where more orders lie before it on both sides than are kept, and the log is read no farther; it has a report', async () => {
    const { store, play } = playedLedger();
    await play(steps('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'));
    const { past, read } = narrowPast(store, 2);
    const { queries, close } = emptyQueries('UTC');
    const head = right(await store.head()());
    const direct = directReadModels(queries, close);
    const snapshot = { ...direct, progress: () => ({ ...direct.progress(), checkpoint: checkpointOf(head) }) };
    const models = withPast(snapshot, past);
    const events = await Array.fromAsync(store.readAll(null), right);
    const asOf = (place: number): AsOf => ({ checkpoint: checkpointOf(events[place]?.position ?? null) });
    for (const place of [2, 3, 4]) {
      const before = read();
      const refused = await models.orders({ ...FILTERED, asOf: asOf(place) })();
      expect(E.isLeft(refused) ? refused.left : refused).to.deep.equal({ _tag: 'MomentTooFar', most: 2 });
      expect(read() - before).to.equal(3);
    }
    const listed = right(await models.orders({ ...FILTERED, asOf: asOf(1) })());
    expect(listed.data.map(({ orderId }) => orderId).toSorted()).to.deep.equal(['a', 'b']);
    const [report] = right(await models.report({ ...QUESTION, asOf: asOf(3) })()).totals;
    expect(report?.orders).to.equal(4);
    await models.close();
  });

  it('is refused where it is not found in time, and found by whoever asks again once it is', async () => {
    const { store, play } = playedLedger();
    await play(steps('a', 'b', 'c'));
    const read = Promise.withResolvers<void>();
    const slow: Pick<EventStore, 'readAll' | 'readStream'> = {
      readStream: store.readStream,
      readAll: async function* (position) {
        await read.promise;
        yield* store.readAll(position);
      },
    };
    const { queries, close } = emptyQueries('UTC');
    const models = withPast(directReadModels(queries, close), new PastStates({ ...store, ...slow }), WITHIN_MS);
    const [, second] = await Array.fromAsync(store.readAll(null), right);
    const checkpoint = second === undefined ? null : { position: second.position, at: second.recordedAt };
    const ask = models.report({ ...QUESTION, asOf: { checkpoint } });
    const refused = await ask();
    expect(E.isLeft(refused) ? refused.left : refused).to.include({ _tag: 'ReadModelsUnavailable', isFar: true });
    read.resolve();
    await after(0);
    expect(right(await ask()).totals.map(({ orders }) => orders)).to.deep.equal([2]);
    await models.close();
  });
});
