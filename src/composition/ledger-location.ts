import type { Config } from '../config/index.ts';
import type { LedgerLocation } from '../threads/ledger-location.ts';

/** Where a configured ledger keeps its events. */
export const ledgerLocation = ({ dataDir, eventStore }: Pick<Config, 'dataDir' | 'eventStore'>): LedgerLocation => ({
  ...eventStore,
  dataDir,
});
