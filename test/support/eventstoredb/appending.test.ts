import { randomUUID } from 'node:crypto';
import { MaxAppendSizeExceededError, StreamDeletedError, WrongExpectedVersionError } from '@eventstore/db-client';
import { expect } from 'chai';
import { doubleWithClient, rejection, testEvent } from './double-with-client.ts';
import { MAX_APPEND_BYTES } from './perform-append.ts';

const TYPE_BYTES = 2 * 'test-event'.length;

for (const call of ['unary', 'batch'] as const) {
  describe(`double of EventStoreDB: appending, ${call}`, () => {
    let opened: Awaited<ReturnType<typeof doubleWithClient>>;
    let stream: string;

    before(async () => {
      opened = await doubleWithClient();
    });
    beforeEach(() => {
      stream = `stream-${randomUUID()}`;
    });
    after(() => opened.close());

    const loggedIds = (): readonly string[] => opened.double.log.stream(stream)?.events.map(({ id }) => id) ?? [];

    it('writes what was sent, ids in lower case, and says where', async () => {
      const id = randomUUID();
      const bytes = Uint8Array.from([0, 255, 10]);
      const answer = await opened.append(
        stream,
        'no_stream',
        [
          {
            id: id.toUpperCase(),
            contentType: 'application/octet-stream',
            type: 'a type',
            data: bytes,
            metadata: bytes,
          },
        ],
        { call },
      );
      const [event] = opened.double.log.stream(stream)?.events ?? [];
      expect(event).to.deep.include({ id, type: 'a type', contentType: 'application/octet-stream', revision: 0n });
      expect([...(event?.data ?? [])], 'data').to.deep.equal([0, 255, 10]);
      expect([...(event?.metadata ?? [])], 'metadata').to.deep.equal([0, 255, 10]);
      const at = event?.position;
      expect(answer).to.deep.equal({ success: true, nextExpectedRevision: 0n, position: { commit: at, prepare: at } });
    });

    it('answers a repeat with the place of the original', async () => {
      const event = testEvent();
      const first = await opened.append(stream, 'no_stream', [event], { call });
      await opened.append(stream, 0n, [testEvent()], { call });
      expect(await opened.append(stream, 'no_stream', [event], { call })).to.deep.equal(first);
      expect(loggedIds()).to.have.length(2);
    });

    it('tells expected and actual version', async () => {
      await opened.append(stream, 'no_stream', [testEvent(), testEvent()], { call });
      for (const expected of ['no_stream', 0n, 5n] as const) {
        const error = await rejection(opened.append(stream, expected, [testEvent()], { call }));
        expect(error).to.be.instanceOf(WrongExpectedVersionError);
        expect(error).to.include({ streamName: stream, expectedVersion: expected, actualVersion: 1n, message: '' });
      }
      for (const expected of ['stream_exists', 0n] as const) {
        const error = await rejection(opened.append(`${stream}-missing`, expected, [testEvent()], { call }));
        expect(error).to.be.instanceOf(WrongExpectedVersionError);
        expect(error).to.include({ expectedVersion: expected, actualVersion: 'no_stream' });
      }
    });

    it('lets one of many writers with one expected revision win', async () => {
      await opened.append(stream, 'no_stream', [testEvent()], { call });
      const tries = Array.from({ length: 20 }, () => opened.append(stream, 0n, [testEvent()], { call }));
      const settled = await Promise.allSettled(tries);
      expect(settled.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
      expect(loggedIds()).to.have.length(2);
    });

    it('tells all of many writers with one id that they succeeded, and writes one event', async () => {
      const id = randomUUID();
      const tries = Array.from({ length: 20 }, (_, i) =>
        opened.append(stream, 'no_stream', [testEvent(id, `facts ${i}`)], { call }),
      );
      const answers = await Promise.all(tries);
      expect(new Set(answers.map(({ nextExpectedRevision }) => nextExpectedRevision))).to.deep.equal(new Set([0n]));
      expect(loggedIds()).to.deep.equal([id]);
    });

    it('takes 1 MiB, batches summed, and not a byte more', async () => {
      const half = (more = 0): ReturnType<typeof testEvent> =>
        testEvent(randomUUID(), 'x'.repeat(MAX_APPEND_BYTES / 2 - TYPE_BYTES + more));
      await opened.append(stream, 'no_stream', [half(), half()], { call });
      const error = await rejection(opened.append(stream, 1n, [half(), half(1)], { call }));
      expect(error).to.be.instanceOf(MaxAppendSizeExceededError);
      expect(error).to.include({ maxAppendSize: MAX_APPEND_BYTES });
      expect(loggedIds()).to.have.length(2);
    });

    it('refuses the nil id, an empty type and an empty stream name', async () => {
      const refused = [
        opened.append(stream, 'any', [testEvent('00000000-0000-0000-0000-000000000000')], { call }),
        opened.append(stream, 'any', [{ ...testEvent(), type: '' }], { call }),
        opened.append('', 'any', [testEvent()], { call }),
      ];
      for (const answer of refused) {
        expect(await rejection(answer)).to.include({ type: 'unknown' });
      }
      expect(loggedIds()).to.deep.equal([]);
    });

    it('goes on at the next revision of a deleted stream, and never in a tombstoned one', async () => {
      await opened.append(stream, 'no_stream', [testEvent(), testEvent()], { call });
      await opened.client.deleteStream(stream);
      const again = await opened.append(stream, 'no_stream', [testEvent()], { call });
      expect(again.nextExpectedRevision).to.equal(2n);
      await opened.client.tombstoneStream(stream);
      const error = await rejection(opened.append(stream, 'any', [testEvent()], { call }));
      expect(error).to.be.instanceOf(StreamDeletedError);
    });

    it('has no position for the repeat of a truncated event', async () => {
      const event = testEvent();
      await opened.append(stream, 'no_stream', [event], { call });
      await opened.append(stream, 0n, [testEvent()], { call });
      await opened.client.setStreamMetadata(stream, { truncateBefore: 1 });
      const repeat = await opened.append(stream, 'no_stream', [event], { call });
      expect(repeat).to.deep.equal({ success: true, nextExpectedRevision: 0n, position: undefined });
    });

    it('keeps stream names apart, whatever characters they hold', async () => {
      const names = ['ä', 'a\u0308', 'A', 'a', '\u0000', '🧾', ' '].map((name) => `${stream}${name}`);
      for (const name of names) await opened.append(name, 'no_stream', [testEvent()], { call });
      const lengths = names.map((name) => opened.double.log.stream(name)?.events.length);
      expect(lengths).to.deep.equal(names.map(() => 1));
    });
  });
}

describe('double of EventStoreDB: appending more than a message may hold', () => {
  it('ends the call with code 8', async () => {
    const opened = await doubleWithClient();
    try {
      const huge = testEvent(randomUUID(), 'x'.repeat(16 * 1_048_576));
      expect(await rejection(opened.append('stream', 'any', [huge]))).to.include({ code: 8 });
      expect(opened.double.log.stream('stream')).to.equal(undefined);
    } finally {
      await opened.close();
    }
  });
});
