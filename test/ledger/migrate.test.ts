import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../src/domain/brand.ts';
import { parseMetadata } from '../../src/domain/event-metadata.ts';
import type { EventId, Revision, StreamName } from '../../src/domain/ids.ts';
import { orderEvent } from '../../src/domain/new-event.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import type { MigrationLogs } from '../../src/ledger/migrate.ts';
import type { InMemoryEventStore } from '../support/in-memory-event-store.ts';
import { bodyOf, onRamp, orderContent, verifiedDelivery } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { between, content, filled, logs, run, SOME, type Written } from './migration-scene.ts';

/** What becomes of an append, by its number: its answer is lost before or after it was written, or the store is gone for good from there on. */
type Fate = 'before' | 'after' | 'gone';

/** A target as SQLite is one: behind an append that failed it takes none, until somebody has waited. */
const faulty = (store: InMemoryEventStore, fates: ReadonlyMap<number, Fate>) => {
  let [appends, isFull, isGone, waited] = [0, false, false, 0];
  const unavailable = E.left({ _tag: 'StoreUnavailable', detail: 'no answer' } as const);
  const append: EventStore['append'] = (stream, expected, events) => async () => {
    if (isFull || isGone) return unavailable;
    const fate = fates.get(appends);
    appends += 1;
    if (fate === undefined) return store.append(stream, expected, events)();
    isFull = true;
    isGone = fate === 'gone';
    if (fate === 'after') right(await store.append(stream, expected, events)());
    return unavailable;
  };
  const pause = (ms: number): Promise<void> => {
    waited += ms;
    isFull = false;
    return Promise.resolve();
  };
  return { target: { append, readAll: store.readAll }, pause, waited: () => waited };
};

const streamsOf = (log: readonly Written[]): number => new Set(log.map(({ stream }) => stream)).size;

