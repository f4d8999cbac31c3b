import * as t from 'io-ts';
import { query } from '../../sql/statement.ts';

const last = { last: t.number };
const rows = t.type({ rows: t.number });
const key = t.type({ key: t.string });

/** Rows that are behind all that is included stand for no event either. */
const UP_TO = 'position <= :last OR position > (SELECT CAST(position AS INTEGER) FROM checkpoint)';

/** How many rows there are of which each stands for a stream of its own, up to a position where rows have one; and of which streams. */
export const strayStatements = {
  quarantine: {
    count: query(`SELECT count(*) AS rows FROM quarantine WHERE ${UP_TO}`, last, rows),
    keys: query('SELECT stream AS key FROM quarantine', {}, key),
  },
  closings: {
    count: query('SELECT count(*) AS rows FROM quarantine_closings WHERE :last IS NOT NULL', last, rows),
    keys: query('SELECT stream AS key FROM quarantine_closings', {}, key),
  },
  statements: {
    count: query(`SELECT count(*) AS rows FROM statements WHERE ${UP_TO}`, last, rows),
    keys: query('SELECT statement_id AS key FROM statements', {}, key),
  },
  decisions: {
    count: query('SELECT count(*) AS rows FROM match_decisions WHERE :last IS NOT NULL', last, rows),
    keys: query('SELECT item_id AS key FROM match_decisions', {}, key),
  },
};
