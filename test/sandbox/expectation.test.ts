import { expect } from 'chai';
import * as fc from 'fast-check';
import { FLOWS, type Flow } from '../../src/domain/flow.ts';
import { OFF_RAMP_STATUSES, ON_RAMP_STATUSES } from '../../src/domain/status.ts';
import { readAskedOrder } from '../../src/sandbox/order-request.ts';
import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import type { Delivered } from '../support/order-oracle.ts';
import { naiveReport } from '../support/report-oracle.ts';
import { right } from '../support/right.ts';
import { NO_FAULTS, REFUSED, sandboxOf, TAKEN } from './sandbox-scene.ts';
import { runs } from '../support/runs.ts';

const text = (...texts: readonly string[]): fc.Arbitrary<JsonValue> => fc.constantFrom(...texts);

const steps: Readonly<Record<Flow, fc.Arbitrary<JsonValue>>> = {
  onramp: text(...ON_RAMP_STATUSES),
  offramp: fc.oneof(
    text(...OFF_RAMP_STATUSES),
    fc.record({
      status: text('fiatDeemed', 'fiatFailed', 'PayoutSuccess'),
      utr: fc.oneof(text('', 'U1', 'U2'), fc.constant(null)),
    }),
  ),
};

const FAULTS = [
  'duplicates',
  'shuffle',
  'other-facts',
  'other-wallet',
  'unreadable-field',
  'wrong-signature',
  'altered-bytes',
  'reserialised',
  'give-up',
];

/** Any walk, with utrs of any kind: also such as no provider would take. */
const walks: fc.Arbitrary<JsonObject> = fc.constantFrom(...FLOWS).chain((flow) =>
  fc.record({
    flow: fc.constant(flow),
    path: fc.array(steps[flow], { minLength: 1, maxLength: 6 }),
    faults: fc.subarray(FAULTS),
  }),
);

const totalsOf = (delivered: readonly Delivered[], flow: Flow): unknown => {
  const { totals } = naiveReport(delivered, { flow, basis: 'created', timeZone: 'UTC', groupBy: [] });
  return totals.map((total) => ({
    ...total,
    tokens: total.tokens.map((line) => ({ ...line, chainId: Number(line.chainId) })),
  }));
};

describe('what the sandbox expects of a ledger', () => {
  it('is what a naive reading of the bodies comes to, whatever was taken of what was sent', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string(),
        fc.array(walks, { maxLength: 8 }),
        fc.array(fc.boolean()),
        async (seed, orders, weather) => {
          const delivered: Delivered[] = [];
          let calls = 0;
          const sandbox = sandboxOf({
            seed,
            target: ({ body }) => {
              calls += 1;
              if (weather[calls % (weather.length + 1)] === true) return REFUSED;
              delivered.push({ body: body.toString(), receivedAt: '2026-01-31T12:00:00.000Z', eventId: String(calls) });
              return TAKEN;
            },
          });
          for (const order of orders) {
            await right(sandbox.place(right(readAskedOrder(order, NO_FAULTS)))).delivered;
          }
          const all = sandbox.deliveries.all();
          const genuine = delivered.filter(
            ({ eventId }) =>
              !['wrong-signature', 'altered-bytes'].includes(all[Number(eventId) - 1]?.parcel.kind ?? ''),
          );
          for (const flow of FLOWS) {
            expect(sandbox.expectation.totals(flow), flow).to.deep.equal(totalsOf(genuine, flow));
          }
        },
      ),
      { numRuns: runs(80) },
    )).timeout(300_000);
});