describe('migrate', () => {
  it('gives any log whole and in its order, wherever it is cut off and whatever answers are lost', async () => {
    const fates = fc.array(
      fc.tuple(fc.nat(24), fc.constantFrom<Fate>('before', 'after', 'gone')).map(([at, fate]) => [at, fate] as const),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(logs(), fates, fc.integer({ min: 1, max: 8 }), async (log, fated, inFlight) => {
        const [source, copy] = [await filled(log), await filled([], 1)];
        const { target, pause } = faulty(copy, new Map(fated));
        const first = await run(between(source, target, { inFlight, pause }));
        expect(content(copy), 'a beginning of the source').to.deep.equal(
          content(source).slice(0, copy.recorded().length),
        );
        if (E.isLeft(first)) expect(first.left).to.include({ _tag: 'StoreAway', side: 'target' });
        const again = right(await run(between(source, copy, { inFlight })));
        expect(again).to.deep.equal({ events: log.length, streams: streamsOf(log), verified: true });
        expect(content(copy)).to.deep.equal(content(source));
      }),
    );
  });

  it('refuses a target that differs anywhere, names the place and writes nothing', async () => {
    const changes: readonly ((event: RecordedEvent) => Partial<RecordedEvent>)[] = [
      () => ({ id: branded<EventId>('ffffffff-0000-5000-8000-000000000000') }),
      ({ type }) => ({ type: `${type}X` }),
      ({ data }) => ({ data: `${data} ` }),
      ({ metadata }) => ({ metadata: `${metadata} ` }),
      ({ rawBody }) => ({ rawBody: rawBody === null ? Buffer.from('') : null }),
      ({ rawBody }) => ({ rawBody: Buffer.concat([rawBody ?? Buffer.from(''), Buffer.from('x')]) }),
      ({ revision }) => ({ revision: branded<Revision>(revision + 1) }),
      ({ stream }) => ({ stream: branded<StreamName>(`${stream}-other`) }),
    ];
    await fc.assert(
      fc.asyncProperty(logs(1), fc.nat(), fc.nat(), fc.constantFrom(...changes), async (log, cut, at, change) => {
        const there = 1 + (cut % log.length);
        const [source, copy] = [await filled(log), await filled(log.slice(0, there))];
        const event = copy.recorded()[at % there];
        if (event === undefined) return;
        const changed = { ...event, ...change(event) };
        copy.tamper(event.stream, event.revision, changed);
        expect(await run(between(source, copy))).to.deep.equal(
          E.left({ _tag: 'TargetDiffers', stream: changed.stream, revision: changed.revision }),
        );
        expect(copy.recorded().length).to.equal(there);
      }),
    );
  });

  it('refuses a target that holds more than the source', async () => {
    const [source, copy] = [await filled(SOME.slice(0, 5)), await filled(SOME)];
    const sixth = copy.recorded()[5];
    expect(await run(between(source, copy))).to.deep.equal(
      E.left({ _tag: 'TargetDiffers', stream: sixth?.stream, revision: sixth?.revision }),
    );
  });

  it('does not write again what is there', async () => {
    const [source, copy] = [await filled(SOME), await filled(SOME)];
    const append = () => expect.fail('nothing is to be appended');
    expect(right(await run(between(source, { append, readAll: copy.readAll }))).events).to.equal(SOME.length);
  });

  it('finds metadata the same that an earlier version stored with the names of its members, and no other', async () => {
    const body = bodyOf(onRamp());
    const { stream, event } = orderEvent(verifiedDelivery(body), orderContent(body.toString()));
    const listed = event.metadata.toString();
    const names = JSON.stringify(parseMetadata(listed));
    const store = (metadata: string) => filled([{ stream, event: { ...event, metadata: Buffer.from(metadata) } }]);
    for (const [source, target] of [
      [names, listed],
      [listed, names],
    ] as const) {
      expect(right(await run(between(await store(source), await store(target)))).events, source).to.equal(1);
    }
    for (const other of [
      names.replace('"primary"', '"other"'),
      names.replace('}', ',"more":1}'),
      names.replace(',', ', '),
      ` ${names}`,
    ]) {
      const result = await run(between(await store(listed), await store(other)));
      expect(E.isLeft(result) && result.left._tag, other).to.equal('TargetDiffers');
    }
  });

  it('finds at the end what a target did not keep as it was given', async () => {
    const [source, copy] = [await filled(SOME), await filled([])];
    const append: EventStore['append'] = (stream, expected, [event]) =>
      copy.append(stream, expected, [{ ...event, data: Buffer.from('"other"') }]);
    const first = copy.recorded;
    const ended = await run(between(source, { append, readAll: copy.readAll }));
    expect(ended).to.deep.equal(
      E.left({ _tag: 'TargetDiffers', stream: first()[0]?.stream, revision: first()[0]?.revision }),
    );
  });

  it('finds at the end an event that is missing from the target', async () => {
    const [source, copy] = [await filled(SOME), await filled([])];
    const readAll: EventStore['readAll'] = async function* (after) {
      let given = 0;
      for await (const event of copy.readAll(after)) {
        given += 1;
        if (given < SOME.length) yield event;
      }
    };
    const last = source.recorded().at(-1);
    expect(await run(between(source, { append: copy.append, readAll }))).to.deep.equal(
      E.left({ _tag: 'TargetDiffers', stream: last?.stream, revision: last?.revision }),
    );
  });

  it('copies a source that grows meanwhile up to the head that it had', async () => {
    const [source, copy] = [await filled(SOME), await filled([])];
    const stream = branded<StreamName>('order-late');
    const growing: MigrationLogs['source'] = {
      readAll: source.readAll,
      head: () => async () => {
        const head = await source.head()();
        const [first] = SOME;
        if (first !== undefined) right(await source.append(stream, 'none', [first.event])());
        return head;
      },
    };
    expect(right(await run(between(growing, copy))).events).to.equal(SOME.length);
    expect(content(copy)).to.deep.equal(content(source).slice(0, SOME.length));
  });

  it('refuses a source in which an event does not follow on', async () => {
    const [source, copy] = [await filled(SOME), await filled([])];
    const event = source.recorded()[3];
    if (event === undefined) expect.fail('no such event');
    source.tamper(event.stream, event.revision, { revision: branded<Revision>(event.revision + 7) });
    expect(await run(between(source, copy))).to.deep.equal(
      E.left({ _tag: 'SourceBroken', stream: event.stream, revision: event.revision + 7 }),
    );
    expect(content(copy)).to.deep.equal(content(source).slice(0, 3));
  });
});
