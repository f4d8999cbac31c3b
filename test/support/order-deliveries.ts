import * as fc from 'fast-check';
import { factsDigest } from '../../src/domain/facts-digest.ts';
import type { Flow } from '../../src/domain/flow.ts';
import type { EventId, Sha256 } from '../../src/domain/ids.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../src/domain/json.ts';
import type { LedgerEvent } from '../../src/domain/ledger-event.ts';
import { decimalTexts, flows, listedStatuses } from './arbitraries.ts';
import { eventOfBody } from './ledger-events.ts';
import type { Delivered } from './order-oracle.ts';
import { offRamp, onRamp } from './payloads.ts';

/** Moments of ten days in which London and New York change their clocks, many of them just beside somebody's midnight. */
const moments: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: Date.UTC(2024, 9, 25), max: Date.UTC(2024, 10, 4) }),
  fc
    .tuple(fc.nat(960), fc.constantFrom(-1, 0, 1))
    .map(([quarter, away]) => Date.UTC(2024, 9, 25) + quarter * 900_000 + away),
);

const INDIA = 19_800_000;

const timestamps: fc.Arbitrary<string> = fc
  .tuple(moments, fc.boolean())
  .map(([moment, inIndia]) =>
    inIndia ? new Date(moment + INDIA).toISOString().replace('Z', '+05:30') : new Date(moment).toISOString(),
  );

const numbers = fc
  .oneof(decimalTexts, fc.constantFrom('0', '100.00', '0.1', '1e3'))
  .map((text): JsonValue => new ExactNumber(text));

/** Now and then another: something that the interface does not say. */
const mostly = <A>(usual: fc.Arbitrary<A>, other: fc.Arbitrary<A>): fc.Arbitrary<A> =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: other });

const decimalStrings: fc.Arbitrary<JsonValue> = mostly(
  fc.oneof(decimalTexts, fc.constant('')),
  fc.constantFrom<JsonValue>('a lot', 5, null),
);

/** Members that all events of an order have in common, most of the time. */
const common = (flow: Flow): fc.Arbitrary<JsonObject> =>
  fc
    .record({
      fiat: numbers,
      currency: fc.constantFrom('inr', 'INR', 'usd', 'EUR'),
      token: fc.constantFrom(
        ['MATIC', '0xeEeE'],
        ['Matic', '0xEEEE'],
        ['USDT', '0xdAc1'],
        ['USDT', '0xDAC1'],
        ['USDC', '0xa0b8'],
        ['usdt', '0xa0b8'],
        ['ſdt', '0xa0b8'],
        ['Sdt', '0xa0b8'],
      ),
      chain: fc.constantFrom('1', '1.0', '137', '80001'),
      created: timestamps,
    })
    .map(({ fiat, currency, token: [symbol = '', address = ''], chain, created }) => ({
      fiat,
      currency,
      chainId: new ExactNumber(chain),
      ...(flow === 'onramp'
        ? { buyTokenSymbol: symbol, buyTokenAddress: address, createdAt: created }
        : { sellTokenSymbol: symbol, sellTokenAddress: address, created_at: created }),
    }));

/** What changes from event to event. */
const particular = (flow: Flow): fc.Arbitrary<JsonObject> =>
  flow === 'onramp'
    ? fc.record(
        {
          status: mostly(listedStatuses(flow), fc.constantFrom('onHold', 'PayoutSuccess')),
          transferredAmount: decimalStrings,
          transferredAmountWei: mostly(
            fc.constantFrom<JsonValue>('', '0', '10000000000000000', '123456789012345678901234567890'),
            fc.constantFrom<JsonValue>('0x10', 7),
          ),
          metaData: mostly(
            fc.record<JsonObject>({ conversionRate: decimalStrings, commission: decimalStrings }, { requiredKeys: [] }),
            fc.constant<JsonValue>('none'),
          ),
          txnHash: mostly(fc.constantFrom<JsonValue>('', '0xab'), fc.constant<JsonValue>(1)),
          updated_at: timestamps,
        },
        { requiredKeys: ['status'] },
      )
    : fc.record(
        {
          status: mostly(
            fc.oneof(listedStatuses(flow), fc.constantFrom('fiatDeemed', 'fiatFailed', 'PayoutSuccess')),
            fc.constantFrom('onHold', 'fiatPending'),
          ),
          utr: fc.constantFrom<JsonValue>('', null, 'UTR1', 'UTR2', 'utr2'),
          tokensDeducted: mostly(numbers, fc.constantFrom<JsonValue>('1', null)),
          tds: mostly(numbers, fc.constantFrom<JsonValue>('1', null)),
          updated_at: mostly(
            fc.oneof(timestamps, fc.constant<JsonValue>('0001-01-01T00:00:00Z')),
            fc.constantFrom<JsonValue>('soon', ''),
          ),
        },
        { requiredKeys: ['status'] },
      );

