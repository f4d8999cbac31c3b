import { emptyStore } from '../../event-store/empty-store.ts';
import { withPast } from '../../read-models/past-read-models.ts';
import type { Snapshot } from '../../read-models/snapshot.ts';
import { directReadModels } from '../../read-models/sqlite/direct-read-models.ts';
import { emptyQueries } from '../../read-models/sqlite/open-queries.ts';
import { PastStates } from '../../read-models/touched-orders.ts';

/** The read models of a log without any event, for commands before the first start: they are in memory, until they are closed. */
export const emptyReadModels = (timeZone: string): Snapshot => {
  const { queries, close } = emptyQueries(timeZone);
  return withPast(directReadModels(queries, close), new PastStates(emptyStore));
};
