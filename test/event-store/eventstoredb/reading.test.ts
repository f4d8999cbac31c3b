import { PassThrough } from 'node:stream';
import { createHook } from 'node:async_hooks';
import { setTimeout as after } from 'node:timers/promises';
import { expect } from 'chai';
import { batchesOf, type Source } from '../../../src/event-store/eventstoredb/reading.ts';
import { right } from '../../support/right.ts';
import { until } from '../../support/until.ts';

const OPEN = { quietMs: null, isClosed: () => false };

/** What a server sends, by hand. */
const sourceByHand = (): { readonly source: Source<number>; readonly send: (...items: readonly number[]) => void } => {
  const through = new PassThrough({ objectMode: true, highWaterMark: 2_000 });
  return {
    source: Object.assign(through, { cancel: () => Promise.resolve() }),
    send: (...items) => {
      for (const item of items) through.write(item);
    },
  };
};

describe('reading in batches', () => {
  it('gives what had arrived when it was enough, and then ends', async () => {
    const { source, send } = sourceByHand();
    const enough = Promise.withResolvers<void>();
    const given: number[] = [];
    send(1, 2, 3);
    for await (const batch of batchesOf(() => source, { ...OPEN, enough: enough.promise })) {
      given.push(...right(batch));
      if (given.length !== 3) continue;
      send(4, 5);
      enough.resolve();
    }
    expect(given).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('ends where nothing had arrived when it was enough', async () => {
    const { source } = sourceByHand();
    for await (const batch of batchesOf(() => source, { ...OPEN, enough: Promise.resolve() })) {
      expect.fail(`nothing was sent, and ${JSON.stringify(batch)} was read`);
    }
  });

  it('leaves the thread alone while its consumer is busy', async () => {
    const { source, send } = sourceByHand();
    send(1);
    let [isBusy, immediates] = [false, 0];
    const hook = createHook({
      init: (_id, type) => {
        if (isBusy && type === 'Immediate') immediates += 1;
      },
    }).enable();
    for await (const batch of batchesOf(() => source, { ...OPEN, enough: Promise.resolve() })) {
      expect(right(batch)).to.deep.equal([1]);
      isBusy = true;
      await after(50);
      isBusy = false;
    }
    hook.disable();
    expect(immediates).to.be.below(10);
  });

  it('counts the silence of the server, not the time of its consumer', async () => {
    const { source, send } = sourceByHand();
    send(1);
    const given: unknown[] = [];
    for await (const batch of batchesOf(() => source, { ...OPEN, quietMs: 20 })) {
      given.push(batch);
      if (given.length > 1) continue;
      await after(100);
      send(2);
    }
    expect(given).to.deep.equal([
      { _tag: 'Right', right: [1] },
      { _tag: 'Right', right: [2] },
      { _tag: 'Left', left: { _tag: 'TooLate', detail: 'no answer to a read in time' } },
    ]);
  });

  it('says that it is level once all that had arrived by then was dealt with, and not before', async () => {
    const { source, send } = sourceByHand();
    const at = Promise.withResolvers<void>();
    const stop = new AbortController();
    let [isLevel, dealtWith] = [false, 0];
    const onReached = (): void => {
      isLevel = true;
      expect(dealtWith).to.be.at.least(1_500);
    };
    send(...Array.from({ length: 10 }, (_, i) => i));
    const reading = (async () => {
      for await (const batch of batchesOf(() => source, {
        ...OPEN,
        signal: stop.signal,
        level: { at: at.promise, onReached },
      })) {
        if (dealtWith === 0) {
          send(...Array.from({ length: 1_490 }, (_, i) => i));
          at.resolve();
          // More than enough for whoever does not wait for it.
          for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
        }
        expect(isLevel).to.equal(false);
        dealtWith += right(batch).length;
      }
    })();
    await until(5_000, 'it to be level', () => Promise.resolve(isLevel ? true : null));
    stop.abort();
    await reading;
  });
});
