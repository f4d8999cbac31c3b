import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { instantOf } from '../../src/domain/instant.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { PastStates } from '../../src/read-models/touched-orders.ts';
import { WaysToMoments } from '../../src/read-models/ways-to-moments.ts';
import { playedLedger } from '../support/ledger-script.ts';
import { onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';

/** Ways whose end is told, and which of them were begun. */
const scene = () => {
  const ways = new WaysToMoments(10);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    end: (to: string) => ends.get(to)?.(),
    ask: (to: string, length: number, gone?: AbortSignal) =>
      ways.go({
        to,
        length: () => length,
        go: async () => {
          begun.push(to);
          const { promise, resolve } = Promise.withResolvers<void>();
          ends.set(to, resolve);
          await promise;
          return E.right(to);
        },
        gone,
      }),
  };
};

const ABORTED = AbortSignal.abort();

describe('ways to moments', () => {
  it('are gone few at a time, in the order in which they were asked for, and near ones beside far ones', async () => {
    const { ask, begun, end } = scene();
    const far = ['a', 'b', 'c', 'd'].map((to) => ask(to, 11));
    const near = ['e', 'f', 'g', 'h', 'i'].map((to) => ask(to, 10));
    await setImmediate();
    expect(begun).to.deep.equal(['a', 'b', 'e', 'f', 'g', 'h']);
    for (const [over, next] of [
      ['b', 'c'],
      ['f', 'i'],
      ['c', 'd'],
    ] as const) {
      end(over);
      await setImmediate();
      expect(begun.at(-1)).to.equal(next);
    }
    for (const to of begun) end(to);
    expect((await Promise.all([...far, ...near])).map(right).join('')).to.equal('abcdefghi');
  });

  it('are not begun where nobody waits for them any more when their turn comes', async () => {
    const { ask, begun, end } = scene();
    const asked = [ask('a', 11), ask('b', 11, ABORTED), ask('c', 11, ABORTED), ask('d', 11)];
    await setImmediate();
    // Nobody has waited for b before its turn, either.
    expect(begun).to.deep.equal(['a', 'd']);
    end('a');
    end('d');
    const answers = await Promise.all(asked);
    expect(answers.map(E.isRight)).to.deep.equal([true, false, false, true]);
    expect(begun).to.deep.equal(['a', 'd']);
  });

  it('keep their turn where somebody else has come to wait for them, who goes on from what was found', async () => {
    const { ask, begun, end } = scene();
    const [a, b] = [ask('a', 11), ask('b', 11)];
    const first = ask('c', 11, ABORTED);
    const second = ask('c', 0);
    await setImmediate();
    end('a');
    await setImmediate();
    expect(begun).to.deep.equal(['a', 'b', 'c']);
    end('c');
    await setImmediate();
    expect(begun).to.deep.equal(['a', 'b', 'c', 'c']);
    end('c');
    end('b');
    expect((await Promise.all([a, b, first, second])).map(right)).to.deep.equal(['a', 'b', 'c', 'c']);
  });

  it('are two far ones at the most, of sums and of orders together', async () => {
    const { store, play } = playedLedger();
    await play(
      Array.from({ length: 24 }, (_, i) => ({
        body: JSON.stringify(onRamp({ orderId: `order-${i}` })),
        receivedAt: instantOf(0),
        requestId: null,
        putAway: false,
      })),
    );
    const read = Promise.withResolvers<void>();
    let underWay = 0;
    let most = 0;
    const readAll: EventStore['readAll'] = async function* (position) {
      underWay += 1;
      most = Math.max(most, underWay);
      try {
        await read.promise;
        yield* store.readAll(position);
      } finally {
        underWay -= 1;
      }
    };
    const past = new PastStates({ ...store, readAll }, { eventsOfAStep: 1, stepsBetweenKept: 2, mostCells: 0 });
    const positions = (await Array.fromAsync(store.readAll(null), right)).map(({ position }) => position);
    const now = positions.at(-1) ?? null;
    const asked = positions
      .slice(4, 12)
      .flatMap((at) => [
        past.at(at, now),
        past.sums.of('UTC').at(at, now),
        past.since(at, now, ABORTED),
        past.sums.of('UTC').at(at, now, ABORTED),
      ]);
    await setImmediate();
    expect(underWay).to.equal(2);
    read.resolve();
    await Promise.all(asked);
    expect(most).to.equal(2);
  });
});
