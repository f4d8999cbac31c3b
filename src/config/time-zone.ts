import * as E from 'fp-ts/lib/Either.js';
import { configError, quoted, type ConfigError } from './config-error.ts';
import type { Environment } from './environment.ts';
import { textOr } from './plain-variable.ts';

const VARIABLE = 'BUSINESS_TIME_ZONE';
const UTC = 'UTC';

/** Intl takes offsets such as `+05:30` too, which are no zones: they know no summer time. */
const isTimeZone = (text: string): boolean => {
  // Intl is not asked for the usual one: its first answer takes 15 ms of each start.
  if (text === UTC) return true;
  try {
    return !/^[+-]/.test(text) && new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** The zone of the business days, UTC where none is named. */
export const timeZone = (env: Environment): E.Either<ConfigError, string> =>
  E.chain((text: string) =>
    isTimeZone(text)
      ? E.right(text)
      : E.left(configError(VARIABLE, `${quoted(text)} is not valid`, 'give an IANA zone, such as Asia/Kolkata')),
  )(textOr(env, VARIABLE, UTC));
