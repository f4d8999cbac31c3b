import { RARE_STATUS } from './ledger-filler.ts';
import type { OrderSample } from './order-sample.ts';
import type { QueryDates } from './query-dates.ts';
import { GOALS, listPath, type Parameters, type QueryKind } from './query-kind.ts';

/** One filter of `GET /v1/orders`, and what goes with it: alone, with dates and with a status. */
type Filter = {
  readonly name: string;
  readonly of: (n: number) => Parameters;
  readonly status: (n: number) => string;
  /** Where any month would not do. */
  readonly dates?: (n: number) => Parameters;
  /** Whether it is for those who see personal data. */
  readonly personal?: boolean;
};

/** What a list is narrowed to. */
type Narrowed = { readonly name: string; readonly of: (n: number) => Parameters; readonly personal?: boolean };

const CURRENCIES = ['INR', 'EUR', 'AED'];
const SYMBOLS = ['MATIC', 'USDT', 'USDC'];
const ADDRESSES = [
  '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
  '0xdac17f958d2ee523a2206206994597c13d831ec7',
  '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
];
const CHAINS = ['137', '1', '8453'];

const turns =
  (values: readonly string[]) =>
  (n: number): string =>
    values[n % values.length] ?? '';

const always = (value: string) => (): string => value;

const plainFilters: readonly Filter[] = [
  { name: 'flow', of: () => ({ flow: 'offramp' }), status: always('PayoutSuccess') },
  { name: 'currency', of: (n) => ({ currency: turns(CURRENCIES)(n) }), status: always('completed') },
  { name: 'token symbol', of: (n) => ({ token: turns(SYMBOLS)(n) }), status: always('completed') },
  { name: 'token address', of: (n) => ({ token: turns(ADDRESSES)(n) }), status: always('refunded') },
  { name: 'chainId', of: (n) => ({ chainId: turns(CHAINS)(n) }), status: always('PayoutSuccess') },
  { name: 'phase=settled', of: () => ({ phase: 'settled' }), status: always('completed') },
  { name: 'phase=refunding', of: () => ({ phase: 'refunding' }), status: always('refunding') },
  { name: 'anomaly=overdue', of: () => ({ anomaly: 'overdue' }), status: always('fiatPending') },
  { name: 'anomaly=lasting', of: () => ({ anomaly: 'lasting' }), status: always('completed') },
  { name: 'anomaly=any', of: () => ({ anomaly: 'any' }), status: always('fiatDeemed') },
];

type Searched = 'utr' | 'txnHash' | 'email' | 'wallet';

const searchFor = (
  fact: Searched,
  samples: readonly OrderSample[],
  dates: QueryDates,
  personal = false,
): readonly Filter[] => {
  const found = samples.filter((sample) => sample[fact] !== '');
  const [first] = found;
  if (first === undefined) return [];
  const at = (n: number): OrderSample => found[n % found.length] ?? first;
  return [
    {
      name: `q=${fact}`,
      of: (n) => ({ q: at(n)[fact] }),
      status: (n) => at(n).status,
      dates: (n) => dates.monthAround(at(n).createdAt),
      personal,
    },
  ];
};

const threeWays = ({ name, of, status, dates, personal = false }: Filter, all: QueryDates): readonly Narrowed[] => [
  { name, of, personal },
  { name: `${name}, month`, of: (n) => ({ ...of(n), ...(dates ?? all.month)(n) }), personal },
  { name: `${name}, status`, of: (n) => ({ ...of(n), status: status(n) }), personal },
];

const STATUSES = { frequent: 'completed', scarce: 'refunding', rare: RARE_STATUS };

const byStatus = ({ month, year }: QueryDates): readonly Narrowed[] =>
  Object.entries(STATUSES).flatMap(([name, status]) => [
    { name: `${name} status`, of: () => ({ status }) },
    { name: `${name} status, month`, of: (n: number) => ({ status, ...month(n) }) },
    { name: `${name} status, year settled`, of: (n: number) => ({ status, ...year(n), basis: 'settled' }) },
  ]);

const byDates = ({ month, year }: QueryDates): readonly Narrowed[] => [
  { name: 'month created', of: month },
  { name: 'year created', of: year },
  { name: 'month settled', of: (n) => ({ ...month(n), basis: 'settled' }) },
  { name: 'year settled', of: (n) => ({ ...year(n), basis: 'settled' }) },
];

/** Pages of `GET /v1/orders` with each filter alone, with dates and with a status. */
export const listKinds = (samples: readonly OrderSample[], dates: QueryDates): readonly QueryKind[] => {
  const filters = [
    ...plainFilters,
    ...searchFor('utr', samples, dates),
    ...searchFor('txnHash', samples, dates),
    ...searchFor('wallet', samples, dates),
    ...searchFor('email', samples, dates, true),
  ];
  const narrowed: readonly Narrowed[] = [
    { name: 'all', of: () => ({}) },
    ...byStatus(dates),
    ...byDates(dates),
    ...filters.flatMap((filter) => threeWays(filter, dates)),
  ];
  return narrowed.map(({ name, of, personal = false }) => ({
    name: `list: ${name}`,
    goalMs: GOALS.list,
    personal,
    path: (n) => listPath(of(n)),
  }));
};
