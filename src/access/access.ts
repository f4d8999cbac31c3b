import type { ApiKey } from './api-key.ts';
import type { QueryLimits } from './query-limits.ts';

/** Who may ask, and how often: the same for the interface and the console. */
export type Access = {
  /** The keys that are valid now. */
  readonly apiKeys: () => readonly ApiKey[];
  readonly limits: QueryLimits;
};
