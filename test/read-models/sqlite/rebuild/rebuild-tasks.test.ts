import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { businessCalendar } from '../../../../src/domain/business-day.ts';
import { isOrderStream, type Position } from '../../../../src/domain/ids.ts';
import { readLedgerEvent } from '../../../../src/domain/ledger-event.ts';
import { positionAt, positionNumber } from '../../../../src/domain/position.ts';
import type { EventHeader, RecordedEvent } from '../../../../src/domain/recorded-event.ts';
import { addOrderSteps } from '../../../../src/read-models/order-steps.ts';
import { LocalTasks } from '../../../../src/read-models/sqlite/rebuild/rebuild-tasks.ts';
import { StepSums } from '../../../../src/read-models/step-sums.ts';
import { StreamFold } from '../../../../src/read-models/stream-fold.ts';
import { playedLedger, scripts } from '../../../support/ledger-script.ts';
import { right } from '../../../support/right.ts';

const CALENDAR = businessCalendar('Asia/Kolkata');

/** Where the first event stands in a store that is shared, or in use since long. */
const BEHIND_OTHERS = 100_000_000_000;

const moved = <H extends EventHeader>(event: H): H => ({
  ...event,
  position: positionAt(positionNumber(event.position) + BEHIND_OTHERS),
});

describe('the steps that a rebuild cuts a log into', () => {
  const played = async () => {
    const { store, play } = playedLedger();
    const [steps] = fc.sample(scripts(40), { numRuns: 1, seed: 3 });
    await play(steps ?? []);
    return store;
  };

  it('are as many behind the events of others as at the start of a store', async () => {
    const store = await played();
    const upTo = right(await store.head()()) ?? expect.fail('no event');
    const shared: ConstructorParameters<typeof LocalTasks>[0] = {
      readHeaders: async function* (after) {
        for await (const page of store.readHeaders(after, upTo))
          yield E.map((its: readonly EventHeader[]) => its.map(moved))(page);
      },
      readPart: (part) => async () =>
        E.map(
          (
            streams: readonly { readonly stream: RecordedEvent['stream']; readonly events: readonly RecordedEvent[] }[],
          ) => streams.map(({ stream, events }) => ({ stream, events: events.map(moved) })),
        )(await store.readPart(part, upTo)()),
    };
    const stepsIn = async (log: typeof shared, last: Position): Promise<readonly number[]> => {
      const { steps } = right(await new LocalTasks(log, last, CALENDAR, { events: 3, most: 6 }).part(0));
      return steps.map(({ events }) => events);
    };
    const usual = await stepsIn(store, upTo);
    expect(usual.length).to.be.greaterThan(3);
    expect(await stepsIn(shared, positionAt(positionNumber(upTo) + BEHIND_OTHERS))).to.deep.equal(usual);
  });

  it('take one reading of each event, though an order is folded for each end between its events', async () => {
    const store = await played();
    const events = await Array.fromAsync(store.readAll(null), right);
    const orders = [
      ...Map.groupBy(
        events.filter(({ stream }) => isOrderStream(stream)),
        ({ stream }) => stream,
      ).values(),
    ];
    const longest = orders.reduce((a, b) => (b.length > a.length ? b : a));
    expect(longest.length).to.be.greaterThan(2);
    const read: RecordedEvent[] = [];
    const fold = new StreamFold(longest, (event) => {
      read.push(event);
      return readLedgerEvent(event);
    });
    addOrderSteps(new StepSums(), { facetKey: '', cells: [] }, fold, { stepOf: positionNumber, calendar: CALENDAR });
    expect(read).to.deep.equal(longest.slice(0, -1));
  });
});