const CUSTOMER: JsonObject = { id: 'c1', email: 'asha@example.com', phone: {}, created_at: '2022-11-28T12:45:17.000Z' };

/** A fact that should not change, and does. */
const changes: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ fiat: numbers }),
  fc.record({ currency: fc.constantFrom('INR', 'usd') }),
  fc.record({ chainId: fc.constantFrom(1, 137) }),
  fc.constantFrom<JsonObject>(
    { customer: { ...CUSTOMER, email: 'ASHA@example.com' } },
    { customer: { ...CUSTOMER, name: 'Asha' } },
    { customer: { ...CUSTOMER, phone: { number: '98' } } },
    { customer: { ...CUSTOMER, phone: { number: '99' } } },
    { buyTokenAddress: '0xEEEE', sellTokenAddress: '0xDaC1' },
  ),
);

/** The payloads of one order in any order, with duplicates, conflicts and changed facts. */
export const orderPayloads = (orderId: string): fc.Arbitrary<readonly JsonObject[]> =>
  flows.chain((flow) =>
    fc
      .tuple(
        common(flow),
        fc.array(fc.tuple(particular(flow), mostly(fc.constant<JsonObject>({}), changes), fc.nat(9)), {
          minLength: 1,
          maxLength: 5,
        }),
      )
      .map(([facts, events]) =>
        events.flatMap(([event, change, repeat]) => {
          const payload = { ...facts, customer: CUSTOMER, orderId, ...event, ...change };
          const sent = flow === 'onramp' ? onRamp(payload) : offRamp(payload);
          // A duplicate, and other facts under the same key.
          return repeat === 0 ? [sent, sent] : repeat === 1 ? [sent, { ...sent, fiat: 77, note: 'again' }] : [sent];
        }),
      ),
  );

/** A body and when it is received. */
export type Sent = { readonly body: string; readonly receivedAt: string };

/** Deliveries of several orders of both flows in any order, with duplicates, conflicts, changed facts and what can't be read. */
export const sentDeliveries: fc.Arbitrary<readonly Sent[]> = fc
  .integer({ min: 1, max: 7 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => orderPayloads(`order-${i}`))))
  .chain((orders) => {
    const all = orders.flat();
    return fc.tuple(
      fc.shuffledSubarray(all, { minLength: all.length }),
      fc.array(moments, { minLength: all.length, maxLength: all.length }),
    );
  })
  .map(([payloads, received]) =>
    payloads.map((payload, i) => ({
      body: JSON.stringify(payload),
      receivedAt: new Date(received[i] ?? 0).toISOString(),
    })),
  );

/** What the ledger makes of deliveries that come in this order: the events that it appends, and what it would answer. */
export const taken = (
  sent: readonly Sent[],
): { readonly events: readonly LedgerEvent[]; readonly delivered: readonly Delivered[] } => {
  const facts = new Map<EventId, Sha256>();
  const events: LedgerEvent[] = [];
  const delivered: Delivered[] = [];
  for (const [i, { body, receivedAt }] of sent.entries()) {
    const event = eventOfBody(Buffer.from(body), { receivedAt, revision: i });
    const { id } = event.recorded;
    delivered.push({ body, receivedAt, eventId: id });
    const digest = factsDigest(event.payload);
    const known = facts.get(id);
    if (known === undefined) events.push(event);
    else if (known !== digest)
      events.push(eventOfBody(Buffer.from(body), { receivedAt, revision: i, kind: 'conflict' }));
    facts.set(id, known ?? digest);
  }
  return { events, delivered };
};
