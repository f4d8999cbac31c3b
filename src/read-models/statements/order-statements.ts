import * as t from 'io-ts';
import { command, nullable, query } from '../../sql/statement.ts';

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
const VALUES = ':order_id, :facet, :created_at, :created_day, :settled_day, :clock_after, :state, :other_utrs';

const no = t.type({ no: t.number });

const whole = t.type({ no: t.number, ...columns });

/** One order of a list, as far as the list needs it. */
const listed = t.type({ no: t.number, created_at: t.string, order_id: t.string, facet: t.number });

/** The place behind which a list goes on, down to a moment; both bounds are on the index that gives the order. */
const behind = { from: t.string, created_at: t.string, order_id: t.string, most: t.number };
const days = { first_day: t.string, last_day: t.string };

const LISTED = 'SELECT no, created_at, order_id, facet FROM orders WHERE';
const BEHIND = 'created_at >= :from AND (created_at, order_id) < (:created_at, :order_id)';
const CREATED = 'created_day >= :first_day AND created_day <= :last_day';
const NEWEST_FIRST = 'ORDER BY created_at DESC, order_id DESC LIMIT :most';

/** One row for each order. */
export const orderStatements = {
  byNo: query(`SELECT no, ${COLUMNS} FROM orders WHERE no = :no`, { no: t.number }, whole),
  /** Those behind a number. */
  behind: query(
    `SELECT no, ${COLUMNS} FROM orders WHERE no > :no ORDER BY no LIMIT :most`,
    { no: t.number, most: t.number },
    whole,
  ),
  insert: query(`INSERT INTO orders (${COLUMNS}) VALUES (${VALUES}) RETURNING no`, columns, no),
  insertAt: command(`INSERT INTO orders (no, ${COLUMNS}) VALUES (:no, ${VALUES})`, { no: t.number, ...columns }),
  update: command(
    `UPDATE orders SET order_id = :order_id, facet = :facet, created_at = :created_at, created_day = :created_day,
       settled_day = :settled_day, clock_after = :clock_after, state = :state, other_utrs = :other_utrs
       WHERE no = :no`,
    { no: t.number, ...columns },
  ),
  created: query(`${LISTED} ${BEHIND} AND ${CREATED} ${NEWEST_FIRST}`, { ...behind, ...days }, listed),
  ofFacet: query(
    `${LISTED} facet = :facet AND ${BEHIND} AND ${CREATED} ${NEWEST_FIRST}`,
    { facet: t.number, ...behind, ...days },
    listed,
  ),
  /** Those of a facet whose clock anomaly has begun. */
  dueOfFacet: query(
    `${LISTED} facet = :facet AND ${BEHIND} AND ${CREATED} AND clock_after < :due_before ${NEWEST_FIRST}`,
    { facet: t.number, ...behind, ...days, due_before: t.string },
    listed,
  ),
  settledOn: query(
    `${LISTED} settled_day = :settled_day AND ${BEHIND} ${NEWEST_FIRST}`,
    { settled_day: t.string, ...behind },
    listed,
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
  allStates: query('SELECT order_id, state FROM orders', {}, t.type({ order_id: t.string, state: t.string })),
};

/** All that is kept of one order. */
export type WholeOrderRow = t.TypeOf<typeof whole>;
/** @see orderStatements */
export type ListedOrderRow = t.TypeOf<typeof listed>;
