import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import { quarantineEventId } from '../../src/domain/event-id.ts';
import { ownStream, quarantineStream, type RequestId, type Sha256 } from '../../src/domain/ids.ts';
import { instantOf, type Instant } from '../../src/domain/instant.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../src/domain/json.ts';
import type { Month } from '../../src/domain/month.ts';
import { quarantineEvent } from '../../src/domain/new-event.ts';
import { QUARANTINE_CLOSED, QUARANTINE_REOPENED } from '../../src/domain/own-event/closure-events.ts';
import { ownEvent } from '../../src/domain/own-event/own-event.ts';
import { PERIOD_REOPENED } from '../../src/domain/own-event/period-events.ts';
import { readContent } from '../../src/domain/read-content.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { OFF_RAMP_STATUSES, ON_RAMP_STATUSES } from '../../src/domain/status.ts';
import { appendOwn } from '../../src/ledger/append-own.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { recordDelivery } from '../../src/ledger/record-delivery.ts';
import { inMemoryEventStore, type InMemoryEventStore } from './in-memory-event-store.ts';
import { bodyOf, offRamp, onRamp, verifiedDelivery } from './payloads.ts';
import { right } from './right.ts';

/**
 * One thing that happens to a ledger. `putAway`: the body goes to quarantine whatever today's rules say, as by an older
 * version; the next delivery of the same body then releases it.
 */
export type Step = {
  readonly body: string;
  readonly receivedAt: Instant;
  /** Null: the digest of the body, which a caller may well send. */
  readonly requestId: RequestId | null;
  readonly putAway: boolean;
  /** The ledger itself notes something before it; behind it somebody closes its body in quarantine, or opens it again. */
  readonly noted?: boolean;
};

/** Moments beside midnights of zones, ends of months and years, and each other: many orders share one. */
const MOMENTS = [
  '2024-01-31T18:29:59.999Z',
  '2024-01-31T18:30:00.000Z',
  '2024-02-29T00:00:00.000Z',
  '2024-02-29T00:00:00.0000001Z',
  '2024-02-29T05:30:00.000001+05:30',
  '2024-02-29T23:59:59.999Z',
  '2024-03-01T04:59:59.999Z',
  '2024-12-31T20:00:00Z',
  '2025-01-01T00:00:00.000Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
] as const;

const moments = fc.constantFrom<string>(...MOMENTS);

/** Their order as texts of UTF-16 differs from that of their UTF-8 bytes. */
const ON_RAMP_IDS = ['a', 'B', '\uffff', '😀', 'é', 'U1'] as const;
const OFF_RAMP_IDS = ['b', 'ab', '\u{10ffff}', 'a😀', '__proto__', 'a'] as const;

const ODD_STATUSES = [
  '__proto__',
  'constructor',
  '\ud800',
  '😀',
  'onHold',
  'PayoutSuccess',
  'fiatPending',
  '"',
] as const;

const statuses = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<string>(...ON_RAMP_STATUSES) },
  { weight: 4, arbitrary: fc.constantFrom<string>(...OFF_RAMP_STATUSES) },
  { weight: 4, arbitrary: fc.constantFrom('fiatPending', 'completed', 'fiatDeemed', 'PayoutSuccess') },
  { weight: 2, arbitrary: fc.constantFrom<string>(...ODD_STATUSES) },
);

const TEXTS = ['', 'U1', 'u1', '0xab', 'asha@example.com', '\ud83d', '\u{10ffff}'] as const;

const texts = fc.constantFrom<string>(...TEXTS);

const numbers = fc
  .constantFrom('0', '0.10', '100', '1e3', '12345678901234567890.123456789')
  .map((source): JsonValue => new ExactNumber(source));

const decimals = fc.constantFrom('', '0', '0.10', '100', '123456789012345678901234567890.5');

/** Members that an object literal would lose, and digits that a double would. */
const ODD_METADATA: JsonObject = Object.fromEntries<JsonValue>([
  ['__proto__', new ExactNumber('1.0')],
  ['deep', [{ '\ud800': 1e-7 }]],
]);

const metaData: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constant<JsonObject>({}),
  fc.record({ conversionRate: decimals, commission: decimals }),
  fc.constant(ODD_METADATA),
);

const ofBothFlows = {
  status: statuses,
  fiat: numbers,
  currency: fc.constantFrom('inr', 'INR', 'USD'),
  chainId: fc.constantFrom('1', '1.0', '137').map((source): JsonValue => new ExactNumber(source)),
  customer: fc.oneof(
    fc.record({ id: texts, email: texts, phone: fc.constant<JsonValue>({}) }),
    fc.record<JsonObject>({ id: texts, name: fc.constant(7) }),
  ),
  metaData,
  utr: fc.oneof(texts, fc.constant(null)),
  updated_at: fc.oneof(moments, fc.constant('0001-01-01T00:00:00Z')),
};

/** Few-valued, so that ties, equal facets, changed facts, conflicts and duplicates are frequent. */
const onRamps = fc
  .record(
    {
      ...ofBothFlows,
      orderId: fc.constantFrom(...ON_RAMP_IDS),
      createdAt: moments,
      buyTokenSymbol: fc.constantFrom('USDT', '0xDAC1'),
      buyTokenAddress: fc.constantFrom('0xdac1', '0xDAC1', '0xeeee'),
      receiverWalletAddress: texts,
      txnHash: texts,
      transferredAmount: decimals,
      transferredAmountWei: fc.constantFrom('', '10', '123456789012345678901234567890'),
    },
    { requiredKeys: ['orderId', 'status'] },
  )
  .map((over) => onRamp(over));

