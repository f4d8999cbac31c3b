import * as TE from 'fp-ts/lib/TaskEither.js';
import { expect } from 'chai';
import { ledgerMetrics } from '../../../src/composition/ledger/ledger-metrics.ts';
import { ledgerState, type StateSources } from '../../../src/composition/ledger/ledger-state.ts';
import { metricsPage, type MetricsSources } from '../../../src/composition/ledger/metrics-page.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { orderTallies } from '../../../src/read-models/order-tallies.ts';
import { readExposition, type Exposition } from '../../support/exposition.ts';
import { never, NOW, stateSources } from './state-sources.ts';

/** Lines of the log. */
const LOST = 12;

describe('the page of metrics', () => {
  type Sources = Omit<StateSources, 'readModels'> & {
    readonly readModels: StateSources['readModels'] & MetricsSources['readModels'];
  };
  const sources = (over: Partial<Sources> = {}): Sources => {
    const healthy = stateSources();
    const tallies = () => TE.right({ ...orderTallies([]), quarantined: 3 });
    return { ...healthy, readModels: { ...healthy.readModels, tallies }, ...over };
  };
  const pageOf = (of: Sources, withinMs?: number) => {
    const metrics = ledgerMetrics({ eventStore: { kind: 'sqlite', file: '' } });
    const more = { config: { spoolMaxBytes: 1_000 }, logLinesLost: () => LOST, state: ledgerState(of) };
    return metricsPage({ ...of, ...more, metrics }, withinMs);
  };
  const read = async (page: ReturnType<typeof metricsPage>): Promise<Exposition> => readExposition((await page()).text);

  const figures = (page: Exposition, ...names: readonly string[]): readonly (number | null)[] =>
    names.map((name) => page.valueOf(`ramp_ledger_${name}`));

  it('has what the sources say', async () => {
    const oldestReceivedAt = instantOf(NOW - 90_000);
    const state = {
      isCounting: false,
      depth: 2,
      bytes: 300,
      oldestReceivedAt,
      setAside: 1,
      ready: { ready: true },
    } as const;
    const page = await read(pageOf(sources({ spool: () => state })));
    const spool = ['deliveries', 'set_aside_deliveries', 'oldest_age_seconds', 'bytes', 'limit_bytes'];
    expect(figures(page, ...spool.map((name) => `spool_${name}`))).to.deep.equal([2, 1, 90, 300, 1_000]);
    expect(figures(page, 'read_models_generation', 'read_models_position', 'event_store_position')).to.deep.equal([
      4, 7, 7,
    ]);
    expect(figures(page, 'read_models_lag_positions', 'read_models_lag_seconds')).to.deep.equal([0, 0]);
    expect(figures(page, 'quarantined_deliveries', 'ready', 'event_store_up')).to.deep.equal([3, 1, 1]);
    expect(figures(page, 'log_lines_lost_total')).to.deep.equal([LOST]);
  });

  it('tells no number of deliveries that wait while they are counted', async () => {
    const state = { isCounting: true, depth: 0, bytes: 300, oldestReceivedAt: null, setAside: 0 } as const;
    const page = await read(pageOf(sources({ spool: () => ({ ...state, ready: { ready: true } }) })));
    const spool = ['deliveries', 'set_aside_deliveries', 'oldest_age_seconds', 'bytes'];
    expect(figures(page, ...spool.map((name) => `spool_${name}`))).to.deep.equal([null, null, null, 300]);
  });

  it('has what is known in time where a store does not answer, and asks it one question', async () => {
    let asked = 0;
    const hangs = (): Promise<never> => {
      asked += 1;
      return never();
    };
    const { store, readModels } = sources();
    const page = pageOf(
      sources({
        store: { ...store, head: () => hangs },
        storeReadiness: () => ({ ready: false, detail: 'away' }),
        readModels: { ...readModels, tallies: () => hangs },
      }),
      20,
    );
    for (let n = 0; n < 3; n += 1) {
      const shown = await read(page);
      expect(figures(shown, 'ready', 'event_store_up', 'read_models_generation')).to.deep.equal([1, 0, 4]);
      expect(
        figures(
          shown,
          'event_store_position',
          'read_models_lag_seconds',
          'read_models_lag_positions',
          'quarantined_deliveries',
        ),
      ).to.deep.equal([null, null, null, null]);
      expect(shown.labelsOf('ramp_ledger_orders').size).to.equal(0);
    }
    expect(asked).to.equal(2);
  });

  it('leaves out what was known once and is not now', async () => {
    const { readModels } = sources();
    let isThere = true;
    const page = pageOf(
      sources({
        readModels: {
          ...readModels,
          tallies: (now) =>
            isThere ? readModels.tallies(now) : TE.left({ _tag: 'ReadModelsUnavailable', detail: 'broken' }),
        },
      }),
    );
    expect(figures(await read(page), 'quarantined_deliveries')).to.deep.equal([3]);
    isThere = false;
    const later = await read(page);
    expect(figures(later, 'quarantined_deliveries')).to.deep.equal([null]);
    expect(later.labelsOf('ramp_ledger_order_anomalies').size).to.equal(0);
  });

  it('says how far a first build is, which is no lag', async () => {
    const { readModels, store } = sources();
    const page = await read(
      pageOf(
        sources({
          store: { ...store, readAll: () => ({ async *[Symbol.asyncIterator]() {} }) },
          readModels: { ...readModels, progress: () => ({ checkpoint: null, building: 0.25 }) },
          generation: () => null,
        }),
      ),
    );
    expect(figures(page, 'read_models_building', 'read_models_built_ratio', 'read_models_lag_positions')).to.deep.equal(
      [1, 0.25, 7],
    );
    expect(figures(page, 'read_models_lag_seconds', 'read_models_generation', 'quarantined_deliveries')).to.deep.equal([
      null,
      null,
      null,
    ]);
  });

  it('has the counts beside the position where a generation begins to serve while the page is made', async () => {
    let asked = 0;
    const generation = (): number | null => {
      asked += 1;
      return asked === 1 ? null : 4;
    };
    const page = await read(pageOf(sources({ generation })));
    expect(figures(page, 'read_models_position', 'read_models_generation', 'quarantined_deliveries')).to.deep.equal([
      7, 4, 3,
    ]);
  });

  it('is made once for all who ask at the same time', async () => {
    let asked = 0;
    const { readModels } = sources();
    const page = pageOf(
      sources({
        readModels: {
          ...readModels,
          tallies: (now) => {
            asked += 1;
            return readModels.tallies(now);
          },
        },
      }),
    );
    await Promise.all([page(), page(), page()]);
    expect(asked).to.equal(1);
    await page();
    expect(asked).to.equal(2);
  });
});
