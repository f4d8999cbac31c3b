import * as t from 'io-ts';
import { parseNatively } from '../../domain/parse-json.ts';
import { command, insertion, nullable, query } from '../../sql/statement.ts';
import type { ListedRow } from '../newest-first.ts';

const columns = {
  order_id: t.string,
  facet: t.number,
  created_at: t.string,
  created_day: t.string,
  settled_day: nullable(t.string),
  clock_after: nullable(t.string),
  state: t.string,
  other_utrs: nullable(t.string),
};

const COLUMNS = 'order_id, facet, created_at, created_day, settled_day, clock_after, state, other_utrs';

/** Of which a state is made. */
export const stateColumns = {
  order_id: t.string,
  created_at: t.string,
  clock_after: nullable(t.string),
  state: t.string,
};

const whole = t.type({ no: t.number, ...columns });

const listing = { no: t.number, created_at: t.string, order_id: t.string };

/** One order of a list, as far as the list needs it. */
const listed = t.type({ ...listing, facet: t.number });

/** The place behind which a list goes on, down to a moment; both bounds are on the index that gives the order. */
const place = { from: t.string, created_at: t.string, order_id: t.string };
const behind = { ...place, most: t.number };
const days = { first_day: t.string, last_day: t.string };

const LISTED = 'SELECT no, created_at, order_id, facet FROM orders WHERE';
const BEHIND = 'created_at >= :from AND (created_at, order_id) < (:created_at, :order_id)';
const NEWEST_FIRST = 'ORDER BY created_at DESC, order_id DESC LIMIT :most';

/** A day, and the first of its orders as JSON: one look into the index for each day, and none at the order itself. */
const newestOfDays = (among: string): string =>
  `SELECT day, (SELECT json_array(no, created_at, order_id) FROM orders WHERE settled_day = day AND ${BEHIND} ${among}
     ORDER BY created_at DESC, order_id DESC LIMIT 1) AS row
     FROM settled_days WHERE day >= :first_day AND day <= :last_day AND orders > 0`;
const ofDay = t.type({ day: t.string, row: nullable(t.string) });

const InJson = t.tuple([t.number, t.string, t.string]);

const listedRow = (read: unknown): ListedRow | null => {
  if (!InJson.is(read)) return null;
  const [no, createdAt, orderId] = read;
  return { no, createdAt, orderId };
};

/** The order of such a row; null for what was never written. */
export const readListed = (row: string): ListedRow | null => listedRow(parseNatively(row));

/** The orders of a JSON array of such rows; null where one was never written. */
export const readAllListed = (rows: string): readonly ListedRow[] | null => {
  const read = parseNatively(rows);
  if (!t.UnknownArray.is(read)) return null;
  const listedRows = read.map(listedRow).filter((row) => row !== null);
  return listedRows.length === read.length ? listedRows : null;
};

/** The values of an order's row; a number that is null is the next one. */
export type OrderValues = readonly [
  no: number | null,
  orderId: string,
  facet: number,
  createdAt: string,
  createdDay: string,
  settledDay: string | null,
  clockAfter: string | null,
  state: string,
  otherUtrs: string | null,
];

/** Rows of orders. */
export const orderRows = insertion<OrderValues>('orders', [
  'no',
  'order_id',
  'facet',
  'created_at',
  'created_day',
  'settled_day',
  'clock_after',
  'state',
  'other_utrs',
]);

