import { itemIdOf } from '../../projections/match/item-id.ts';
import { orderNode } from '../../projections/match/node.ts';
import { branded } from '../../src/domain/brand.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import { sha256 } from '../../src/domain/sha256.ts';

/** What a ledger holds that the requests below ask for. */
export type Known = { readonly onRamp: string; readonly offRamp: string; readonly quarantined: string };

/** A request that is answered as asked, by the operation that answers it. */
export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** A bank file with one entry, as small as one can be. */
const BANK_FILE =
  ':20:A\n:25:ACC-1\n:28C:1\n:60F:C260301INR100,00\n:61:2603010301C25,50NTRFUTR000000000001\n:86:payout\n:62F:C260301INR125,50\n-\n';

const PROFILE =
  '{"date":"Date","dateFormat":"dd/mm/yyyy","amount":"Amount","currency":"INR","reference":["Ref"],"text":["Narration"]}';

/** At least one for each form in which each operation of the query side answers. */
export const successes = ({ onRamp, offRamp, quarantined }: Known): Readonly<Record<string, readonly Asked[]>> => {
  const decision = `/v1/reconciliation/items/${itemIdOf([orderNode(branded<OrderId>(offRamp))])}/decision`;
  const get = (...paths: readonly string[]): readonly Asked[] => paths.map((path) => ({ method: 'GET', path }));
  return {
    listOrders: get('/v1/orders?flow=offramp&limit=1', '/v1/orders', '/v1/orders?anomaly=any&q=nothing'),
    getOrder: get(`/v1/orders/${offRamp}`, `/v1/orders/${onRamp}`, `/v1/orders/${onRamp}?revision=0`),
    listOrderEvents: get(`/v1/orders/${onRamp}/events`, `/v1/orders/${offRamp}/events`),
    getEventBody: get(`/v1/orders/${onRamp}/events/0/body`),
    listOrderAudit: get(`/v1/orders/${offRamp}/audit`, `/v1/orders/${onRamp}/audit`),
    getOnRampReport: [
      ...get(
        '/v1/reports/onramp?groupBy=month,token',
        '/v1/reports/onramp',
        '/v1/reports/onramp?groupBy=day,currency,token,chain&basis=settled&from=2020-01-01&to=2030-01-01',
      ),
      { method: 'GET', path: '/v1/reports/onramp', headers: { Accept: 'text/csv' } },
      ...get('/v1/reports/onramp?format=xlsx'),
    ],
    getOffRampReport: get(
      '/v1/reports/offramp?groupBy=day,chain',
      '/v1/reports/offramp?format=csv',
      '/v1/reports/offramp?format=xlsx',
    ),
    getPeriod: get('/v1/periods/2023-03'),
    getPeriodReadiness: get('/v1/periods/2023-03/readiness'),
    closePeriod: [
      {
        method: 'POST',
        path: '/v1/periods/2023-03/close',
        body: JSON.stringify({ note: 'signed off', despite: ['quarantine', 'clock-anomalies', 'month-over'] }),
      },
    ],
    getPeriodWorkbook: get('/v1/periods/2023-03/workbook'),
    listPeriodAdjustments: get('/v1/periods/2023-03/adjustments'),
    listPeriods: get('/v1/periods'),
    reopenPeriod: [
      { method: 'POST', path: '/v1/periods/2023-03/reopen', body: JSON.stringify({ note: 'a rate was wrong' }) },
    ],
    listAuditEntries: get('/v1/audit?limit=3&verify=true', `/v1/audit?q=${onRamp}`, '/v1/audit?limit=1'),
    getReconciliation: get('/v1/reconciliation'),
    listReconciliationItems: get('/v1/reconciliation/items', '/v1/reconciliation/items?limit=1'),
    decideReconciliationItem: [{ method: 'POST', path: decision, body: '{"decision":"explain","note":"by hand"}' }],
    undecideReconciliationItem: [{ method: 'DELETE', path: decision }],
    importStatement: [{ method: 'POST', path: '/v1/statements?name=march.sta', body: BANK_FILE }],
    listStatements: get('/v1/statements?limit=1', '/v1/statements'),
    listStatementLines: get(`/v1/statements/${sha256(BANK_FILE)}/lines`),
    setStatementProfile: [{ method: 'POST', path: '/v1/statements/profiles/bank', body: PROFILE }],
    importTransfers: [
      {
        method: 'POST',
        path: '/v1/transfers',
        body: '{"chainId":137,"txnHash":"0xab","to":"0xcd","baseUnits":"10"}\n',
      },
    ],
    listTransfers: get('/v1/transfers', '/v1/transfers?chainId=137&txnHash=0xAB&limit=1'),
    listQuarantine: get('/v1/quarantine', '/v1/quarantine?limit=1', '/v1/quarantine?state=open'),
    closeQuarantined: [
      {
        method: 'POST',
        path: `/v1/quarantine/${quarantined}/close`,
        body: JSON.stringify({ note: 'a test of theirs' }),
      },
    ],
    reopenQuarantined: [
      {
        method: 'POST',
        path: `/v1/quarantine/${quarantined}/reopen`,
        body: JSON.stringify({ note: 'an order after all' }),
      },
    ],
    getQuarantinedBody: get(`/v1/quarantine/${quarantined}/body`),
    releaseQuarantined: [{ method: 'POST', path: `/v1/quarantine/${quarantined}/release` }],
    getCheckpoint: get('/v1/log/checkpoint'),
    getLogKey: get('/v1/log/key'),
    // A slash that is percent-encoded is a part of the tile's name all the same.
    getLogTile: get('/v1/log/tile/0/000.p%2F1', '/v1/log/tile/entries/000.p%2F1'),
    getInclusionProof: get(`/v1/proofs/inclusion?orderId=${onRamp}&revision=0`),
    getOrderEvidence: get(`/v1/orders/${onRamp}/evidence`),
    getConsistencyProof: get('/v1/proofs/consistency?from=0&to=1'),
    followEvents: get('/v1/events/live'),
    exportOrders: get(
      '/v1/exports/orders',
      '/v1/exports/orders?format=ndjson&flow=onramp',
      '/v1/exports/orders?format=xlsx',
    ),
    exportOrdersManifest: get('/v1/exports/orders/manifest?format=ndjson&currency=inr', '/v1/exports/orders/manifest'),
    exportEvents: get('/v1/exports/events', `/v1/exports/events?format=ndjson&q=${onRamp}`),
    exportEventsManifest: get('/v1/exports/events/manifest'),
    exportAudit: get('/v1/exports/audit?verify=true', '/v1/exports/audit?format=ndjson'),
    exportAuditManifest: get('/v1/exports/audit/manifest'),
    exportReconciliation: get(
      '/v1/exports/reconciliation',
      '/v1/exports/reconciliation?format=ndjson',
      '/v1/exports/reconciliation?format=xlsx',
    ),
    exportReconciliationManifest: get('/v1/exports/reconciliation/manifest'),
    getReportWorkbook: get('/v1/reports/workbook?groupBy=day'),
    getLiveness: get('/livez'),
    getReadiness: get('/readyz'),
    getOpenApiDocument: get('/openapi.json'),
    getDocs: get('/docs'),
  };
};
