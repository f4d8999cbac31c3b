import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { auditEntry } from '../../projections/audit-trail/index.ts';
import { branded } from '../../src/domain/brand.ts';
import { OWN_EVENT_TYPES } from '../../src/domain/event-type.ts';
import type { EventId, RequestId } from '../../src/domain/ids.ts';
import { parseMonth, type Month } from '../../src/domain/month.ts';
import { ownEvent, readOwnEvent, type OwnEvent } from '../../src/domain/own-event/own-event.ts';
import {
  AT_COMMAND_LINE,
  ownRecordDigest,
  parseOwnMetadata,
  type Author,
} from '../../src/domain/own-event/own-metadata.ts';
import { PERIOD_REOPENED, type PeriodReopenedData } from '../../src/domain/own-event/period-events.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { ownEventId, quarantineEventId } from '../../src/domain/event-id.ts';
import { transferId } from '../../src/domain/transfer-id.ts';
import { TRANSFER_OBSERVED } from '../../src/domain/own-event/transfer-events.ts';
import { verifyEvent } from '../../src/ledger/verify-event.ts';
import { leafText } from '../../src/proofs/log-leaf.ts';
import { anyText, instants } from '../support/arbitraries.ts';
import { AUTHOR } from '../support/bank-imports.ts';
import { recordedEvent } from '../support/recorded-event.ts';
import { sourced } from '../support/transfers.ts';
import { right } from '../support/right.ts';

const authors: fc.Arbitrary<Author> = fc.record({
  by: fc.oneof(fc.constant(AT_COMMAND_LINE), fc.string({ minLength: 1 })),
  at: instants,
  requestId: fc.stringMatching(/^[\w.:-]{8,128}$/).map((text) => branded<RequestId>(text)),
});

const contents: fc.Arbitrary<PeriodReopenedData> = fc.record({
  period: fc.integer({ min: 1, max: 12 }).map((n) => branded<Month>(`2026-${String(n).padStart(2, '0')}`)),
  closed: anyText().map((text) => quarantineEventId(sha256(text))),
  note: anyText(),
});

const noKey = (): null => null;

/** Every way to change one text of an event as a store keeps it. */
const changed = (event: RecordedEvent): readonly RecordedEvent[] => {
  const metadata = parseOwnMetadata(event.metadata);
  const members = Object.keys(metadata ?? {}).map((key) => JSON.stringify({ ...metadata, [key]: 'other-text-here' }));
  return [
    ...members.map((text) => ({ ...event, metadata: text })),
    { ...event, data: event.data.replace('"note":"', '"note":"x') },
    { ...event, data: `${event.data} ` },
    { ...event, data: '{}' },
    { ...event, type: 'PeriodClosed' },
    { ...event, stream: branded('period-2026-13') },
    { ...event, stream: branded('order-2026-01') },
    { ...event, id: quarantineEventId(sha256('another')) },
    { ...event, rawBody: Buffer.from('{}') },
  ];
};

describe('an event of the ledger itself', () => {
  it('is read as it was made, and proves itself without a signature', () => {
    fc.assert(
      fc.property(contents, authors, (data, author) => {
        const event = recordedEvent(ownEvent(PERIOD_REOPENED, data, author));
        const read: OwnEvent = right(readOwnEvent(event));
        expect(read._tag).to.equal('PeriodReopened');
        // A lone surrogate is no UTF-8: what is kept is what was written.
        expect(JSON.stringify(read.data)).to.equal(event.data);
        const { by, at, requestId } = author;
        expect(read.metadata).to.include({ by, receivedAt: at, requestId, $correlationId: data.period });
        expect(verifyEvent(event, noKey)).to.deep.equal({ verified: 'unsigned', problems: [] });
        expect(auditEntry(event)).to.include({
          orderId: null,
          status: null,
          utr: null,
          secretId: null,
          bodySha256: null,
          receivedAt: at,
          requestId,
          recordSha256: read.metadata.recordSha256,
        });
        expect(leafText(event)).to.include(`"recordSha256":"${read.metadata.recordSha256}"`);
      }),
    );
  });

  it('has the same id whenever it comes, and stands in the stream of what it is about', () => {
    fc.assert(
      fc.property(contents, authors, authors, (data, author, other) => {
        const [one, two] = [ownEvent(PERIOD_REOPENED, data, author), ownEvent(PERIOD_REOPENED, data, other)];
        expect(one.event.id).to.equal(two.event.id);
        expect(one.stream).to.equal(`period-${data.period}`);
      }),
    );
  });

  it('shows every change', () => {
    fc.assert(
      fc.property(contents, authors, (data, author) => {
        for (const event of changed(recordedEvent(ownEvent(PERIOD_REOPENED, data, author)))) {
          expect(verifyEvent(event, noKey).verified, JSON.stringify(event)).to.equal('no');
        }
      }),
      { numRuns: 20 },
    );
  });

  it('is read only where it is what its type says, in its own stream', () => {
    const event = recordedEvent(
      ownEvent(
        PERIOD_REOPENED,
        { period: branded<Month>('2026-03'), closed: quarantineEventId(sha256('a')), note: '' },
        { by: 'finance', at: branded('2026-04-01T00:00:00.000Z'), requestId: branded<RequestId>('request-1') },
      ),
    );
    for (const over of [
      { type: 'OnRampCompleted' },
      { data: 'x' },
      { metadata: '{}' },
      { stream: branded<RecordedEvent['stream']>('period-2026-04') },
    ]) {
      expect(E.isLeft(readOwnEvent({ ...event, ...over })), JSON.stringify(over)).to.equal(true);
    }
    for (const type of OWN_EVENT_TYPES) {
      expect(E.isLeft(readOwnEvent({ ...event, type, data: '{}' })), type).to.equal(true);
    }
  });
});

describe('a month', () => {
  it('is four digits and two, a month that there is', () => {
    expect(parseMonth('2026-03')).to.equal('2026-03');
    for (const text of ['2026-3', '2026-00', '2026-13', '26-03', '2026-03-01', ' 2026-03', '']) {
      expect(parseMonth(text), text).to.equal(null);
    }
  });

  it('of a transfer proves itself under the id that an earlier version gave it too, and under no other', () => {
    const seen = sourced();
    const transfer = { ...seen, transferId: transferId(seen, 0) };
    const now = ownEvent(TRANSFER_OBSERVED, transfer, AUTHOR);
    const parts = [transfer.transferId, 'success', '52', transfer.observedAt];
    const formerly = ownEventId('TransferObserved', now.stream, parts);
    expect(now.event.id).not.to.equal(formerly);
    const proved = (id: EventId): string => {
      const event = { ...recordedEvent(now), id };
      const metadata = parseOwnMetadata(event.metadata) ?? expect.fail();
      const recordSha256 = ownRecordDigest(event, metadata);
      return verifyEvent({ ...event, metadata: JSON.stringify({ ...metadata, recordSha256 }) }, noKey).problems.join();
    };
    expect([proved(now.event.id), proved(formerly)]).to.deep.equal(['', '']);
    expect(proved(quarantineEventId(sha256('another')))).to.equal('event-id-mismatch');
  });
});
