import * as t from 'io-ts';
import { command, query } from '../../sql/statement.ts';

const row = t.type({ day: t.string, orders: t.number });

/** How many orders settled on each day. */
export const settledDayStatements = {
  count: command(
    `INSERT INTO settled_days (day, orders) VALUES (:day, :orders)
       ON CONFLICT (day) DO UPDATE SET orders = settled_days.orders + excluded.orders`,
    { day: t.string, orders: t.number },
  ),
  between: query(
    'SELECT day, orders FROM settled_days WHERE day >= :first AND day <= :last AND orders > 0',
    { first: t.string, last: t.string },
    row,
  ),
  all: query('SELECT day, orders FROM settled_days', {}, row),
};
