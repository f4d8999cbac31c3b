import type Database from 'better-sqlite3';
import type { Calendar } from '../../../domain/business-day.ts';
import type { MatchSettings } from '../../../domain/match-settings.ts';
import { verifyMatchStatements } from '../../statements/verify-match-statements.ts';
import type { ReadModelFailure } from '../../verification.ts';
import { unsettled, type Unsettled } from './unsettled.ts';
import { verifiedMatch, type VerifiedMatch } from './verified-match.ts';
import { MatchEvidenceVerification } from './verify-match-evidence.ts';
import { MatchItemVerification } from './verify-match-items.ts';
import { MatchNoteVerification } from './verify-match-notes.ts';

/** What waits for large items; nothing where that can't be read, which is a difference. */
const unsettledOf = ({ sql, evidence, rows, settings, differences }: VerifiedMatch): Unsettled => {
  let found: Unsettled = { rows: new Set(), nodes: new Set() };
  differences.look('what waits for large items', () => {
    found = unsettled(sql, evidence, rows, settings);
  });
  return found;
};

const compareAll = (match: VerifiedMatch): void => {
  const { differences, evidence: steadied } = match;
  const evidence = new MatchEvidenceVerification(match);
  const items = new MatchItemVerification(match);
  differences.look('the match', () =>
    steadied.steady(() => {
      const waiting = unsettledOf(match);
      evidence.compare(waiting);
      items.compare(waiting);
    }),
  );
  evidence.compareEntries();
  new MatchNoteVerification(match).compare();
  items.compareSums();
};

/**
 * Compares the match of one generation with what its orders, lines, transfers and decisions come to, in one state of the
 * database: the differences; none at once where nothing was imported. It holds no more than a page of items at a time.
 */
export const verifyMatch = (
  database: Database.Database,
  calendar: Calendar,
  settings: MatchSettings,
): readonly ReadModelFailure[] =>
  database
    .transaction(() => {
      const match = verifiedMatch(database, calendar, settings);
      if (match.sql.one(verifyMatchStatements.isAny, {}).found > 0) compareAll(match);
      return match.differences.failures;
    })
    .deferred();
