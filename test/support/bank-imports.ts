import { branded } from '../../src/domain/brand.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import type { Author } from '../../src/domain/own-event/own-metadata.ts';
import type { Imported } from '../../src/queries/statements/import-statement.ts';
import { importRequest } from '../../src/queries/statements/statement-request.ts';
import type { QueryDependencies } from '../../src/queries/query-dependencies.ts';
import { BOOKINGS, type Booking } from './bank-files/booking.ts';
import { mt940File } from './bank-files/mt940-file.ts';
import { right } from './right.ts';
import { NOW, routeDependencies, type RouteDoubles } from './route-dependencies.ts';

export const AUTHOR: Author = { by: 'finance', at: NOW, requestId: branded<RequestId>('request-0001') };

const NOTHING_SAID = { format: null, account: null, currency: null, profile: null, name: null };

/** Imports a file into a ledger of a test. */
export const imported = async (
  doubles: RouteDoubles,
  bytes: Uint8Array,
  over: Partial<QueryDependencies> = {},
): Promise<Imported> =>
  right(await importRequest({ ...routeDependencies({}, doubles), ...over }, NOTHING_SAID, bytes, AUTHOR)());

/** A statement of some of the bookings, the first of them repeated so many times more. */
export const statementOf = (bookings: readonly Booking[] = BOOKINGS, repeated = 0): Buffer => {
  const [first] = bookings;
  return Buffer.from(
    mt940File(first === undefined ? [] : [...Array.from({ length: repeated }, () => first), ...bookings]),
  );
};
