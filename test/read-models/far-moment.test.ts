import { setTimeout as after } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { instantOf } from '../../src/domain/instant.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { withPast } from '../../src/read-models/past-read-models.ts';
import { PastStates } from '../../src/read-models/touched-orders.ts';
import { directReadModels } from '../../src/read-models/sqlite/direct-read-models.ts';
import { emptyQueries } from '../../src/read-models/sqlite/sqlite-projections.ts';
import { playedLedger, type Step } from '../support/ledger-script.ts';
import { onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';

const WITHIN_MS = 20;

const QUESTION = { flow: 'onramp', basis: 'created', from: null, to: null, groupBy: [] } as const;

const steps = (...ids: readonly string[]): readonly Step[] =>
  ids.map((orderId) => ({
    body: JSON.stringify(onRamp({ orderId })),
    receivedAt: instantOf(0),
    requestId: null,
    putAway: false,
  }));

describe('a moment that lies far back', () => {
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
