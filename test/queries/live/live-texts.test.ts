import { expect } from 'chai';
import { orderEvent } from '../../../src/domain/new-event.ts';
import { positionAt } from '../../../src/domain/position.ts';
import type { RecordedEvent } from '../../../src/domain/recorded-event.ts';
import { LiveTexts } from '../../../src/queries/live/live-texts.ts';
import { bodyOf, offRamp, orderContent, verifiedDelivery } from '../../support/payloads.ts';
import { recordedEvent } from '../../support/recorded-event.ts';

const MOST_BYTES = 64_000;

/** The event of an order whose body is padded by so much. */
const eventAt = (position: number, padding = 0): RecordedEvent => {
  const body = bodyOf(offRamp({ orderId: `o-${position}`, note: 'x'.repeat(padding) }));
  return recordedEvent(orderEvent(verifiedDelivery(body), orderContent(body.toString())), {
    position: positionAt(position),
  });
};

describe('texts of live events', () => {
  it('are shared by those who see the same of one, and by no others', () => {
    const texts = new LiveTexts();
    const event = eventAt(1);
    const masked = texts.of(event, 'masked');
    expect(texts.of(event, 'masked')).to.equal(masked);
    expect(texts.of(event, 'guarded')).not.to.equal(masked);
  });

  it('are kept for the last of them, fewer where they are large, and made anew where they are gone', () => {
    const bytes = new LiveTexts().of(eventAt(1, 8_000), 'masked').length;
    const large = Array.from({ length: 100 }, (_, i) => eventAt(i, 8_000));
    const texts = new LiveTexts(MOST_BYTES);
    const told = large.map((event) => texts.of(event, 'masked'));
    const kept = large.toReversed().filter((event, i) => texts.of(event, 'masked') === told.at(-1 - i));
    expect(kept.length).to.be.within(MOST_BYTES / bytes / 2 - 1, MOST_BYTES / bytes);
    expect(texts.of(eventAt(0, 8_000), 'masked').equals(told[0] ?? Buffer.of())).to.equal(true);
  });
});
