import { throughLeaderChanges } from '../process/through-leader-changes.ts';

describe('a ledger on a cluster of EventStoreDB that changes its leader often', () => {
  throughLeaderChanges(24);
});
