import type { ApiDependencies } from '../api/api-dependencies.ts';
import type { LedgerHealth } from './health/ledger-health.ts';

/** What the pages stand on: all that the API does, and how the ledger itself is. */
export type ConsoleDependencies = ApiDependencies & {
  readonly health: () => Promise<LedgerHealth>;
  /**
   * Whether everybody who has signed in may see all of it, as with `/metrics` (docs/spec/http.md, Health and metrics);
   * else those with the scope `admin`.
   */
  readonly openHealth: boolean;
};
