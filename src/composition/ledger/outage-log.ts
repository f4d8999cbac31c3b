import type { ApiLog } from '../../http/api-log.ts';

/** The log of the interface, where what only follows from an outage has no place of its own. */
export type OutageLog = ApiLog & { readonly debug: ApiLog['error'] };

const isForTheStore = (fields: object): boolean => 'code' in fields && fields.code === 'store-unavailable';

/**
 * While the store is away, which is one line of its own, each question that needs it fails: a line about each for an operator
 * who asks for such detail, and no error. The line of the request says 503.
 *
 * @param storeAway why the store is away; null: it is there
 */
export const outageLog = (log: OutageLog, storeAway: () => string | null): ApiLog => ({
  warn: (fields, message) => log.warn(fields, message),
  error: (fields, message) => {
    if (storeAway() !== null && isForTheStore(fields)) log.debug(fields, message);
    else log.error(fields, message);
  },
});
