import { expect } from 'chai';
import { pageText } from '../../../src/console/html.ts';
import { freshness } from '../../../src/console/overview/freshness.ts';
import { healthChecks, type HealthCheck } from '../../../src/console/health/health-checks.ts';
import type { LedgerHealth, SpoolHealth, WitnessHealth } from '../../../src/console/health/ledger-health.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { wellAt } from './well.ts';

const NOW_MS = Date.UTC(2026, 0, 31, 12);
const NOW = instantOf(NOW_MS);
const GIB = 1_024 ** 3;
const WELL = wellAt(NOW);

const witness = (state: WitnessHealth['state']): WitnessHealth => ({
  name: 'witness.example',
  state,
  size: 7,
  at: NOW,
  detail: 'why',
});

const EMPTY: SpoolHealth = {
  isCounting: false,
  depth: 0,
  setAside: 0,
  oldestReceivedAt: null,
  bytes: 0,
  limitBytes: 1_000,
};

const statesOf = (health: Partial<LedgerHealth>): Readonly<Record<string, HealthCheck['state']>> =>
  Object.fromEntries(
    healthChecks({ ...WELL, ...health }, NOW)
      .filter(({ state }) => state !== 'well')
      .map(({ name, state }) => [name, state]),
  );

const waiting = (seconds: number): SpoolHealth => ({
  ...EMPTY,
  depth: 2,
  bytes: 10,
  oldestReceivedAt: instantOf(NOW_MS - seconds * 1_000),
});

describe('how the ledger is', () => {
  it('is well where every part is, and says nothing to do then', () => {
    for (const spool of [null, EMPTY]) {
      expect(statesOf({ spool })).to.deep.equal({});
      expect(healthChecks({ ...WELL, spool }, NOW).every(({ cure }) => cure === null)).to.equal(true);
    }
  });

  it('claims nothing of deliveries that were refused but that they are not recorded', () => {
    const [deliveries] = healthChecks({ ...WELL, deliveries: { ready: false, detail: 'disk full' } }, NOW);
    expect(deliveries?.cure).to.equal(
      'Not recorded. The provider should send them again; compare with its list afterwards. Run "ramp-ledger doctor", and repair what it names.',
    );
  });

  it('names the part that is not well, with what to do', () => {
    const away = { ready: false, detail: 'no leader' } as const;
    const { readModels } = WELL;
    const cases: readonly (readonly [Partial<LedgerHealth>, Readonly<Record<string, HealthCheck['state']>>])[] = [
      [{ deliveries: away }, { Deliveries: 'wrong' }],
      [
        { eventStore: { kind: 'eventstoredb', working: away, isDamaged: false, head: null } },
        { 'Event store': 'wrong' },
      ],
      [{ eventStore: { kind: 'sqlite', working: away, isDamaged: false, head: null } }, { 'Event store': 'wrong' }],
      [
        { eventStore: { kind: 'sqlite', working: { ready: true }, isDamaged: true, head: null } },
        { 'Event store': 'wrong' },
      ],
      [{ spool: waiting(5) }, { Spool: 'watch' }],
      [{ signed: { _tag: 'Lost', detail: 'fewer events' } }, { Checkpoints: 'wrong' }],
      [{ signed: { _tag: 'NotYet', detail: null } }, { Checkpoints: 'watch' }],
      [{ witnesses: [witness('cosigned'), witness('waiting')] }, {}],
      [{ witnesses: [witness('cosigned'), witness('failed')] }, { Witnesses: 'watch' }],
      [{ witnesses: [witness('refused'), witness('failed')] }, { Witnesses: 'wrong' }],
      [{ spool: waiting(601) }, { Spool: 'wrong' }],
      [{ spool: { ...EMPTY, isCounting: true } }, { Spool: 'watch' }],
      [{ spool: { ...waiting(5), isCounting: true } }, { Spool: 'watch' }],
      [{ spool: { ...EMPTY, setAside: 1 } }, { Spool: 'wrong' }],
      [{ spool: { ...waiting(5), bytes: 800 } }, { Spool: 'wrong' }],
      [{ readModels: { ...readModels, lagSeconds: 60 } }, { 'Read models': 'wrong' }],
      [{ readModels: { ...readModels, lagSeconds: null } }, { 'Read models': 'watch' }],
      [{ readModels: { ...readModels, generation: null, building: 0.5 } }, { 'Read models': 'watch' }],
      [{ readModels: { ...readModels, generation: null } }, { 'Read models': 'wrong' }],
      [{ dataDiskFreeBytes: GIB }, { Disk: 'wrong' }],
      [{ dataDiskFreeBytes: null }, { Disk: 'watch' }],
    ];
    for (const [health, expected] of cases) {
      expect(statesOf(health), JSON.stringify(health)).to.deep.equal(expected);
      const checks = healthChecks({ ...WELL, ...health }, NOW);
      expect(checks.every(({ state, cure }) => (state === 'well') === (cure === null))).to.equal(true);
    }
  });

  it('never says that nothing waits while that is counted', async () => {
    const says = (spool: SpoolHealth): string =>
      healthChecks({ ...WELL, spool }, NOW).find(({ name }) => name === 'Spool')?.says ?? '';
    expect(says({ ...EMPTY, isCounting: true })).to.match(/^What waited at the start is being counted, 0 so far;/);
    expect(says({ ...waiting(5), isCounting: true })).to.match(/being counted, 2 so far, the oldest for 5 s/);
    expect(says({ ...EMPTY, isCounting: true, setAside: 1 })).to.match(/^At least 1 delivery was refused/);
    expect(await pageText(freshness({ ...WELL, spool: { ...EMPTY, isCounting: true } }, NOW))).to.match(
      /freshness watch.*webhooks that wait for the event store are being counted/s,
    );
  });

  it('is still well while it is moments behind, and while a new generation is built', () => {
    expect(statesOf({ readModels: { ...WELL.readModels, lagSeconds: 59, building: 0.2 } })).to.deep.equal({});
  });

  it('names the threads that are down, since when, and what is missing without them', () => {
    const down = { name: 'projections', since: instantOf(NOW_MS - 90_000), problem: 'no room' };
    expect(statesOf({ threadsDown: [down] })).to.deep.equal({ Threads: 'wrong' });
    const check = healthChecks({ ...WELL, threadsDown: [down] }, NOW).find(({ name }) => name === 'Threads');
    expect(check?.says).to.include('"projections" is down for').and.include('lists and reports').and.include('no room');
    const silent = { ...down, name: 'queries', problem: null };
    const both = healthChecks({ ...WELL, threadsDown: [down, silent] }, NOW).find(({ name }) => name === 'Threads');
    expect(both?.says).to.include('"projections" is down').and.include('"queries" has answered nothing for');
    expect(both?.cure).to.include('started again').and.include('look at the disk of the read models');
  });
});
