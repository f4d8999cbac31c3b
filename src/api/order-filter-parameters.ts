import { apply, either as E } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import type { Basis } from '../../projections/report/index.ts';
import { normalised, parseDecimal, type Decimal } from '../domain/decimal.ts';
import { FLOWS } from '../domain/flow.ts';
import { PHASES } from '../domain/status.ts';
import type { Problem } from '../http/problem.ts';
import { ANOMALY_FILTERS, type OrderFilter } from '../read-models/order-filter.ts';
import { forbidden } from './authorise.ts';
import { isEmailAddress } from './email-addresses.ts';
import { anyText, businessDay, oneOf, optional, type Parameters, type Reader } from './parameters.ts';
import type { PersonalData } from './resources/order-resource.ts';

/** The parameters that choose orders (contract.md, `GET /v1/orders`); exports take the same. */
export const ORDER_FILTER_PARAMETERS = [
  'flow',
  'status',
  'currency',
  'token',
  'chainId',
  'phase',
  'from',
  'to',
  'basis',
  'q',
  'anomaly',
] as const;

/** What `from` and `to` mean: the day of creation where nothing is said. */
export const basisParameter = (parameters: Parameters): E.Either<Problem, Basis> =>
  E.map((basis: Basis | null) => basis ?? 'created')(
    optional(parameters, 'basis', oneOf<Basis>(['created', 'settled'])),
  );

const chainId: Reader<Decimal> = {
  expected: 'a whole number',
  read: (text) => {
    const decimal = parseDecimal(text);
    const chain = decimal === null ? null : normalised(decimal);
    return chain === null || chain.includes('.') ? null : chain;
  },
};

/**
 * A search by e-mail address is for those who may see them (contract.md, Asking). What merely might be one is searched
 * for among everything else.
 */
const search = (parameters: Parameters, personal: PersonalData): E.Either<Problem, OrderFilter['q']> =>
  pipe(
    optional(parameters, 'q', anyText),
    E.chain((text) => {
      if (text === null) return E.right(null);
      const emails = personal === 'shown';
      return !emails && isEmailAddress(text) ? E.left(forbidden('pii:read')) : E.right({ text, emails });
    }),
  );

/** Reads them: 403 `forbidden` for an e-mail address from a caller without `pii:read`, else 400 for what is ill-formed. */
export const orderFilter = (parameters: Parameters, personal: PersonalData): E.Either<Problem, OrderFilter> =>
  apply.sequenceS(E.Apply)({
    q: search(parameters, personal),
    flow: optional(parameters, 'flow', oneOf(FLOWS)),
    status: optional(parameters, 'status', anyText),
    currency: E.map((code: string | null) => code?.toUpperCase() ?? null)(optional(parameters, 'currency', anyText)),
    token: optional(parameters, 'token', anyText),
    chainId: optional(parameters, 'chainId', chainId),
    phase: optional(parameters, 'phase', oneOf(PHASES)),
    basis: basisParameter(parameters),
    from: optional(parameters, 'from', businessDay),
    to: optional(parameters, 'to', businessDay),
    anomaly: optional(parameters, 'anomaly', oneOf(ANOMALY_FILTERS)),
  });
