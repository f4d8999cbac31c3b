import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../../src/domain/brand.ts';
import type { StreamName } from '../../../src/domain/ids.ts';
import { drawnLineKey, type LineKey } from '../../../src/domain/line-key.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { verifyEvent } from '../../../src/ledger/verify-event.ts';
import type { QueryDependencies } from '../../../src/queries/query-dependencies.ts';
import { keptLineKey } from '../../../src/queries/statements/line-key.ts';
import { importRequest } from '../../../src/queries/statements/statement-request.ts';
import { BOOKINGS } from '../../support/bank-files/booking.ts';
import { AUTHOR, imported, statementOf } from '../../support/bank-imports.ts';
import { asBeforeTheKey, formerIdOf, keyIn } from '../../support/former-line-ids.ts';
import { right } from '../../support/right.ts';
import { routeDependencies, routeDoubles, type RouteDoubles } from '../../support/route-dependencies.ts';

const STREAM = branded<StreamName>('statement-line-ids');

const keyOf = (byte: number): LineKey => drawnLineKey((size) => Buffer.alloc(size, byte));

const linesOf = async (doubles: RouteDoubles, file: Buffer, over: Partial<QueryDependencies> = {}) => {
  const { statementId } = (await imported(doubles, file, over)).statement;
  return right(await doubles.readModels.statementLines({ statementId, after: null, limit: 500 })()).data;
};

const idsOf = async (...asked: Parameters<typeof linesOf>): Promise<readonly string[]> =>
  (await linesOf(...asked)).map(({ lineId }) => lineId);

/** A ledger of its own on the store of others, which draws keys of its own. */
const beside = ({ store }: RouteDoubles, byte: number, over: Partial<EventStore> = {}): Partial<QueryDependencies> => ({
  store: { ...store, ...over },
  drawLineKey: () => keyOf(byte),
});

/** All lines that count, each with how many files have it. */
const counted = async ({ readModels }: RouteDoubles): Promise<ReadonlyMap<string, number>> => {
  const times = new Map<string, number>();
  for (const { statementId } of right(await readModels.statements({ after: null, limit: 500 })()).data) {
    const { data } = right(await readModels.statementLines({ statementId, after: null, limit: 500 })());
    for (const { lineId } of data) times.set(lineId, (times.get(lineId) ?? 0) + 1);
  }
  return times;
};

describe('the key of the ids of bank lines', () => {
  it('is drawn once for a log, and no id can be made without it', async () => {
    const doubles = routeDoubles();
    const lines = await linesOf(doubles, statementOf(), beside(doubles, 1));
    const [event = expect.fail()] = doubles.store.recorded();
    expect(event).to.include({ type: 'LineIdsKeyed', stream: STREAM, data: JSON.stringify({ key: keyOf(1) }) });
    expect(verifyEvent(event, () => null)).to.deep.equal({ verified: 'unsigned', problems: [] });
    for (const line of lines) expect(formerIdOf(keyOf(1), line)).not.to.equal(line.lineId);
    const other = routeDoubles();
    const others = await idsOf(other, statementOf(), beside(other, 2));
    expect(others.filter((id) => lines.some(({ lineId }) => lineId === id))).to.deep.equal([]);
    // Its event is named by the log's only key, and not by which it is.
    expect(other.store.recorded()[0]?.id).to.equal(event.id);
  });

  it('is the one of the log for every ledger on it, so that lines of overlapping files are one', async () => {
    const doubles = routeDoubles();
    const ids = await idsOf(doubles, statementOf(BOOKINGS.slice(0, 3)), beside(doubles, 1));
    expect(await idsOf(doubles, statementOf(), beside(doubles, 2))).to.deep.include.members([...ids]);
    expect(doubles.store.recorded().filter(({ stream }) => stream === STREAM)).to.have.length(1);
  });

  it('is the winner of two that are drawn at once, whether the store takes the other for a repeat or not', async () => {
    for (const takesForRepeat of [false, true]) {
      const doubles = routeDoubles();
      const slow: EventStore['append'] = (stream, expected, events) => async () => {
        await wait(5);
        const there = right(await doubles.store.readStream(stream)());
        // As EventStoreDB does, which looks at ids alone.
        const known = takesForRepeat ? there.find(({ id }) => id === events[0].id) : undefined;
        return known === undefined ? await doubles.store.append(stream, expected, events)() : E.right(known);
      };
      const [one, two] = await Promise.all([
        imported(doubles, statementOf(BOOKINGS.slice(0, 2)), beside(doubles, 1, { append: slow })),
        imported(doubles, statementOf(BOOKINGS.slice(2)), beside(doubles, 2, { append: slow })),
      ]);
      expect([one.statement.newLines, two.statement.newLines]).to.deep.equal([2, BOOKINGS.length - 2]);
      expect(doubles.store.recorded().filter(({ stream }) => stream === STREAM)).to.have.length(1);
      expect((await imported(doubles, statementOf())).statement.newLines, String(takesForRepeat)).to.equal(0);
    }
  });

  it('is not drawn again where it cannot be read: lines would be counted twice', async () => {
    const doubles = routeDoubles();
    await imported(doubles, statementOf(BOOKINGS.slice(0, 2)));
    doubles.store.tamper(STREAM, 0, { data: '{"key":"short"}' });
    const events = doubles.store.recorded().length;
    const nothing = { format: null, account: null, currency: null, profile: null, name: null };
    const refused = await importRequest(routeDependencies({}, doubles), nothing, statementOf(), AUTHOR)();
    expect(refused).to.have.nested.property('left._tag', 'UnreadableEvent');
    expect(doubles.store.recorded()).to.have.length(events);
    expect(await keptLineKey(doubles)()).to.have.nested.property('left._tag', 'UnreadableEvent');
  });
});

