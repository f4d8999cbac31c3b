import * as t from 'io-ts';
import { command, query } from '../../sql/statement.ts';

const row = t.type({ id: t.number, facet: t.string, orders: t.number, settled: t.number });
const number = t.type({ id: t.number });

/** Classes of orders, and how many orders are in each. */
export const facetStatements = {
  all: query('SELECT id, facet, orders, settled FROM facets', {}, row),
  byId: query('SELECT id, facet, orders, settled FROM facets WHERE id = :id', { id: t.number }, row),
  idOf: query('SELECT id FROM facets WHERE facet = :facet', { facet: t.string }, number),
  insert: query(
    'INSERT INTO facets (facet, orders, settled) VALUES (:facet, 0, 0) RETURNING id',
    { facet: t.string },
    number,
  ),
  count: command('UPDATE facets SET orders = orders + :orders, settled = settled + :settled WHERE id = :id', {
    id: t.number,
    orders: t.number,
    settled: t.number,
  }),
};
