import { join } from 'node:path';
import { expect } from 'chai';
import { branded } from '../../src/domain/brand.ts';
import type { EventId, Revision } from '../../src/domain/ids.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { releaseEvent } from '../../src/domain/new-event.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { openBeside, openServing } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { verifyLedger } from '../../src/threads/verify-ledger.ts';
import { formerConflict } from '../support/former-conflict.ts';
import { bodyOf, newOrderId, offRamp, orderContent, SECRET, verifiedDelivery } from '../support/payloads.ts';
import {
  askForRelease,
  deliverUnaware,
  newRequestId,
  putAway,
  release,
  RELEASED_AT,
} from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** An order event, and other facts under its key. */
const told = (orderId: string): readonly [JsonObject, JsonObject] => {
  const first = offRamp({ orderId, status: 'fiatDeemed', utr: 'U1' });
  return [first, { ...first, fiat: 7 }];
};

const NOBODYS = branded<EventId>('00000000-0000-5000-8000-000000000000');

describe('verify, over releases of conflicts', () => {
  const folder = temporaryFolder();
  const location = { file: join(folder.path, 'events.db'), dataDir: folder.path };
  let store: EventStore;

  before(async () => {
    store = right(await openServing(location));
  });
  after(async () => {
    await store.close();
    folder.remove();
  });

  /** What is wrong with the log, by streams. */
  const found = async (): Promise<readonly string[]> => {
    const log = right(openBeside(location));
    try {
      const upTo = right(await log.head()()) ?? expect.fail('an event');
      const secrets = [{ id: 'primary', key: Buffer.from(SECRET).toString('hex') }];
      const options = { location, readModelFile: join(folder.path, 'none.db'), upTo, secrets };
      const { failures } = right(await verifyLedger(log, log, options, () => undefined));
      return failures.map((failure) => `${failure.stream ?? ''} ${failure.problem}`);
    } finally {
      await log.close();
    }
  };

  /** Notes a release that never was, digests and all, as one would who can write to the store. */
  const forge = async (payload: JsonObject, eventId: EventId): Promise<string> => {
    const verified = await putAway(store, payload);
    const { orderId } = orderContent(payload).payload;
    const asked = { releasedAt: RELEASED_AT, requestId: newRequestId() };
    const { stream, event } = releaseEvent(verified, asked, { eventId, outcome: 'conflict', orderId });
    right(await store.append(stream, branded<Revision>(0), [event])());
    return stream;
  };

  it('calls none wrong that the ledger made, whichever delivery brought the conflict, and when', async () => {
    for (const brings of ['the release', 'another delivery', 'a ledger of before'] as const) {
      const [first, other] = told(newOrderId());
      await deliverUnaware(store, bodyOf(first));
      const signedAnew = { ...other, updated_at: '2024-01-01T00:00:00Z' };
      if (brings === 'another delivery') await deliverUnaware(store, bodyOf(signedAnew));
      if (brings === 'a ledger of before') {
        const delivery = { verified: verifiedDelivery(bodyOf(signedAnew)), content: orderContent(signedAnew) };
        const { stream, event } = formerConflict(delivery);
        right(await store.append(stream, branded<Revision>(0), [event])());
      }
      const { body } = await putAway(store, other);
      const answer = await release(store, body);
      expect([answer.outcome, answer.event.revision], brings).to.deep.equal(['conflict', 1]);
      expect(await release(store, body), brings).to.deep.equal(answer);
    }
    expect(await found()).to.deep.equal([]);
  });

  it('names one that says a conflict which its order has not, or that states other facts', async () => {
    const orderId = newOrderId();
    const [first, other] = told(orderId);
    const recorded = await deliverUnaware(store, bodyOf({ ...first, utr: 'U2' }));
    await deliverUnaware(store, bodyOf(first));
    const conflict = await deliverUnaware(store, bodyOf(other));
    const [firstOfAnother, otherOfAnother] = told(newOrderId());
    await deliverUnaware(store, bodyOf(firstOfAnother));
    const ofAnother = await deliverUnaware(store, bodyOf(otherOfAnother));
    expect([conflict.outcome, ofAnother.outcome]).to.deep.equal(['conflict', 'conflict']);
    const forged: string[] = [];
    for (const [eventId, fiat] of [
      [NOBODYS, 8],
      // Its order has a conflict of these facts, under another id.
      [NOBODYS, 7],
      [recorded.event.eventId, 9],
      [conflict.event.eventId, 10],
      [ofAnother.event.eventId, 11],
    ] as const) {
      forged.push(await forge({ ...first, fiat }, eventId));
      // Nor is such a one answered again.
      const body = bodyOf({ ...first, fiat });
      const again = await askForRelease(store, body);
      expect(again).to.have.nested.property('left._tag', 'UnreadableEvent');
    }
    expect(await found()).to.have.members(forged.map((stream) => `${stream} data-mismatch`));
  });
});
