import type { Config } from '../config/index.ts';
import type { SharedDamage } from '../event-store/sqlite/met-damage.ts';
import type { LedgerLocation } from '../threads/ledger-location.ts';

/**
 * Where a configured ledger keeps its events.
 *
 * @param damage where threads of a ledger that serves mark that its file is damaged
 */
export const ledgerLocation = (
  { dataDir, eventStore }: Pick<Config, 'dataDir' | 'eventStore'>,
  damage?: SharedDamage,
): LedgerLocation =>
  eventStore.kind === 'sqlite' && damage !== undefined
    ? { ...eventStore, dataDir, damage }
    : { ...eventStore, dataDir };
