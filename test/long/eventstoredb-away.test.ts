import { toldWhileAway } from '../process/told-while-away.ts';

describe('a ledger whose EventStoreDB is away in every way', () => {
  for (const away of ['refuses connections', 'is silent', 'is frozen', 'is not ready'] as const) {
    describe(away, () => {
      toldWhileAway(away);
    });
  }
});
