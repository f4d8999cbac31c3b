import type { Config, Secrets } from '../config/index.ts';
import type { SecretKeyById } from '../ledger/verify-event.ts';
import type { LedgerLocation } from '../threads/ledger-location.ts';

/** Where a configured ledger keeps its events. */
export const ledgerLocation = ({ dataDir, eventStore }: Pick<Config, 'dataDir' | 'eventStore'>): LedgerLocation => ({
  ...eventStore,
  dataDir,
});

/** Finds the key that an event was signed with, among those that are accepted and those that only prove old events. */
export const keyById =
  (secrets: () => Secrets): SecretKeyById =>
  (id) => {
    const { active, retired } = secrets().webhook;
    return [...active, ...retired].find((secret) => secret.id === id)?.key ?? null;
  };
