import { instantOf } from '../../src/domain/instant.ts';
import { eventStoreContract, openStore } from '../event-store/event-store-contract.ts';
import { inMemoryEventStore } from './in-memory-event-store.ts';

eventStoreContract('in memory, of the tests', () => {
  const store = inMemoryEventStore(() => instantOf(0));
  return Promise.resolve(openStore(store, store.close));
});
