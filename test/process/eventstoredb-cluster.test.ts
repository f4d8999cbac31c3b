import { throughLeaderChanges } from './through-leader-changes.ts';

describe('a ledger on a cluster of EventStoreDB', () => {
  throughLeaderChanges(4);
});
