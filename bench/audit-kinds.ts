import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { OrderSample } from './order-sample.ts';
import type { QueryClient } from './query-client.ts';
import type { QueryDates } from './query-dates.ts';
import { GOALS, PAGE_SIZE, withQuery, type Parameters, type QueryKind } from './query-kind.ts';

const Entries = t.type({
  data: t.array(t.type({ eventId: t.string, bodySha256: t.string, requestId: t.string })),
});
type Entry = t.TypeOf<typeof Entries>['data'][number];

/** Enough that no search is asked twice within seconds. */
const SEARCHED = 100;

/** What the ledger says of events of some orders. */
const entriesOf = async (client: QueryClient, samples: readonly OrderSample[]): Promise<readonly Entry[]> => {
  const entries: Entry[] = [];
  for (const { orderId } of samples.slice(0, SEARCHED)) {
    const { text } = await client.get(`/v1/orders/${orderId}/audit`, false);
    const decoded = Entries.decode(JSON.parse(text));
    if (E.isLeft(decoded)) throw new Error(`the audit of ${orderId} could not be read`);
    entries.push(...decoded.right.data.slice(-1));
  }
  return entries;
};

/** Pages of `GET /v1/audit`. */
export const auditKinds = async (
  client: QueryClient,
  samples: readonly OrderSample[],
  { month, year }: QueryDates,
): Promise<readonly QueryKind[]> => {
  const entries = await entriesOf(client, samples);
  const utrs = samples.map(({ utr }) => utr).filter((utr) => utr !== '');
  const entryAt = (n: number): Entry | undefined => entries[n % entries.length];
  const kinds: Readonly<Record<string, (n: number) => Parameters>> = {
    all: () => ({}),
    'frequent type': () => ({ type: 'OnRampCompleted' }),
    'rare type': () => ({ type: 'OnRampUnlistedStatus' }),
    'type that there is none of': () => ({ type: 'QuarantineReleased' }),
    month,
    year,
    'frequent type, month': (n) => ({ type: 'OffRampPayoutSuccess', ...month(n) }),
    'rare type, month': (n) => ({ type: 'OffRampUnlistedStatus', ...month(n) }),
    'q=order id': (n) => ({ q: samples[n % samples.length]?.orderId ?? '' }),
    'q=utr': (n) => ({ q: utrs[n % utrs.length] ?? '' }),
    'q=event id': (n) => ({ q: entryAt(n)?.eventId ?? '' }),
    'q=body digest': (n) => ({ q: entryAt(n)?.bodySha256 ?? '' }),
    'q=request id': (n) => ({ q: entryAt(n)?.requestId ?? '' }),
  };
  return Object.entries(kinds).map(([name, of]) => ({
    name: `audit: ${name}`,
    goalMs: GOALS.list,
    personal: false,
    path: (n) => withQuery('/v1/audit', { ...of(n), limit: String(PAGE_SIZE) }),
  }));
};
