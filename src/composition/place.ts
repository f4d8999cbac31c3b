import type { Config, Secrets } from '../config/index.ts';
import type { SqlitePlace } from '../event-store/sqlite/sqlite-event-store.ts';
import type { SecretKeyById } from '../ledger/verify-event.ts';

/** Where a configured ledger keeps itself. */
export const placeOf = ({ dataDir, eventStore }: Config): SqlitePlace => ({ dataDir, file: eventStore.file });

/** Finds the key that an event was signed with, among those that are accepted and those that only prove old events. */
export const keyById =
  (secrets: () => Secrets): SecretKeyById =>
  (id) => {
    const { active, retired } = secrets().webhook;
    return [...active, ...retired].find((secret) => secret.id === id)?.key ?? null;
  };
