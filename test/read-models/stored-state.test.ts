import { expect } from 'chai';
import * as fc from 'fast-check';
import { CLOCK_ANOMALIES, foldOrder, type OrderState } from '../../projections/order-state/index.ts';
import { businessCalendar } from '../../src/domain/business-day.ts';
import { FLOWS } from '../../src/domain/flow.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../src/domain/json.ts';
import { SCHEMA } from '../../src/read-models/sqlite/schema.ts';
import { readArray } from '../../src/read-models/stored-array.ts';
import { PHASES } from '../../src/domain/status.ts';
import { keptOrder } from '../../src/read-models/order-row.ts';
import { readState, rowStateText, stateText } from '../../src/read-models/stored-state.ts';
import { jsonValues, payloads } from '../support/arbitraries.ts';
import { eventOfBody, inArrivalOrder } from '../support/ledger-events.ts';
import { sentDeliveries, taken } from '../support/order-deliveries.ts';
import { there } from '../support/sqlite-read-models.ts';

const stateOf = (payload: JsonObject): OrderState =>
  there(foldOrder([eventOfBody(Buffer.from(JSON.stringify(payload)), {})]));

const CALENDAR = businessCalendar('UTC');

/** Where the number of events stands, the one field that may be any number. */
const EVENT_COUNT = 24;
/** Where the numbers of words stand. */
const [FLOW, PHASE] = [3, 5];

const nested = (levels: number): JsonValue => (levels === 0 ? new ExactNumber('1.00') : [nested(levels - 1)]);

describe('a stored order state', () => {
  it('is read back as it was, every digit of its metadata included', () => {
    fc.assert(
      fc.property(payloads, jsonValues, (payload, value) => {
        const metaData = Object.fromEntries([
          ['custom', value],
          ['__proto__', value],
        ]);
        const state = stateOf({ ...payload, metaData });
        expect(readState(stateText(state))).to.deep.equal(state);
        expect(stateText(there(readState(stateText(state))))).to.equal(stateText(state));
        const row = keptOrder({ state, otherUtrs: [] }, CALENDAR);
        const columns = {
          order_id: row.orderId,
          created_at: row.createdAt,
          clock_after: row.clockAfter,
          state: row.state,
        };
        expect(rowStateText(columns)).to.equal(stateText(state));
      }),
      { numRuns: 300 },
    );
  });

  it('is read back with anomalies, payouts and conflicts', () => {
    fc.assert(
      fc.property(sentDeliveries, (sent) => {
        const byOrder = Map.groupBy(taken(sent).events, ({ facts }) => facts.orderId);
        for (const events of byOrder.values()) {
          const state = there(foldOrder(inArrivalOrder(events)));
          expect(readState(stateText(state))).to.deep.equal(state);
        }
      }),
    );
  });

  it('is read back however deep it is nested', () => {
    const [payload] = fc.sample(payloads, { numRuns: 1, seed: 1 });
    const state = stateOf({ ...there(payload), metaData: { deep: nested(62) } });
    expect(readState(stateText(state))).to.deep.equal(state);
  });

  it('has its words by numbers that files hold: with another order of them comes another schema', () => {
    expect([FLOWS, PHASES, CLOCK_ANOMALIES, SCHEMA]).to.deep.equal([
      ['onramp', 'offramp'],
      ['open', 'settled', 'deemed', 'failed', 'refunding', 'refunded', 'expired'],
      ['overdue', 'deemed-too-long'],
      24,
    ]);
  });

  it('is none where anything of it is something else', () => {
    const [payload] = fc.sample(payloads, { numRuns: 1, seed: 1 });
    const state = stateOf(there(payload));
    const whole = stateText(state);
    expect(readState(whole)).to.deep.equal(state);
    const stored = there(readArray(whole));
    const spoiled = [
      '',
      'null',
      '[]',
      '{}',
      whole.slice(1),
      JSON.stringify(state),
      JSON.stringify([...stored, null]),
      ...stored.map((_, place) => JSON.stringify(stored.with(place, place === EVENT_COUNT ? 'x' : 7.5))),
      ...stored.map((_, place) => JSON.stringify(stored.toSpliced(place, 1))),
      ...[FLOW, PHASE].map((place) => JSON.stringify(stored.with(place, 7))),
      ...[FLOW, PHASE].map((place) => JSON.stringify(stored.with(place, -1))),
    ];
    for (const text of spoiled) expect(readState(text), text).to.equal(null);
  });
});
