import { expect } from 'chai';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../src/domain/brand.ts';
import { orderStream, STREAM_KINDS, type Position, type Revision, type StreamName } from '../../src/domain/ids.ts';
import type { EventHeader, NewEvent, RecordedEvent } from '../../src/domain/recorded-event.ts';
import type { Appended, EventStore, ExpectedRevision } from '../../src/event-store/event-store.ts';
import type { PartedLog, StreamEvents } from '../../src/event-store/parted-log.ts';
import { anyCharacter } from '../support/any-character.ts';
import { anEvent, anOrderId, someEvents } from '../support/stored-events.ts';
import { right } from '../support/right.ts';

/** One store, opened for one test; `close` takes away all that it left. */
export type OpenStore = {
  readonly store: EventStore;
  /** The log up to a position, as rebuilds and `verify` read it: of the store itself, or of a copy. */
  readonly parted: (upTo: Position) => Promise<{ readonly log: PartedLog; readonly close: () => Promise<void> }>;
  readonly close: () => Promise<void>;
};

/** A store that can be read by parts itself. */
export const openStore = (store: EventStore & PartedLog, close: () => Promise<void>): OpenStore => ({
  store,
  parted: () => Promise.resolve({ log: store, close: () => Promise.resolve() }),
  close,
});

const none: ExpectedRevision = 'none';
const at = (revision: number): Revision => branded<Revision>(revision);

async function* oneByOne(
  batches: AsyncIterable<E.Either<unknown, readonly RecordedEvent[]>>,
): AsyncGenerator<E.Either<unknown, RecordedEvent>> {
  for await (const batch of batches) for (const event of right(batch)) yield E.right(event);
}

const gather = async (
  events: AsyncIterable<E.Either<unknown, RecordedEvent>>,
  most = Infinity,
): Promise<RecordedEvent[]> => {
  const gathered: RecordedEvent[] = [];
  for await (const event of events) {
    gathered.push(right(event));
    if (gathered.length >= most) break;
  }
  return gathered;
};

const written = ({ id, type, data, metadata, rawBody }: NewEvent | RecordedEvent): unknown => ({
  id,
  type,
  data: data.toString(),
  metadata: metadata.toString(),
  rawBody: rawBody?.toString('hex') ?? null,
});

const headerOf = ({ id, stream, revision, position, type, metadata }: EventHeader): unknown => [
  id,
  stream,
  revision,
  position,
  type,
  metadata,
];

