import { expect } from 'chai';
import { ledgerHealth } from '../../../src/composition/ledger/ledger-health.ts';
import { ledgerState, type StateSources } from '../../../src/composition/ledger/ledger-state.ts';
import type { LedgerHealth } from '../../../src/console/health/ledger-health.ts';
import { branded } from '../../../src/domain/brand.ts';
import type { SecretId } from '../../../src/domain/ids.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { never, NOW, stateSources } from './state-sources.ts';

describe('the health of a ledger', () => {
  const secret = (id: string) => ({ id: branded<SecretId>(id), key: Buffer.from('not to be shown anywhere') });
  const sources = (over: Partial<StateSources> = {}): StateSources => ({
    ...stateSources(),
    secrets: () => ({ webhook: { active: [secret('new')], retired: [secret('old')] }, apiKeys: [] }),
    ...over,
  });
  const healthOf = (of: StateSources, withinMs?: number): Promise<LedgerHealth> =>
    ledgerHealth(
      {
        config: { spoolMaxBytes: 1_000, eventStore: { kind: 'sqlite', file: '' } },
        state: ledgerState(of),
        lastSignedMs: (id) => (id === 'new' ? NOW - 5_000 : null),
        startedAt: instantOf(NOW - 60_000),
      },
      withinMs,
    )();

  it('is what its sources say, and holds no secret', async () => {
    const health = await healthOf(sources());
    expect(health).to.deep.include({
      deliveries: { ready: true },
      eventStore: { kind: 'sqlite', working: { ready: true }, isDamaged: false, head: '7' },
      spool: null,
      secrets: [
        { id: 'new', accepted: true, lastUsedAt: instantOf(NOW - 5_000) },
        { id: 'old', accepted: false, lastUsedAt: null },
      ],
    });
    expect(health.readModels).to.include({ generation: 4, building: null, lagSeconds: 0 });
    expect(health.dataDiskFreeBytes).to.be.greaterThan(0);
    expect(JSON.stringify(health)).not.to.include('not to be shown');
  });

  it('is told in time where the store does not answer', async () => {
    const { store } = sources();
    const away = { ready: false, detail: 'away' } as const;
    const hangs = sources({ store: { ...store, head: () => never }, storeReadiness: () => away });
    const health = await healthOf(hangs, 20);
    expect(health.eventStore).to.deep.equal({ kind: 'sqlite', working: away, isDamaged: false, head: null });
    expect(health.readModels).to.include({ generation: 4, lagSeconds: null });
  });

  it('says that a damaged page of the events was met', async () => {
    const health = await healthOf(sources({ eventsDamaged: () => true }));
    expect(health.eventStore).to.include({ isDamaged: true });
  });

  it('does not call behind what serves nothing yet', async () => {
    const health = await healthOf(sources({ generation: () => null }));
    expect(health.readModels).to.include({ generation: null, lagSeconds: null });
  });
});
