import { expect } from 'chai';
import { branded } from '../../src/domain/brand.ts';
import type { EventId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { positionAt } from '../../src/domain/position.ts';
import { areOfThisLog } from '../../src/read-models/of-this-log.ts';
import { inMemoryEventStore } from '../support/in-memory-event-store.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { deliverUnaware } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { there } from '../support/sqlite-read-models.ts';

const NOW = instantOf(1_000);

describe('read models that are held to a log', () => {
  it('are of it where it has the very event that they include last, or they include none', async () => {
    const store = inMemoryEventStore(() => NOW);
    await deliverUnaware(store, bodyOf(onRamp()));
    const { position, recordedAt: at, id: eventId } = there(store.recorded()[0]);
    const areOf = async (over: object): Promise<boolean> =>
      right(await areOfThisLog(store, { position, at, eventId, ...over })());
    expect(await areOf({})).to.equal(true);
    expect(right(await areOfThisLog(store, null)())).to.equal(true);
    // Two ledgers under load record at the same position in the same millisecond.
    expect(await areOf({ eventId: branded<EventId>('of another delivery') })).to.equal(false);
    expect(await areOf({ at: instantOf(0) })).to.equal(false);
    expect(await areOf({ position: positionAt(99) })).to.equal(false);
  });
});
