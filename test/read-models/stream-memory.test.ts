import { expect } from 'chai';
import * as fc from 'fast-check';
import { instantOf } from '../../src/domain/instant.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { projectBatch, type BatchOrder } from '../../src/read-models/projection-batch.ts';
import { StreamMemory } from '../../src/read-models/stream-memory.ts';
import { playedLedger, scripts } from '../support/ledger-script.ts';
import { onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { runs } from '../support/runs.ts';
import { there } from '../support/sqlite-read-models.ts';

/** A store that counts the streams that are read. */
const counted = (store: EventStore) => {
  const reads = { streams: 0 };
  const readStream: EventStore['readStream'] = (stream) => {
    reads.streams += 1;
    return store.readStream(stream);
  };
  return { readStream, reads };
};

/** Orders that some events behind each other come to. */
const ordersOf = async (
  store: Pick<EventStore, 'readStream'>,
  [first, ...rest]: readonly RecordedEvent[],
  memory: StreamMemory,
): Promise<readonly BatchOrder[]> => [...right(await projectBatch(store, [there(first), ...rest], memory)).orders];

const played = async (bodies: readonly JsonObject[]) => {
  const ledger = playedLedger();
  const sent = { receivedAt: instantOf(0), requestId: null, putAway: false };
  await ledger.play(bodies.map((body) => ({ ...sent, body: JSON.stringify(body) })));
  return { store: ledger.store, events: await Array.fromAsync(ledger.store.readAll(null), right) };
};

const WALK = ['fiatPending', 'orderReceived', 'fiatReceived'] as const;

const steps = (order: string, others: JsonObject): readonly JsonObject[] =>
  WALK.map((status) => onRamp({ orderId: order, status, ...others }));

describe('the memory of streams', () => {
  it('makes no difference to what orders come to, however little it holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        scripts(40),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(16_384, 65_536, 1_048_576),
        async (script, sizes, bytes) => {
          const ledger = playedLedger();
          await ledger.play(script);
          const events = await Array.fromAsync(ledger.store.readAll(null), right);
          const memory = new StreamMemory(bytes);
          for (let [done, turn] = [0, 0]; done < events.length; turn += 1) {
            const size = there(sizes[turn % sizes.length]);
            const batch = events.slice(done, done + size);
            expect(await ordersOf(ledger.store, batch, memory)).to.deep.equal(
              await ordersOf(ledger.store, batch, new StreamMemory(4_096)),
            );
            done += size;
          }
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it('spares reading the streams that it holds', async () => {
    const { store, events } = await played(steps('a', {}));
    const { readStream, reads } = counted(store);
    const memory = new StreamMemory(65_536);
    for (const event of events) await ordersOf({ readStream }, [event], memory);
    expect(reads.streams).to.equal(0);
  });

  it('is not relied on where an event is left out of what is told: the stream is read', async () => {
    const { store, events } = await played(steps('a', {}));
    const [whole] = await ordersOf(store, events, new StreamMemory(65_536));
    for (const told of [[[0, 2]], [[0], [2]], [[0], [1, 2]]]) {
      const memory = new StreamMemory(65_536);
      let last: readonly BatchOrder[] = [];
      for (const places of told) {
        const batch = places.map((place) => there(events[place]));
        last = await ordersOf(store, batch, memory);
      }
      expect(last.map(({ state }) => state)).to.deep.equal([whole?.state]);
    }
  });

  it('holds texts of any characters, and those that differ within one of them', async () => {
    const texts = ['Åsa 😀', 'Åsa 😁', 'आशा'];
    const bodies = WALK.map((status, i) => onRamp({ orderId: 'a', status, metaData: { note: there(texts[i]) } }));
    const { store, events } = await played(bodies);
    const { readStream, reads } = counted(store);
    const memory = new StreamMemory(65_536);
    for (const event of events) {
      const [order] = await ordersOf({ readStream }, [event], memory);
      const [fresh] = await ordersOf(store, [event], new StreamMemory(65_536));
      expect(order).to.deep.equal(fresh);
    }
    expect(reads.streams).to.equal(0);
  });

  const others = (count: number, name: string): readonly JsonObject[] =>
    Array.from({ length: count }, (_, i) => onRamp({ orderId: `${name} ${i}`, status: 'fiatPending' }));

  for (const [between, behind] of [
    [60, 0],
    [40, 40],
    [20, 30],
  ] as const) {
    it(`reads a stream again of which something was written over by ${between} and ${behind} others`, async () => {
      const [first, second, third] = steps('a', {});
      const { store, events } = await played([
        there(first),
        ...others(between, 'b'),
        there(second),
        ...others(behind, 'c'),
        there(third),
      ]);
      const { readStream, reads } = counted(store);
      const memory = new StreamMemory(32_768);
      let last: readonly BatchOrder[] = [];
      for (const event of events) last = await ordersOf({ readStream }, [event], memory);
      expect(reads.streams).to.be.greaterThan(0);
      expect(last).to.deep.equal(await ordersOf(store, events.slice(-1), new StreamMemory(4_096)));
    });
  }

  it('holds each stream whole wherever in it the memory begins anew', async () => {
    const bodies = Array.from({ length: 120 }, (_, i) =>
      steps(`order ${i}`, { metaData: { note: 'x'.repeat(i) } }).slice(0, 2),
    );
    const { store, events } = await played(bodies.flat());
    const { readStream, reads } = counted(store);
    const memory = new StreamMemory(65_536);
    for (const event of events) {
      const [order] = await ordersOf({ readStream }, [event], memory);
      expect(order?.state.eventCount).to.equal(event.revision + 1);
    }
    expect(reads.streams).to.equal(0);
    expect(bodies.flat().reduce((sum, body) => sum + JSON.stringify(body).length, 0)).to.be.greaterThan(2 * 65_536);
  });

  it('reads a stream again whose last event it has not, or has already', async () => {
    const { store, events } = await played(steps('a', {}));
    const { readStream, reads } = counted(store);
    const memory = new StreamMemory(65_536);
    await ordersOf({ readStream }, events.slice(0, 1), memory);
    await ordersOf({ readStream }, events.slice(2), memory);
    expect(reads.streams).to.equal(1);
    const [again] = await ordersOf({ readStream }, events.slice(1, 2), memory);
    expect(again?.state.eventCount).to.equal(2);
    expect(reads.streams).to.equal(2);
  });
});
