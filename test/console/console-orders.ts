import type { JsonObject } from '../../src/domain/json.ts';
import { offRamp, onRamp } from '../support/payloads.ts';

const DAY = 86_400_000;

/** The orders that the pages are looked at with; what is personal in them stands in `PERSONAL`. */
export const ON_RAMP = 'story-onramp-1';
export const OFF_RAMP = 'story-offramp-1';
export const HANGING = 'story-hanging-1';
export const TROUBLED = 'story-troubled-1';
/** An id that is also a path, a query and markup. */
export const ODD_ID = `odd/../<b>"id"&a=1?x#y'%41 é`;

export const FACTS = {
  txnHash: '0x7d1afa7b718fb893db30a3abc0cfc608aacfebb07d1afa7b718fb893db30a3ab',
  utr: '412345678901',
  hangingUtr: '491111111109',
  hangingReference: 'INV-2026-0042',
  hangingEmail: 'meera.iyer@example.com',
  hangingPhone: { countrycode: '+91', number: '9000012345' },
  wallet: '0x5a0b54d5dc17e0aadc383d2db43b0a0d3e029c4c',
  transactionId: 'TRAREF7700001',
  customerId: 'cust-7700001',
  email: 'asha.rao@example.com',
} as const;

/** What nobody without the scope pii:read may find in any page. */
export const PERSONAL = [
  'asha.rao',
  'vikram.shah',
  'Vikram Shah',
  '9876543210',
  '50100200300400',
  'Meera Iyer',
  'hidden.person',
  'moved.away',
  'odd.currency',
] as const;

const META = {
  conversionRate: '90.2',
  commission: '2.5',
  accountNumber: '50100200300400',
  beneficiaryName: 'Meera Iyer',
  note: 'write to hidden.person@example.org',
  'invoice.number': 'INV-7',
};

const CUSTOMER = {
  id: FACTS.customerId,
  email: FACTS.email,
  name: 'Vikram Shah',
  phone: { countrycode: '+91', number: '9876543210' },
  created_at: '2022-11-28T12:45:17.000Z',
};

const ON_RAMP_WALK = ['fiatPending', 'orderReceived', 'InProgress', 'fiatReceived', 'transferred', 'completed'];

const onRampStory = (createdAt: string): readonly JsonObject[] =>
  ON_RAMP_WALK.map((status, i) =>
    onRamp({
      orderId: ON_RAMP,
      status,
      createdAt,
      fiat: 12_345.67,
      receiverWalletAddress: FACTS.wallet,
      txnHash: i < 4 ? '' : FACTS.txnHash,
      customer: { ...CUSTOMER, phone: {} },
      metaData: status === 'completed' ? META : {},
    }),
  );

const offRampStory = (created: string): readonly JsonObject[] =>
  ['pending', 'orderReceived', 'CryptoReceived', 'fiatDeemed', 'PayoutSuccess'].map((status, i) =>
    offRamp({
      orderId: OFF_RAMP,
      status,
      created_at: created,
      transactionId: FACTS.transactionId,
      customer: CUSTOMER,
      ...(i < 3 ? {} : { utr: FACTS.utr }),
    }),
  );

const hanging = (created: string): readonly JsonObject[] =>
  ['pending', 'CryptoReceived', 'fiatDeemed'].map((status) =>
    offRamp({
      orderId: HANGING,
      status,
      created_at: created,
      customer: { ...CUSTOMER, id: 'cust-hanging', email: FACTS.hangingEmail, phone: FACTS.hangingPhone },
      metaData: { invoice: FACTS.hangingReference },
      ...(status === 'fiatDeemed' ? { utr: FACTS.hangingUtr, updated_at: created } : {}),
    }),
  );

/** Everything that an order can have that does not fit. */
const troubled = (created: string): readonly JsonObject[] => {
  const of = (over: JsonObject): JsonObject => offRamp({ orderId: TROUBLED, created_at: created, ...over });
  return [
    of({ status: 'pending' }),
    of({ status: 'pending', fiat: 77, note: 'again' }),
    of({ status: 'onHold' }),
    of({ status: 'PayoutSuccess', utr: 'UTR-A' }),
    of({ status: 'fiatFailed', utr: 'UTR-A' }),
    of({ status: 'PayoutSuccess', utr: 'UTR-B', tds: 'unreadable' }),
    of({ status: 'refunded', customer: { ...CUSTOMER, email: 'moved.away@example.net' } }),
  ];
};

const ENDS = ['completed', 'refunded', 'expired', 'fiatPending', 'refunding', 'completed', 'completed'];
const OFF_ENDS = ['PayoutSuccess', 'refunded', 'fiatDeemed', 'fiatFailed', 'pending', 'PayoutSuccess', 'completed'];
const CURRENCIES = ['INR', 'inr', 'EUR'];

/** How many orders there are beside those of a story: more than a page of the list has. */
export const BULK = 70;

/** Orders of both flows over four days, with amounts that doubles add up wrongly. */
const bulk = (now: number): readonly JsonObject[] =>
  Array.from({ length: BULK }, (_, i) => {
    const createdAt = new Date(now - (i % 4) * DAY - 3_600_000 - i * 1_000).toISOString();
    const facts = {
      orderId: `bulk-${String(i).padStart(3, '0')}`,
      fiat: i * 10 + 0.1 * ((i % 3) + 1),
      currency: CURRENCIES[i % 3] ?? '',
      customer: { ...CUSTOMER, id: `bulk-${i}` },
    };
    return i % 2 === 0
      ? onRamp({ ...facts, status: ENDS[i % 7] ?? '', createdAt, metaData: META })
      : offRamp({ ...facts, status: OFF_ENDS[i % 7] ?? '', created_at: createdAt, utr: `UTR-BULK-${i}` });
  });

const odd = (created: string): readonly JsonObject[] => [
  onRamp({ orderId: ODD_ID, status: 'fiatPending', createdAt: created }),
  onRamp({ orderId: 'currency-of-a-person', currency: 'odd.currency@example.com', createdAt: created }),
];

/** What is delivered before the pages are looked at; those of one order come one after the other. */
export const deliveredOrders = (now: number): readonly (readonly JsonObject[])[] => {
  const ago = (days: number): string => new Date(now - days * DAY).toISOString();
  return [
    ...bulk(now).map((payload) => [payload]),
    onRampStory(ago(1)),
    offRampStory(ago(1)),
    hanging(ago(3)),
    troubled(ago(2)),
    ...odd(ago(1)).map((payload) => [payload]),
  ];
};

/** Bodies that are authentic and hold no order event. */
export const UNREADABLE_BODIES: readonly string[] = [
  '{"eventType":"onramp","orderId":"broken-1","note":"<script>alert(1)</script>"',
  JSON.stringify({ eventType: 'offramp', orderId: 'broken-2', status: 7, customer: { email: FACTS.email } }),
];
