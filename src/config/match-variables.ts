import * as apply from 'fp-ts/lib/Apply.js';
import * as E from 'fp-ts/lib/Either.js';
import type { MatchSettings } from '../domain/match-settings.ts';
import { isNegative, parseDecimal, type Decimal } from '../domain/decimal.ts';
import { configError, quoted, type ConfigError } from './config-error.ts';
import type { Environment } from './environment.ts';
import { integerOr, oneOf, optionalText } from './plain-variable.ts';

/** How orders, bank lines and transfers are brought together (docs/spec/match.md, Settings). */
export type MatchVariables = {
  readonly settings: MatchSettings;
  /** How many days a settled order is expected before it is missed. */
  readonly dueDays: number;
};

const VARIABLE = 'MATCH_TOLERANCES';
const CURE = 'give amounts by currency, such as INR=0.01,*=0';

const wrong = (problem: string): E.Either<ConfigError, never> => E.left(configError(VARIABLE, problem, CURE));

const readTolerances = (text: string): E.Either<ConfigError, MatchSettings['tolerances']> => {
  const tolerances = new Map<string, Decimal>();
  for (const entry of text.split(',')) {
    const [, name = '', amount = ''] = /^\s*(\*|[A-Za-z\d]{2,12})\s*=\s*(\d+(?:\.\d+)?)\s*$/.exec(entry) ?? [];
    const tolerance = name === '' ? null : parseDecimal(amount);
    if (tolerance === null || isNegative(tolerance)) return wrong(`${quoted(entry)} is no currency with an amount`);
    const currency = name.toUpperCase();
    if (tolerances.has(currency)) return wrong(`${quoted(currency)} is there twice`);
    tolerances.set(currency, tolerance);
  }
  return E.right(Object.fromEntries(tolerances));
};

const DAYS = { least: 0, most: 366 };

const all = apply.sequenceS(E.Apply);

export const matchVariables = (env: Environment): E.Either<ConfigError, MatchVariables> =>
  all({
    settings: all({
      tolerances: E.chain((text: string | null) => (text === null ? E.right({}) : readTolerances(text)))(
        optionalText(env, VARIABLE),
      ),
      dateToleranceDays: integerOr(env, 'MATCH_DATE_TOLERANCE_DAYS', { ...DAYS, fallback: 3 }),
      offRampFiat: oneOf(env, 'OFFRAMP_FIAT', ['net', 'gross'] as const, 'net'),
    }),
    dueDays: integerOr(env, 'MATCH_DUE_DAYS', { ...DAYS, fallback: 2 }),
  });
