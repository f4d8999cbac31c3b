import { expect } from 'chai';
import fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import type { ConflictName, EventId, Position, Revision } from '../../src/domain/ids.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { KnownEvents, type KnownEvent } from '../../src/ledger/known-events.ts';

/** Few, so that some come twice. */
const IDS = 60;
const BODIES = Array.from({ length: IDS }, (_, i) => sha256(`body ${i}`));

const events = fc.array(
  fc.record({
    eventId: fc.nat({ max: IDS }).map((id) => branded<EventId>(`event-${id}`)),
    // Of a conflict it is not the id, and it never is another event's.
    name: fc.nat({ max: IDS }).map((id) => branded<ConflictName>(`name-${id}`)),
    revision: fc.nat({ max: 1_000 }).map((revision) => branded<Revision>(revision)),
    position: fc.nat().map((position) => branded<Position>(String(position))),
    bodySha256: fc.option(fc.constantFrom(...BODIES)),
    isOrderEvent: fc.boolean(),
  }),
  { maxLength: 80, size: 'max' },
);

/** Looked at from all sides, they are these. */
const expectThese = (known: KnownEvents, these: readonly KnownEvent[]): void => {
  expect([...known]).to.deep.equal(these);
  expect(known.length).to.equal(these.length);
  for (let id = 0; id <= IDS; id += 1) {
    const name = branded<ConflictName>(`name-${id}`);
    expect(known.withName(name)).to.equal(these.find((event) => event.name === name));
    expect(known.withName(branded<EventId>(`event-${id}`))).to.equal(undefined);
  }
  for (const body of BODIES)
    expect(known.ofBody(body)).to.equal(these.find((event) => event.isOrderEvent && event.bodySha256 === body));
};

describe('known events', () => {
  it('are found as in a list, however many they are, and stay what they were when others are added', () => {
    fc.assert(
      fc.property(events, events, events, (first, second, third) => {
        const before = KnownEvents.of(first);
        const after = second.reduce((known, event) => known.with(event), before);
        // Two who knew the same and saw different events behind it.
        const aside = third.reduce((known, event) => known.with(event), before);
        expectThese(before, first);
        expectThese(after, [...first, ...second]);
        expectThese(aside, [...first, ...third]);
      }),
    );
  });
});