/** One row for each order. */
export const orderStatements = {
  byNo: query(`SELECT no, ${COLUMNS} FROM orders WHERE no = :no`, { no: t.number }, whole),
  /** Of orders whose numbers are an array as JSON. One statement for a page takes half of what one for each order does. */
  statesOf: query(
    // Outermost, so that they come in the order of the numbers, and none is read before it is asked for.
    'SELECT no, order_id, created_at, clock_after, state FROM json_each(:numbers) CROSS JOIN orders ON no = json_each.value',
    { numbers: t.string },
    t.type({ no: t.number, ...stateColumns }),
  ),
  /** The highest number; null where there are none. */
  lastNo: query('SELECT max(no) AS no FROM orders', {}, t.type({ no: t.union([t.number, t.null]) })),
  /** Those behind a number. */
  behind: query(
    `SELECT no, ${COLUMNS} FROM orders WHERE no > :no ORDER BY no LIMIT :most`,
    { no: t.number, most: t.number },
    whole,
  ),
  update: command(
    `UPDATE orders SET order_id = :order_id, facet = :facet, created_at = :created_at, created_day = :created_day,
       settled_day = :settled_day, clock_after = :clock_after, state = :state, other_utrs = :other_utrs
       WHERE no = :no`,
    { no: t.number, ...columns },
  ),
  created: query(`${LISTED} ${BEHIND} ${NEWEST_FIRST}`, behind, listed),
  /** The same without their facets, which stand in no index of creation: no order itself is looked at. */
  createdOfAll: query(
    `SELECT no, created_at, order_id FROM orders WHERE ${BEHIND} ${NEWEST_FIRST}`,
    behind,
    t.type(listing),
  ),
  /**
   * The first rows of each of some facets, an array as JSON; the rows are JSON too, in any order. A statement for each
   * facet takes three times as long.
   */
  ofFacets: query(
    `SELECT value AS facet, (SELECT json_group_array(json_array(no, created_at, order_id)) FROM
         (SELECT no, created_at, order_id FROM orders WHERE facet = value AND ${BEHIND} ${NEWEST_FIRST})) AS rows
       FROM json_each(:facets)`,
    { facets: t.string, ...behind },
    t.type({ facet: t.number, rows: t.string }),
  ),
  ofFacet: query(`${LISTED} facet = :facet AND ${BEHIND} ${NEWEST_FIRST}`, { facet: t.number, ...behind }, listed),
  /** Those of a facet whose clock anomaly has begun. */
  dueOfFacet: query(
    `${LISTED} facet = :facet AND ${BEHIND} AND clock_after < :due_before ${NEWEST_FIRST}`,
    { facet: t.number, ...behind, due_before: t.string },
    listed,
  ),
  settledOn: query(
    `${LISTED} settled_day = :settled_day AND ${BEHIND} ${NEWEST_FIRST}`,
    { settled_day: t.string, ...behind },
    listed,
  ),
  /** The row that each day on which orders settled begins with behind a place; null: the day has none there. */
  newestSettled: query(newestOfDays(''), { ...days, ...place }, ofDay),
  /** The same among some facets, an array as JSON. */
  newestSettledAmong: query(
    newestOfDays('AND facet IN (SELECT value FROM json_each(:facets))'),
    { ...days, ...place, facets: t.string },
    ofDay,
  ),
  settledOfFacet: query(
    `${LISTED} facet = :facet AND ${BEHIND} AND settled_day >= :first_day AND settled_day <= :last_day ${NEWEST_FIRST}`,
    { facet: t.number, ...behind, ...days },
    listed,
  ),
  /** How many of a facet the clock makes anomalous later than a moment. */
  countNotYetDue: query(
    'SELECT count(*) AS orders FROM orders WHERE facet = :facet AND clock_after >= :at',
    { facet: t.number, at: t.string },
    t.type({ orders: t.number }),
  ),
  /** How many rows the table itself holds, whatever its indexes say: none of them has the states. */
  allRows: query('SELECT count(state) AS orders FROM orders', {}, t.type({ orders: t.number })),
  allStates: query('SELECT order_id, created_at, clock_after, state FROM orders', {}, t.type(stateColumns)),
};

/** All that is kept of one order. */
export type WholeOrderRow = t.TypeOf<typeof whole>;
/** @see orderStatements */
export type ListedOrderRow = t.TypeOf<typeof listed>;
