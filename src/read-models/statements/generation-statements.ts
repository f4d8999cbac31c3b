import * as t from 'io-ts';
import { command, query } from '../../sql/statement.ts';

/** What a generation was made by and for, and how far it is. */
export const generationStatements = {
  insert: command(
    `INSERT INTO generation (projections, time_zone, match_settings, complete)
       VALUES (:projections, :time_zone, :match_settings, 0)`,
    { projections: t.string, time_zone: t.string, match_settings: t.string },
  ),
  complete: command('UPDATE generation SET complete = 1', {}),
  mark: query(
    'SELECT projections, time_zone, match_settings FROM generation WHERE complete = 1',
    {},
    t.type({ projections: t.string, time_zone: t.string, match_settings: t.string }),
  ),
  checkpoint: query('SELECT position, at FROM checkpoint', {}, t.type({ position: t.string, at: t.string })),
  /** The last event that it includes. */
  last: query(
    'SELECT position, at, event_id FROM checkpoint',
    {},
    t.type({ position: t.string, at: t.string, event_id: t.string }),
  ),
  /** How far it is, and how many events that includes. */
  included: query('SELECT position, events FROM checkpoint', {}, t.type({ position: t.string, events: t.number })),
  /** Adds events to those that are included already. */
  advance: command(
    `INSERT INTO checkpoint (id, position, at, event_id, events) VALUES (1, :position, :at, :event_id, :events)
       ON CONFLICT (id) DO UPDATE
       SET position = excluded.position, at = excluded.at, event_id = excluded.event_id,
         events = checkpoint.events + excluded.events`,
    { position: t.string, at: t.string, event_id: t.string, events: t.number },
  ),
};
