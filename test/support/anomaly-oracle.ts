import { at, canonical, numberAt, NumberSource, scaled, textAt } from './naive-json.ts';

/** An order event as the naive reading has it; an absent utr is empty. */
export type Event = {
  readonly eventId: string;
  readonly receivedAt: string;
  readonly payload: unknown;
  readonly status: string;
  readonly utr: string;
};

/** docs/spec/domain.md, Order state: the lists, lowest first. */
export const PRECEDENCE: Readonly<Record<string, readonly string[]>> = {
  onramp: 'fiatPending expired orderReceived InProgress fiatReceived transferred completed refunding refunded'.split(
    ' ',
  ),
  offramp:
    'pending orderReceived InProgress CryptoReceived completed fiatDeemed fiatFailed PayoutSuccess refunded'.split(' '),
};

const isTime = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** Whether a field that the interface's table has is there and of another type. */
const isUnreadable = (value: unknown, isRight: boolean): boolean => value !== undefined && value !== null && !isRight;

const anyUnreadable = (flow: string, { payload, status }: Event): boolean => {
  const wrong = (path: readonly string[], right: (value: unknown) => boolean): boolean => {
    const value = at(payload, ...path);
    return isUnreadable(value, right(value));
  };
  const text = (value: unknown): boolean => typeof value === 'string';
  const object = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberSource);
  const decimal = (value: unknown): boolean => value === '' || (typeof value === 'string' && scaled(value) !== null);
  const digits = (value: unknown): boolean => typeof value === 'string' && /^\d*$/.test(value);
  const number = (value: unknown): boolean => value instanceof NumberSource;
  const ofBoth =
    wrong(['metaData'], object) ||
    wrong(['customer', 'email'], text) ||
    wrong(['customer', 'name'], text) ||
    wrong(['customer', 'created_at'], text) ||
    wrong(['customer', 'phone'], object) ||
    wrong(['customer', 'phone', 'countrycode'], text) ||
    wrong(['customer', 'phone', 'number'], text);
  if (flow === 'offramp') {
    return (
      ofBoth ||
      wrong(['updated_at'], (value) => value === '' || isTime(value)) ||
      wrong(['transactionId'], text) ||
      wrong(['tenantId'], text) ||
      wrong(['tokensDeducted'], number) ||
      wrong(['tds'], number)
    );
  }
  return (
    ofBoth ||
    wrong(['txnHash'], text) ||
    wrong(['transferredAmount'], decimal) ||
    wrong(['transferredAmountWei'], digits) ||
    (status === 'completed' &&
      (wrong(['metaData', 'conversionRate'], decimal) || wrong(['metaData', 'commission'], decimal)))
  );
};

/** The facts that should not change, as texts that are equal where the values are; an empty text differs from nothing. */
const factsOf = (flow: string, { payload }: Event): ReadonlyMap<string, string> => {
  const [token, wallet, created] =
    flow === 'onramp'
      ? (['buyToken', 'receiverWalletAddress', 'createdAt'] as const)
      : (['sellToken', 'senderWalletAddress', 'created_at'] as const);
  const facts = new Map<string, string>([
    ['fiat', String(numberAt(payload, 'fiat'))],
    ['currency', textAt(payload, 'currency').toUpperCase()],
    ['symbol', textAt(payload, `${token}Symbol`)],
    ['address', textAt(payload, `${token}Address`).toLowerCase()],
    ['chain', String(numberAt(payload, 'chainId'))],
    ['wallet', textAt(payload, wallet).toLowerCase()],
    ['created', String(Date.parse(textAt(payload, created)))],
    ['customer.id', textAt(payload, 'customer', 'id')],
    ['customer.email', textAt(payload, 'customer', 'email')],
    ['customer.name', textAt(payload, 'customer', 'name')],
  ]);
  const phone = at(payload, 'customer', 'phone');
  if (typeof phone === 'object' && phone !== null) {
    for (const [key, value] of Object.entries(phone)) {
      facts.set(`customer.phone.${key}`, typeof value === 'string' ? value : canonical(value));
    }
  }
  return facts;
};

const anyFactChanged = (flow: string, events: readonly Event[]): boolean => {
  const first = new Map<string, string>();
  for (const event of events) {
    for (const [name, value] of factsOf(flow, event)) {
      if (value === '') continue;
      if ((first.get(name) ?? value) !== value) return true;
      first.set(name, value);
    }
  }
  return false;
};

export type Attempt = { readonly utr: string; readonly statuses: ReadonlySet<string> };

/** docs/spec/domain.md, Payouts: attempts keyed by utr. */
export const attemptsOf = (events: readonly Event[]): readonly Attempt[] => {
  const payouts = events.filter(({ status }) => ['fiatDeemed', 'fiatFailed', 'PayoutSuccess'].includes(status));
  if (payouts.length === 0) return [];
  const utrs = [...new Set(payouts.map(({ utr }) => utr).filter((utr) => utr !== ''))];
  if (utrs.length <= 1) return [{ utr: utrs[0] ?? '', statuses: new Set(payouts.map(({ status }) => status)) }];
  const bare = new Set(payouts.filter(({ utr }) => utr === '').map(({ status }) => status));
  const owned = new Map(
    utrs.map((utr) => [utr, new Set(payouts.filter((it) => it.utr === utr).map(({ status }) => status))]),
  );
  const attempts: Attempt[] = utrs.map((utr) => {
    const own = owned.get(utr) ?? new Set<string>();
    return { utr, statuses: bare.has('fiatDeemed') ? own.union(new Set(['fiatDeemed'])) : own };
  });
  const strays = [...bare].filter(
    (status) => status !== 'fiatDeemed' && ![...owned.values()].some((own) => own.has(status)),
  );
  return strays.length === 0 ? attempts : [...attempts, { utr: '', statuses: new Set(strays) }];
};

/** docs/spec/domain.md, Anomalies: whether one holds that does not depend on the clock. */
export const isAnomalous = (flow: string, events: readonly Event[], attempts: readonly Attempt[]): boolean => {
  const listed = PRECEDENCE[flow] ?? [];
  const statuses = new Set(events.map(({ status }) => status));
  const settling = flow === 'onramp' ? 'completed' : 'PayoutSuccess';
  const refunded = statuses.has('refunded') || (flow === 'onramp' && statuses.has('refunding'));
  const progressed = listed.slice(2, 7).some((status) => statuses.has(status));
  return (
    (refunded && statuses.has(settling)) ||
    (flow === 'onramp' && statuses.has('expired') && progressed) ||
    attempts.filter((it) => it.statuses.has('PayoutSuccess')).length > 1 ||
    attempts.some((it) => it.statuses.has('PayoutSuccess') && it.statuses.has('fiatFailed')) ||
    [...statuses].some((status) => !listed.includes(status)) ||
    (flow === 'offramp' && statuses.has('completed') && !statuses.has('PayoutSuccess')) ||
    anyFactChanged(flow, events) ||
    events.some((event) => anyUnreadable(flow, event))
  );
};