/** What the ledger relies on, of every adapter of the port. */
export const eventStoreContract = (name: string, open: () => Promise<OpenStore>): void => {
  describe(`event store: ${name}`, () => {
    let opened: OpenStore;
    let store: EventStore;
    let stream: StreamName;

    beforeEach(async () => {
      opened = await open();
      store = opened.store;
      stream = orderStream(anOrderId());
    });
    afterEach(() => opened.close());

    const append = async (
      to: StreamName,
      expected: ExpectedRevision,
      ...events: readonly [NewEvent, ...NewEvent[]]
    ): Promise<Appended> => right(await store.append(to, expected, events)());

    const refused = async (to: StreamName, expected: ExpectedRevision, event: NewEvent): Promise<unknown> => {
      const answer = await store.append(to, expected, [event])();
      return E.isLeft(answer) ? answer.left : answer.right;
    };

    const read = async (from: StreamName): Promise<readonly RecordedEvent[]> => right(await store.readStream(from)());

    describe('append and read', () => {
      it('gives back what was written, byte for byte, with its place', async () => {
        const [first, second, third] = [anEvent(), anEvent({ rawBody: Buffer.from([0, 255, 10]) }), anEvent()];
        const one = await append(stream, none, first);
        const two = await append(stream, at(0), second, third);
        const events = await read(stream);
        expect(events.map(written)).to.deep.equal([first, second, third].map(written));
        expect(events.map((event) => event.revision)).to.deep.equal([0, 1, 2]);
        expect(events.map((event) => event.stream)).to.deep.equal([stream, stream, stream]);
        expect([one.revision, two.revision]).to.deep.equal([0, 1]);
        expect([one.position, two.position]).to.deep.equal([events[0]?.position, events[1]?.position]);
      });

      it('reads a long stream whole, once each and in order', async () => {
        const long = someEvents(62);
        await append(stream, none, ...long);
        const events = await read(stream);
        expect(events.map(({ id }) => id)).to.deep.equal(long.map(({ id }) => id));
        expect(events.map(({ revision }) => revision)).to.deep.equal(long.map((_, i) => i));
      });

      it('reads the same some at a time, as far as it is asked', async () => {
        const long = someEvents(62);
        await append(stream, none, ...long);
        const pages: RecordedEvent[] = [];
        for await (const page of store.streamPages(stream)) pages.push(...right(page));
        expect(pages).to.deep.equal(await read(stream));
        for await (const page of store.streamPages(stream)) {
          expect(right(page)[0]?.revision).to.equal(0);
          break;
        }
        for await (const page of store.streamPages(orderStream(anOrderId()))) expect(right(page)).to.deep.equal([]);
      });

      it('gives the last event of a stream alone, and none of one that is not there', async () => {
        const written = someEvents(3);
        expect(right(await store.lastOfStream(stream)())).to.equal(null);
        await append(stream, none, ...written);
        await append(orderStream(anOrderId()), none, anEvent());
        expect(right(await store.lastOfStream(stream)())).to.deep.equal((await read(stream)).at(-1));
        const [next] = someEvents(1);
        await append(stream, at(2), next);
        expect(right(await store.lastOfStream(stream)())).to.deep.include({ id: next.id, revision: 3 });
      });

      it('reads nothing from a stream that is not there', async () => {
        expect(await read(stream)).to.deep.equal([]);
      });

      it('keeps streams apart whatever characters their names hold', async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.uniqueArray(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 }), {
              minLength: 2,
              maxLength: 5,
            }),
            async (names) => {
              const wellFormed = [...new Set(names.map((part) => part.toWellFormed().replaceAll('\0', '0')))];
              const run = anOrderId();
              const streams = wellFormed.map((part) => branded<StreamName>(`order-${run}${part}`));
              const events = await Promise.all(
                streams.map(async (name) => {
                  const event = anEvent();
                  await append(name, none, event);
                  return event;
                }),
              );
              for (const [i, name] of streams.entries()) {
                expect((await read(name)).map((event) => [event.stream, event.id])).to.deep.equal([
                  [name, events[i]?.id],
                ]);
              }
            },
          ),
          { numRuns: 15 },
        );
      });

      it('lists the streams that begin so, whatever follows', async () => {
        const run = anOrderId();
        const begun = [
          '',
          '!',
          '-',
          '~',
          '\u007f',
          'é',
          '\ud7ff',
          '\ue000',
          '\uffff',
          '😀',
          '\u{10ffff}',
          '\u{10ffff}x',
        ];
        const names = begun.map((rest) => branded<StreamName>(`order-${run}-${rest}`));
        const others: readonly string[] = [
          ...STREAM_KINDS.map((kind) => `${kind}${run}`),
          `order-${run}.`,
          `order-${run},`,
          `order-x${run}-`,
          `order-${run.toUpperCase()}-`,
          `order-${run}\u{10ffff}`,
        ];
        for (const name of [...names, ...others]) await append(branded<StreamName>(name), none, ...someEvents(2));
        const listed = async (prefix: string): Promise<readonly string[]> =>
          right(await store.listStreams(prefix)()).toSorted();
        expect(await listed(`order-${run}-`)).to.deep.equal(names.toSorted());
        expect(await listed(`order-${run}-\u{10ffff}`)).to.deep.equal(names.slice(-2).toSorted());
        expect(await listed(`order-${run}-none`)).to.deep.equal([]);
        expect(await listed('')).to.include.members([...names, ...others]);
      });

      it('keeps large events whole', async () => {
        const large = anEvent({
          data: Buffer.from(JSON.stringify('x'.repeat(500_000))),
          rawBody: Buffer.alloc(300_000, 7),
        });
        await append(stream, none, large);
        expect((await read(stream)).map(written)).to.deep.equal([written(large)]);
      });
    });

    describe('expected revision', () => {
      it('is refused behind, ahead of and beside the head, and nothing is written', async () => {
        expect(await refused(stream, at(0), anEvent())).to.deep.equal({
          _tag: 'WrongExpectedRevision',
          actual: 'none',
        });
        await append(stream, none, ...someEvents(3));
        for (const expected of [none, at(0), at(1), at(3), at(7)]) {
          expect(await refused(stream, expected, anEvent())).to.deep.equal({
            _tag: 'WrongExpectedRevision',
            actual: 2,
          });
        }
        expect(await read(stream)).to.have.length(3);
      });

      it('lets one of many writers win, and the others know', async () => {
        await append(stream, none, anEvent());
        const answers = await Promise.all(Array.from({ length: 50 }, () => store.append(stream, at(0), [anEvent()])()));
        expect(answers.filter(E.isRight)).to.have.length(1);
        for (const answer of answers) if (E.isLeft(answer)) expect(answer.left._tag).to.equal('WrongExpectedRevision');
        expect(await read(stream)).to.have.length(2);
      });

      it('tells two writers of one id with different data apart: one success, one event', async () => {
        const id = anEvent().id;
        const rivals = Array.from({ length: 20 }, (_, i) => anEvent({ id, data: Buffer.from(JSON.stringify({ i })) }));
        const answers = await Promise.all(rivals.map((event) => store.append(stream, none, [event])()));
        const winners = rivals.filter((_, i) => answers[i] !== undefined && E.isRight(answers[i]));
        expect(winners).to.have.length(1);
        expect((await read(stream)).map(written)).to.deep.equal(winners.map(written));
      });

      it('is exact under interleaved writers: whoever reads again and tries again gets in, once', async () => {
        const writers = Array.from({ length: 8 }, async () => {
          const event = anEvent();
          for (;;) {
            const head = (await read(stream)).at(-1)?.revision ?? none;
            const answer = await store.append(stream, head, [event])();
            if (E.isRight(answer)) return event.id;
            expect(answer.left._tag).to.equal('WrongExpectedRevision');
          }
        });
        const ids = await Promise.all(writers);
        const events = await read(stream);
        expect(events.map((event) => event.id).toSorted()).to.deep.equal(ids.toSorted());
        expect(events.map((event) => event.revision)).to.deep.equal(ids.map((_, i) => i));
      });
    });

    describe('a repeat after an unknown outcome', () => {
      it('is answered as the first time and writes nothing, even when others have written since', async () => {
        const events = someEvents(2);
        const first = await append(stream, none, ...events);
        expect(await append(stream, none, ...events)).to.deep.equal(first);
        await append(stream, at(1), anEvent());
        expect(await append(stream, none, ...events)).to.deep.equal(first);
        expect(await read(stream)).to.have.length(3);
      });

      it('with other bytes under the same id lost its race', async () => {
        const event = anEvent();
        await append(stream, none, event);
        for (const other of [
          { ...event, data: Buffer.from('{"other":1}') },
          { ...event, metadata: Buffer.from('{"other":1}') },
          { ...event, rawBody: Buffer.from('other') },
          { ...event, type: 'Other' },
        ]) {
          expect(await refused(stream, none, other)).to.deep.equal({ _tag: 'WrongExpectedRevision', actual: 0 });
        }
        expect(await read(stream)).to.have.length(1);
      });

      it('that reaches beyond what is there lost its race', async () => {
        const [first, second] = [anEvent(), anEvent()];
        await append(stream, none, first);
        const answer = await store.append(stream, none, [first, second])();
        expect(E.isLeft(answer) ? answer.left._tag : 'success').to.equal('WrongExpectedRevision');
      });
    });

    describe('the whole log', () => {
      it('is read in the order of positions, from the start and behind any event', async () => {
        const streams = Array.from({ length: 5 }, () => orderStream(anOrderId()));
        await Promise.all(streams.map((name) => append(name, none, ...someEvents(3))));
        await Promise.all(streams.map((name) => append(name, at(2), anEvent())));
        const all = await gather(store.readAll(null));
        expect(all).to.have.length(20);
        for (const name of streams) {
          expect(all.filter((event) => event.stream === name).map((event) => event.revision)).to.deep.equal([
            0, 1, 2, 3,
          ]);
        }
        for (const [i, event] of all.entries()) {
          const behind = await gather(store.readAll(event.position), 3);
          expect(behind.map((next) => next.id)).to.deep.equal(all.slice(i + 1, i + 4).map((next) => next.id));
        }
      });

      it('ends at the head of the time of asking, also where nothing is', async () => {
        expect(await gather(store.readAll(null))).to.deep.equal([]);
        await append(stream, none, anEvent());
        const reading = store.readAll(null)[Symbol.asyncIterator]();
        await reading.next();
        await append(stream, at(0), anEvent());
        expect((await reading.next()).done).to.equal(true);
      });

      it('is read by position, by headers and by parts alike', async () => {
        expect(right(await store.head()())).to.equal(null);
        const streams = Array.from({ length: 7 }, () => orderStream(anOrderId()));
        await Promise.all(streams.map((name) => append(name, none, ...someEvents(2))));
        const upTo = right(await store.head()());
        if (upTo === null) throw new Error('the log is empty');
        const all = await gather(store.readAll(null));
        expect(all.at(-1)?.position).to.equal(upTo);
        await Promise.all(streams.map((name) => append(name, at(1), anEvent())));

        const places = all.toReversed().map(({ position }) => position);
        expect(right(await store.readAt(places)())).to.deep.equal(all.toReversed());
        const atPlaces = right(await store.headersAt(places)());
        expect(atPlaces.map(headerOf)).to.deep.equal(all.toReversed().map(headerOf));

        const parted = await opened.parted(upTo);
        const [second] = all.slice(1, 2);
        const headers: EventHeader[] = [];
        for await (const page of parted.log.readHeaders(second?.position ?? null, upTo)) {
          expect(right(page)).not.to.deep.equal([]);
          headers.push(...right(page));
        }
        expect(headers.map(headerOf)).to.deep.equal(all.slice(2).map(headerOf));

        const parts = right(await parted.log.streamParts()());
        const read: StreamEvents[] = [];
        for (let part = 0; part < parts; part += 1) {
          const streamsOfPart = right(await parted.log.readPart(part, upTo)());
          expect(right(await parted.log.readPartAndStrays(part, upTo)())).to.deep.equal({
            streams: streamsOfPart,
            strays: [],
          });
          read.push(...streamsOfPart);
        }
        expect(read.map(({ stream: of }) => of)).to.deep.equal([...new Set(all.map(({ stream: of }) => of))]);
        expect(read.map(({ stream: of }) => of)).to.have.members(streams);
        for (const { stream: name, events } of read) {
          expect(events).to.deep.equal(all.filter(({ stream: of }) => of === name));
        }
        await parted.close();
      });

      it('knows its own positions and no others', async () => {
        const { position } = await append(stream, none, anEvent());
        expect(right(await store.parsePosition(position)())).to.equal(position);
        for (const foreign of ['', 'x', '-1', '1.5', '0x1', '99999999', `${position}0000`, ' 1', '1e3', 'C:1/P:1']) {
          const parsed = await store.parsePosition(foreign)();
          expect(E.isLeft(parsed) ? parsed.left._tag : parsed.right, foreign).to.equal('UnknownPosition');
        }
      });
    });

    describe('subscription', () => {
      const subscribed = (
        after: Position | null,
        count: number,
      ): { readonly events: Promise<RecordedEvent[]>; readonly abort: AbortController } => {
        const abort = new AbortController();
        return { events: gather(oneByOne(store.subscribe(after, abort.signal)), count), abort };
      };

      it('catches up, then goes on live, without a gap or a repeat', async () => {
        await append(stream, none, ...someEvents(5));
        const { events } = subscribed(null, 25);
        for (let head = 4; head < 24; head += 1) await append(stream, at(head), anEvent());
        expect((await events).map((event) => event.revision)).to.deep.equal(Array.from({ length: 25 }, (_, i) => i));
      });

      it('resumes behind a position', async () => {
        await append(stream, none, ...someEvents(4));
        const [, second] = await gather(store.readAll(null));
        const { events } = subscribed(second?.position ?? null, 3);
        await append(stream, at(3), anEvent());
        expect((await events).map((event) => event.revision)).to.deep.equal([2, 3, 4]);
      });

      it('lets a slow consumer lose nothing and holds no more than it asked for', async () => {
        const abort = new AbortController();
        const reading = oneByOne(store.subscribe(null, abort.signal))[Symbol.asyncIterator]();
        await append(stream, none, ...someEvents(1));
        const first = await reading.next();
        for (let head = 0; head < 1_200; head += 100) {
          const [event, ...more] = someEvents(100);
          await append(stream, at(head), event, ...more);
        }
        const rest: number[] = [];
        for (let i = 0; i < 1_200; i += 1) {
          const next = await reading.next();
          if (next.done !== true) rest.push(right(next.value).revision);
        }
        abort.abort();
        expect(first.done).to.equal(false);
        expect(rest).to.deep.equal(Array.from({ length: 1_200 }, (_, i) => i + 1));
      });

      it('ends when it is aborted, waiting or not', async () => {
        const { events, abort } = subscribed(null, 10);
        await append(stream, none, anEvent());
        abort.abort();
        expect((await events).length).to.be.lessThan(2);
        const late = subscribed(null, 10);
        late.abort.abort();
        await late.events;
      });

      it('serves several at once, each at its own pace', async () => {
        const all = [null, null, null].map((after) => subscribed(after, 50).events);
        for (let i = 0; i < 50; i += 1) await append(orderStream(anOrderId()), none, anEvent());
        const [first, ...others] = (await Promise.all(all)).map((events) => events.map((event) => event.id));
        for (const other of others) expect(other).to.deep.equal(first);
      });
    });

    it('is ready, and writes nothing more once it is closed', async () => {
      expect(store.readiness()).to.deep.equal({ ready: true });
    });
  });
};
