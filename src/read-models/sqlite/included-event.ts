import { branded } from '../../domain/brand.ts';
import type { EventId, Position } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import type { SqliteStatements } from '../../sql/sqlite-statements.ts';
import type { Included } from '../read-models.ts';
import { generationStatements } from '../statements/generation-statements.ts';

/** The last event that a generation includes; null: none. */
export const includedIn = (sql: SqliteStatements): Included | null => {
  const row = sql.get(generationStatements.last, {});
  return row === undefined
    ? null
    : {
        position: branded<Position>(row.position),
        at: branded<Instant>(row.at),
        eventId: branded<EventId>(row.event_id),
      };
};