const offRamps = fc
  .record(
    {
      ...ofBothFlows,
      orderId: fc.constantFrom(...OFF_RAMP_IDS),
      created_at: moments,
      sellTokenSymbol: fc.constantFrom('USDT', '0xDAC1'),
      sellTokenAddress: fc.constantFrom('0xdac1', '0xDAC1', '0xeeee'),
      senderWalletAddress: texts,
      transactionId: texts,
      tokensDeducted: numbers,
      tds: numbers,
    },
    { requiredKeys: ['orderId', 'status'] },
  )
  .map((over) => offRamp(over));

const unreadable = fc.oneof(
  fc.constantFrom(
    'no JSON',
    '[]',
    '{"orderId":"a"}',
    '{"orderId":"\u{10ffff}","fiat":1}',
    '{"orderId":"a","orderId":"b"}',
  ),
  onRamps.map((payload) => JSON.stringify({ ...payload, utr: 5 })),
);

const bodies = fc.oneof(
  { weight: 8, arbitrary: fc.oneof(onRamps, offRamps).map((payload) => JSON.stringify(payload)) },
  { weight: 1, arbitrary: unreadable },
);

/** What a ledger may go through; some bodies come more than once. */
export const scripts = (maxLength: number): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(
      fc.array(
        fc.record({
          body: bodies,
          receivedAt: fc.oneof(
            moments.map((text) => instantOf(Date.parse(text))),
            fc.constant(instantOf(Date.UTC(2024, 5, 1))),
          ),
          requestId: fc.constantFrom(branded<RequestId>('request-1'), branded<RequestId>('request-2'), null),
          putAway: fc.nat(7).map((n) => n === 0),
          noted: fc.nat(7).map((n) => n === 0),
        }),
        { minLength: 1, maxLength },
      ),
      fc.array(fc.nat(1000), { maxLength: 4 }),
    )
    .map(([steps, again]) => [
      ...steps,
      ...again.flatMap((n) =>
        steps
          .slice(n % steps.length)
          .slice(0, 1)
          .map((step) => ({ ...step, putAway: false })),
      ),
    ]);

/** A ledger in memory that steps are played into. */
export type PlayedLedger = {
  readonly store: InMemoryEventStore;
  readonly play: (steps: readonly Step[]) => Promise<void>;
};

/** An empty ledger whose events are recorded a second apart. */
export const playedLedger = (): PlayedLedger => {
  let recorded = 0;
  const store = inMemoryEventStore(() => {
    recorded += 1;
    return instantOf(Date.UTC(2024, 6, 1) + recorded * 1000);
  });
  const quarantined = new Set<ReturnType<typeof sha256>>();
  const record = recordDelivery({ store, recent: new RecentOrders(0), quarantined });

  const note = async (at: Instant, requestId: RequestId): Promise<void> => {
    const period = branded<Month>('2024-01');
    const noted = ownEvent(
      PERIOD_REOPENED,
      { period, closed: quarantineEventId(sha256(requestId)), note: 'é' },
      {
        by: 'finance',
        at,
        requestId,
      },
    );
    const head = right(await store.readStream(noted.stream)()).at(-1);
    right(await appendOwn(store, head?.revision ?? 'none', [noted])());
  };

  /** Closes what lies in quarantine, or opens it again where it was closed. */
  const closeOrReopen = async (bodySha256: Sha256, at: Instant): Promise<void> => {
    if (right(await store.readStream(quarantineStream(bodySha256))()).length === 0) return;
    const last = right(await store.readStream(ownStream('closure', bodySha256))()).at(-1);
    const author = { by: 'finance', at, requestId: branded<RequestId>(bodySha256) };
    const event =
      last?.type === 'QuarantineClosed'
        ? ownEvent(QUARANTINE_REOPENED, { bodySha256, closed: last.id, note: 'é' }, author)
        : ownEvent(QUARANTINE_CLOSED, { bodySha256, note: '\ud800', after: last?.id ?? null }, author);
    right(await appendOwn(store, last?.revision ?? 'none', [event])());
  };

  const playStep = async ({ body: text, receivedAt, requestId, putAway, noted }: Step): Promise<void> => {
    const body = bodyOf(text);
    const digest = sha256(body);
    if (noted === true) await note(receivedAt, requestId ?? branded<RequestId>(digest));
    const verified = verifiedDelivery(body, { receivedAt, requestId: requestId ?? branded<RequestId>(digest) });
    if (putAway && !quarantined.has(digest)) {
      const content = readContent(body);
      const orderId = content._tag === 'OrderEvent' ? content.payload.orderId : content.orderId;
      const { stream, event } = quarantineEvent(verified, [{ path: 'utr', message: '\ud800' }], orderId);
      quarantined.add(digest);
      right(await store.append(stream, 'none', [event])());
      return;
    }
    right(await record({ verified, content: readContent(body) })());
  };

  return {
    store,
    play: async (steps) => {
      for (const step of steps) {
        await playStep(step);
        if (step.noted === true) await closeOrReopen(sha256(bodyOf(step.body)), step.receivedAt);
      }
    },
  };
};
