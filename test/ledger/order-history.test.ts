import { expect } from 'chai';
import { branded } from '../../src/domain/brand.ts';
import { factsDigest } from '../../src/domain/facts-digest.ts';
import type { Revision } from '../../src/domain/ids.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { conflictEvent, orderEvent } from '../../src/domain/new-event.ts';
import { positionAt } from '../../src/domain/position.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import { historyOf } from '../../src/ledger/order-history.ts';
import { loopTurns } from '../support/loop-turns.ts';
import { bodyOf, onRamp, orderContent, verifiedDelivery } from '../support/payloads.ts';
import { recordedEvent } from '../support/recorded-event.ts';
import { onePage } from '../support/pages-of.ts';
import { right } from '../support/right.ts';

/** An order event and conflicts with it, each with so many further members. */
const streamOf = (conflicts: number, members: number): readonly RecordedEvent[] =>
  Array.from({ length: 1 + conflicts }, (_, i) => {
    const metaData: JsonObject = Object.fromEntries(Array.from({ length: members }, (_no, no) => [`m${no}`, no]));
    const payload = onRamp({ orderId: 'order-1', fiat: 100 + i, metaData });
    const [verified, content] = [verifiedDelivery(bodyOf(payload)), orderContent(payload)];
    const made =
      i === 0 ? orderEvent(verified, content) : conflictEvent(verified, content, factsDigest(content.payload));
    return recordedEvent(made, { revision: branded<Revision>(i), position: positionAt(i) });
  });

/** How often others had their turn while a history was read. */
const turnsWhile = async (events: readonly RecordedEvent[]): Promise<number> => {
  const turns = loopTurns();
  const before = turns.now();
  expect(right(await historyOf(onePage(events)))?.events.length).to.equal(events.length);
  const after = turns.now();
  turns.stop();
  return after - before;
};

describe('the history of an order', () => {
  it('lets others have their turn by what is read for it, not by how many events there are', async () => {
    expect(await turnsWhile(streamOf(20, 0))).to.equal(0);
    // Some ten kilobytes each: a few of them take as long as hundreds of others.
    expect(await turnsWhile(streamOf(20, 1000))).to.be.greaterThan(5);
    expect(await turnsWhile(streamOf(600, 0))).to.be.greaterThan(5);
  });
});
