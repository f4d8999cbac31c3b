import type Database from 'better-sqlite3';
import { sql, type Compilable } from 'kysely';
import { sqlite } from './tables.ts';

/** Raised with every change of the tables: a generation of another schema is rebuilt, not altered. */
export const SCHEMA = 2;

const { schema } = sqlite;

const termTables = (name: 'order_terms' | 'audit_terms', blocks: 'order_term_blocks' | 'audit_term_blocks') => [
  schema
    .createTable(name)
    .addColumn('term', 'integer', (c) => c.notNull())
    .addColumn('rank', 'integer', (c) => c.notNull())
    .addColumn('ref', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint(`${name}_key`, ['term', 'rank', 'ref'])
    .modifyEnd(sql`strict, without rowid`),
  schema
    .createTable(blocks)
    .addColumn('no', 'integer', (c) => c.primaryKey())
    .addColumn('segment', 'integer', (c) => c.notNull())
    .addColumn('first_term', 'integer', (c) => c.notNull())
    .addColumn('first_rank', 'integer', (c) => c.notNull())
    .addColumn('entries', 'blob', (c) => c.notNull())
    .modifyEnd(sql`strict`),
];

const TABLES: readonly Compilable[] = [
  schema
    .createTable('generation')
    .addColumn('projections', 'text', (c) => c.notNull())
    .addColumn('time_zone', 'text', (c) => c.notNull())
    .addColumn('complete', 'integer', (c) => c.notNull())
    .modifyEnd(sql`strict`),
  schema
    .createTable('checkpoint')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('position', 'text', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('events', 'integer', (c) => c.notNull())
    .modifyEnd(sql`strict`),
  schema
    .createTable('facets')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('facet', 'text', (c) => c.notNull().unique())
    .addColumn('orders', 'integer', (c) => c.notNull())
    .addColumn('settled', 'integer', (c) => c.notNull())
    .modifyEnd(sql`strict`),
  schema
    .createTable('orders')
    .addColumn('no', 'integer', (c) => c.primaryKey())
    .addColumn('order_id', 'text', (c) => c.notNull())
    .addColumn('facet', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('created_day', 'text', (c) => c.notNull())
    .addColumn('settled_day', 'text')
    .addColumn('clock_after', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('other_utrs', 'text')
    .modifyEnd(sql`strict`),
  schema
    .createTable('settled_days')
    .addColumn('day', 'text', (c) => c.primaryKey())
    .addColumn('orders', 'integer', (c) => c.notNull())
    .modifyEnd(sql`strict, without rowid`),
  schema
    .createTable('cells')
    .addColumn('flow', 'text', (c) => c.notNull())
    .addColumn('basis', 'text', (c) => c.notNull())
    .addColumn('grain', 'text', (c) => c.notNull())
    .addColumn('period', 'text', (c) => c.notNull())
    .addColumn('facet', 'integer', (c) => c.notNull())
    .addColumn('orders', 'integer', (c) => c.notNull())
    .addColumn('fiat', 'text', (c) => c.notNull())
    .addColumn('settled', 'text')
    .addPrimaryKeyConstraint('cells_key', ['flow', 'basis', 'grain', 'period', 'facet'])
    .modifyEnd(sql`strict, without rowid`),
  schema
    .createTable('audit_chunks')
    .addColumn('first_position', 'integer', (c) => c.primaryKey())
    .addColumn('last_position', 'integer', (c) => c.notNull())
    .addColumn('received_from', 'integer', (c) => c.notNull())
    .addColumn('received_to', 'integer', (c) => c.notNull())
    .addColumn('types', 'text', (c) => c.notNull())
    .addColumn('marks', 'blob', (c) => c.notNull())
    .modifyEnd(sql`strict`),
  schema
    .createTable('quarantine')
    .addColumn('position', 'integer', (c) => c.primaryKey())
    .addColumn('event_id', 'text', (c) => c.notNull().unique())
    .addColumn('stream', 'text', (c) => c.notNull().unique())
    .addColumn('order_id', 'text')
    .addColumn('utr', 'text')
    .addColumn('quarantined', 'text', (c) => c.notNull())
    .addColumn('released_as', 'text')
    .modifyEnd(sql`strict`),
  ...termTables('order_terms', 'order_term_blocks'),
  ...termTables('audit_terms', 'audit_term_blocks'),
];

/** Made after a bulk load, when sorting once is cheaper than keeping them in order all the time. */
const INDEXES: readonly Compilable[] = [
  schema.createIndex('orders_by_id').unique().on('orders').column('order_id'),
  schema.createIndex('orders_by_creation').on('orders').columns(['created_at', 'order_id']),
  schema.createIndex('orders_by_facet').on('orders').columns(['facet', 'created_at', 'order_id']),
  schema
    .createIndex('orders_by_settlement')
    .on('orders')
    .columns(['settled_day', 'created_at', 'order_id', 'facet'])
    .where(sql.ref('settled_day'), 'is not', null),
  schema
    .createIndex('orders_by_clock')
    .on('orders')
    .columns(['facet', 'clock_after'])
    .where(sql.ref('clock_after'), 'is not', null),
  schema.createIndex('quarantine_by_release').on('quarantine').column('released_as'),
  schema.createIndex('quarantine_by_order').on('quarantine').columns(['order_id', 'position']),
  schema.createIndex('quarantine_by_utr').on('quarantine').columns(['utr', 'position']),
  schema
    .createIndex('order_term_blocks_by_term')
    .on('order_term_blocks')
    .columns(['segment', 'first_term', 'first_rank']),
  schema
    .createIndex('audit_term_blocks_by_term')
    .on('audit_term_blocks')
    .columns(['segment', 'first_term', 'first_rank']),
];

const run = (database: Database.Database, statements: readonly Compilable[]): void => {
  for (const statement of statements) database.exec(statement.compile().sql);
};

/** Makes the tables of an empty generation. */
export const createTables = (database: Database.Database): void => {
  run(database, TABLES);
};

/** Makes its indexes: one for every query that is offered. */
export const createIndexes = (database: Database.Database): void => {
  run(database, INDEXES);
};
