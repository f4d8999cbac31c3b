import { lowerAscii, upperAscii } from '../../domain/letter-case.ts';
import type { Basis } from '../../../projections/report/index.ts';
import { normalised, parseDecimal, type Decimal } from '../../domain/decimal.ts';
import { FLOWS } from '../../domain/flow.ts';
import { phoneNumber } from '../../domain/phone-number.ts';
import { PHASES } from '../../domain/status.ts';
import { ANOMALY_FILTERS, type OrderFilter } from '../../read-models/order-filter.ts';
import type { OrderSearch } from '../../read-models/order-search.ts';
import { isEmailAddress } from '../masking/email-addresses.ts';
import { maskedFact } from '../masking/masking.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import {
  anyText,
  businessDay,
  lastBusinessDay,
  oneOf,
  parameter,
  type Query,
  type Reader,
} from '../parameters/parameters.ts';
import { publicText } from '../parameters/public-text.ts';

const chainId: Reader<Decimal> = {
  expected: 'a whole number',
  schema: { type: 'string', pattern: String.raw`^-?\d+(\.0+)?$` },
  read: (text) => {
    const decimal = parseDecimal(text);
    const chain = decimal === null ? null : normalised(decimal);
    return chain === null || chain.includes('.') ? null : chain;
  },
};

/** What `from` and `to` are about, wherever they are business days. */
const PERIOD_PARAMETERS = {
  from: parameter('The first business day, inclusive.', businessDay),
  to: parameter('The last business day, inclusive.', businessDay),
  basis: parameter<Basis>('Whether the days are of creation (`created`, the usual) or of settlement.', {
    ...oneOf<Basis>(['created', 'settled']),
    schema: { type: 'string', enum: ['created', 'settled'], default: 'created' },
  }),
} as const;

/** The same of a report, in which a stretch that ends before it begins is a mistake; a list of it is merely empty. */
export const REPORT_PERIOD_PARAMETERS = {
  ...PERIOD_PARAMETERS,
  to: parameter('The last business day, inclusive.', lastBusinessDay),
} as const;

/** What `from` and `to` mean: the day of creation where nothing is said. */
export const basisOf = (basis: Basis | null): Basis => basis ?? 'created';

/** A phone number as nothing else is written. */
const isPlainlyPhone = (text: string): boolean => phoneNumber(text)?.isInternational ?? false;

/** The parameters that choose orders (docs/spec/http.md, Orders); exports take the same. */
export const ORDER_FILTER_PARAMETERS = {
  flow: parameter('Orders of this flow.', oneOf(FLOWS)),
  status: parameter('Orders that show this status, in any letter case.', publicText),
  currency: parameter('The fiat currency, in any letter case.', publicText),
  token: parameter("The token's symbol or its address, in any letter case.", publicText),
  chainId: parameter('The chain.', chainId),
  phase: parameter('Where an order stands with its money.', oneOf(PHASES)),
  ...PERIOD_PARAMETERS,
  q: parameter(
    'Order id, utr, txnHash, transactionId, wallet, customer id, e-mail, phone number or a text of metaData, whole; e-mail, wallet and hash in any letter case. An e-mail address and a phone number need the scope `pii:read` too.',
    {
      ...anyText,
      // What merely might be personal is searched for among everything else.
      needs: (text) => (isEmailAddress(text) || isPlainlyPhone(text) ? 'pii:read' : null),
    },
  ),
  anomaly: parameter(
    'Orders with this anomaly, with `any`, with a `lasting` one (those that reports count), or with a `clock` one (those that come with time).',
    oneOf(ANOMALY_FILTERS),
  ),
} as const;

/** What searches orders for a text, and finds nothing by what its asker may not see. */
export const orderSearch = (text: string, personal: PersonalData): OrderSearch => ({
  text,
  personal: personal === 'shown',
  holdsMasked: maskedFact('metaData.text', text) !== text,
});

/** What searches them for whoever may not read orders, and finds nothing by what the match does not show them. */
export const matchSearch = (text: string): OrderSearch => ({ ...orderSearch(text, 'guarded'), inMatch: true });

/** The filter that they make; who may see personal data searches by it too. */
export const orderFilter = (query: Query<typeof ORDER_FILTER_PARAMETERS>, personal: PersonalData): OrderFilter => {
  const { flow, status, currency, token, chainId: chain, phase, basis, from, to, anomaly, q } = query;
  return {
    q: q === null ? null : orderSearch(q, personal),
    flow,
    status: status === null ? null : lowerAscii(status),
    currency: currency === null ? null : upperAscii(currency),
    token: token === null ? null : lowerAscii(token),
    chainId: chain,
    phase,
    basis: basisOf(basis),
    from,
    to,
    anomaly,
  };
};
