import type { ApiKey } from './api-key.ts';
import type { QueryLimits } from './query-limits.ts';
import type { StreamPlaces } from './stream-places.ts';

/** Who may ask, how often, and how much at a time: the same for the interface and the console. */
export type Access = {
  /** The keys that are valid now. */
  readonly apiKeys: () => readonly ApiKey[];
  readonly limits: QueryLimits;
  readonly streams: StreamPlaces;
};
