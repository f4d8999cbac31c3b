import type Database from 'better-sqlite3';
import type { Calendar } from '../../../domain/business-day.ts';
import type { MatchSettings } from '../../../domain/match-settings.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { BankTables } from '../match/bank-tables.ts';
import { ItemRows } from '../match/item-rows.ts';
import { MatchEvidence } from '../match/match-evidence.ts';
import { TermIndex } from '../terms/term-index.ts';
import { MatchDifferences } from './match-differences.ts';

/** The match of one generation in one state of the database, what reads it, and where its differences go. */
export type VerifiedMatch = {
  readonly sql: SqliteStatements;
  readonly bank: BankTables;
  readonly evidence: MatchEvidence;
  readonly rows: ItemRows;
  /** What finds items by their id. */
  readonly itemIds: TermIndex;
  /** What finds lines and transfers by their terms. */
  readonly terms: TermIndex;
  readonly calendar: Calendar;
  readonly settings: MatchSettings;
  readonly differences: MatchDifferences;
};

/** @param database in a transaction, so that all that is read is of one state */
export const verifiedMatch = (
  database: Database.Database,
  calendar: Calendar,
  settings: MatchSettings,
): VerifiedMatch => {
  const sql = new SqliteStatements(database);
  const evidence = new MatchEvidence(database, calendar);
  return {
    sql,
    bank: new BankTables(database),
    evidence,
    rows: new ItemRows(sql, evidence),
    itemIds: new TermIndex(database, 'item'),
    terms: new TermIndex(database, 'match'),
    calendar,
    settings,
    differences: new MatchDifferences(),
  };
};