describe('ids that bank lines got before there was a key', () => {
  const before = async (file: Buffer, most?: number): Promise<RouteDoubles> => {
    const doubles = routeDoubles();
    await imported(doubles, file);
    return await asBeforeTheKey(doubles, most);
  };

  it('stay, and the file itself adds nothing', async () => {
    const doubles = await before(statementOf());
    const events = doubles.store.recorded();
    const lines = await linesOf(doubles, statementOf());
    expect(doubles.store.recorded()).to.deep.equal(events);
    expect(keyIn(events)).to.equal(null);
    for (const line of lines) expect(formerIdOf(keyOf(1), line)).to.equal(line.lineId);
  });

  it('are those of the lines that an overlapping file brings again; the others get new ones', async () => {
    const doubles = await before(statementOf(BOOKINGS.slice(0, 3)));
    const former = await idsOf(doubles, statementOf(BOOKINGS.slice(0, 3)));
    const { statement } = await imported(doubles, statementOf());
    expect(statement).to.include({ newLines: 1, duplicateLines: 3 });
    const lines = await linesOf(doubles, statementOf());
    expect(lines.map(({ lineId }) => lineId).slice(0, 3)).to.deep.equal(former);
    const last = lines.at(-1) ?? expect.fail();
    expect(formerIdOf(keyIn(doubles.store.recorded()) ?? expect.fail(), last)).not.to.equal(last.lineId);
  });

  it('count with new ones of equal lines, numbered without gaps', async () => {
    const [booking = expect.fail()] = BOOKINGS;
    const doubles = await before(statementOf([booking], 1));
    expect((await imported(doubles, statementOf([booking], 3))).statement).to.include({ newLines: 2 });
    expect((await imported(doubles, statementOf([booking], 2))).statement).to.include({ newLines: 0 });
    expect((await imported(doubles, statementOf([booking], 4))).statement).to.include({ newLines: 1 });
    expect([...(await counted(doubles)).values()]).to.deep.equal([4, 4, 3, 2, 1]);
  });

  it('of an import that was cut off count for nothing: the file is imported whole, once', async () => {
    const whole = routeDoubles();
    await imported(whole, statementOf());
    for (let lines = 1; lines <= BOOKINGS.length; lines += 1) {
      const doubles = await before(statementOf(), lines);
      expect(doubles.store.recorded()).to.have.length(lines);
      // Another one brings some of them in between.
      await imported(doubles, statementOf(BOOKINGS.slice(1)));
      const { statement } = await imported(doubles, statementOf());
      expect(statement).to.include({ lines: BOOKINGS.length, newLines: 1 });
      expect(new Set((await counted(doubles)).keys())).to.deep.equal(new Set((await counted(whole)).keys()));
    }
  });
});
