import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { orderEvent } from '../../../src/domain/new-event.ts';
import type { RecordedEvent } from '../../../src/domain/recorded-event.ts';
import { openServing } from '../../../src/event-store/sqlite/sqlite-event-store.ts';
import { verifyEvent } from '../../../src/ledger/verify-event.ts';
import { bodyOf, offRamp, orderContent, SECRET, verifiedDelivery } from '../../support/payloads.ts';
import { recordedEvent } from '../../support/recorded-event.ts';
import { right } from '../../support/right.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Holds the character that bytes which are no UTF-8 are read as, and others of two to four bytes. */
const NAME = '\u{FFFD} Zoë \u{FFFD}\u{FFFD} € 👛 \u{FFFD}';

/** Every value that one byte can be changed to: all of them where it belongs to such a character, else each bit. */
const changesOf = (byte: number): readonly number[] =>
  byte < 0x80
    ? Array.from({ length: 8 }, (_, bit) => byte ^ (1 << bit))
    : Array.from({ length: 256 }, (_, value) => value).filter((value) => value !== byte);

describe('an event in a file in which a byte was changed', () => {
  const body = bodyOf(offRamp({ orderId: 'o', customer: { id: 'c', name: NAME, phone: {} } }));
  const made = orderEvent(verifiedDelivery(body), orderContent(body.toString()));
  const written = recordedEvent(made);

  let folder: ReturnType<typeof temporaryFolder>;
  let store: EventStore;
  let file: Database.Database;
  beforeEach(async () => {
    folder = temporaryFolder();
    const place = { dataDir: folder.path, file: join(folder.path, 'events.db') };
    store = right(await openServing(place));
    right(await store.append(made.stream, 'none', [made.event])());
    file = new Database(place.file);
    file.pragma('synchronous = OFF');
    file.exec('DROP TRIGGER events_are_never_changed');
  });
  afterEach(async () => {
    file.close();
    await store.close();
    folder.remove();
  });

  const read = async (): Promise<readonly RecordedEvent[]> => {
    const events = [];
    for await (const event of store.readAll(null)) events.push(right(event));
    return events;
  };

  /** The verdicts over what the file gives once this is the data or the metadata of its event. */
  const verdictsWith = async (column: 'data' | 'metadata', bytes: Buffer): Promise<readonly string[]> => {
    file.prepare(`UPDATE events SET ${column} = CAST(? AS TEXT)`).run(bytes);
    return (await read()).map((event) => verifyEvent(event, () => Buffer.from(SECRET)).verified);
  };

  it('proves itself where nothing was', async () => {
    expect(written.rawBody).to.equal(null);
    expect((await read()).map(({ data, metadata }) => [data, metadata])).to.deep.equal([
      [written.data, written.metadata],
    ]);
    expect(await verdictsWith('data', made.event.data)).to.deep.equal(['yes']);
    expect(await verdictsWith('metadata', made.event.metadata)).to.deep.equal(['yes']);
  });

  it('never proves itself by another encoding of the same text', async () => {
    const utf8 = bodyOf(offRamp({ orderId: 'other', customer: { id: 'c', name: 'Zoë', phone: {} } }));
    const other = orderEvent(verifiedDelivery(utf8), orderContent(utf8.toString()));
    right(await store.append(other.stream, 'none', [other.event])());
    expect((await read()).map((event) => verifyEvent(event, () => Buffer.from(SECRET)).verified)).to.deep.equal([
      'yes',
      'yes',
    ]);
    expect(await verdictsWith('data', Buffer.from(utf8.toString(), 'latin1'))).to.deep.equal(['no', 'no']);
  });

  for (const column of ['data', 'metadata'] as const) {
    it(`never proves itself by its ${column}, also where they are no UTF-8 any more`, async () => {
      const bytes = made.event[column];
      for (const [place, byte] of bytes.entries()) {
        for (const value of changesOf(byte)) {
          const changed = Buffer.from(bytes);
          changed[place] = value;
          expect(await verdictsWith(column, changed), `${place}: ${byte} to ${value}`).to.deep.equal(['no']);
        }
      }
    });
  }
});
