import { orderTallies } from '../../src/read-models/order-tallies.ts';
import { ledgerMetrics } from '../../src/composition/ledger/ledger-metrics.ts';
import { readExposition, type Exposition } from './exposition.ts';

/** Every metric that a ledger can show, with every label. */
export const everyMetric = async (): Promise<Exposition> => {
  const metrics = ledgerMetrics({ eventStore: { kind: 'sqlite', file: '' } });
  metrics.requests({ route: '/livez', method: 'GET', status: 200, seconds: 0 });
  metrics.spool({ deliveries: 0, setAside: 0, oldestAgeSeconds: 0, bytes: 0, limitBytes: 1 });
  metrics.orders({ ...orderTallies([]), quarantined: 0 });
  metrics.deliveries.secrets(['primary']);
  metrics.log({ historyLost: false, checkpointEvents: 1, cosignatures: 0, witnessesRefusing: 0, checkpointSeconds: 1 });
  metrics.instance({
    ready: true,
    eventStoreUp: true,
    eventStoreDamaged: false,
    dataDiskFreeBytes: 1,
    logLinesLost: 0,
    threads: new Map([['projections', true]]),
  });
  metrics.readModels.show({ generation: 1, building: null, position: 1, head: 1, lagSeconds: 0 });
  return readExposition((await metrics.page()).text);
};
