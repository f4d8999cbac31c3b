/** Of one order, in small bodies. */
export const MANY_EVENTS = 5_000;

/** The month of all orders; it is closed, and orders of it come later. */
export const CLOSED = '2023-03';
/** What closes it over all that is open. */
export const CLOSE = JSON.stringify({
  note: 'closed',
  despite: ['earlier-closed', 'quarantine', 'clock-anomalies', 'match'],
});
const GROUPS = 'groupBy=day,currency,token,chain';

/** Questions about what the ledger of event-loop-scene.ts holds. */
export const PATHS = [
  '/v1/orders/large',
  '/v1/orders/many',
  `/v1/orders/many?revision=${MANY_EVENTS / 2}`,
  '/v1/orders/many/events',
  '/v1/orders/many/audit',
  '/v1/orders/many/evidence',
  '/v1/orders/large?revision=50',
  '/v1/orders/large/events',
  '/v1/orders/large/audit',
  '/v1/orders/large/events/0/body',
  '/v1/orders/large/evidence',
  '/v1/proofs/inclusion?orderId=large&revision=50',
  '/v1/log/tile/0/000',
  '/v1/log/tile/entries/000',
  '/v1/audit?verify=true&limit=500',
  '/v1/audit?limit=500',
  '/v1/audit?q=large&verify=true&limit=500',
  '/v1/orders?limit=500',
  '/v1/orders?limit=500&count=true',
  '/v1/quarantine?limit=500',
  `/v1/reports/onramp?${GROUPS}`,
  `/v1/reports/onramp?${GROUPS}&period=${CLOSED}`,
  `/v1/reports/offramp?${GROUPS}&period=${CLOSED}&basis=settled`,
  '/v1/periods?limit=500',
  `/v1/periods/${CLOSED}`,
  '/v1/periods/2023-04/readiness',
  `/v1/periods/${CLOSED}/workbook`,
  `/v1/periods/${CLOSED}/adjustments?limit=500`,
  '/v1/exports/orders?format=ndjson',
  '/v1/exports/events?format=csv',
  '/v1/exports/audit?format=csv&verify=true',
  '/v1/reconciliation/items?limit=500',
  '/metrics',
  '/openapi.json',
] as const;

/** Pages of its console likewise. */
export const PAGES = [
  '/',
  '/console/orders',
  '/console/orders/large',
  '/console/orders/large/events/0',
  '/console/orders/large/evidence',
  '/console/orders/many',
  '/console/orders/many/evidence',
  '/console/audit?verify=true',
  '/console/quarantine',
  '/console/reconciliation',
  '/console/reports/onramp',
  `/console/reports/onramp?range=all&${GROUPS}`,
  `/console/reports/onramp?period=${CLOSED}&${GROUPS}`,
  `/console/reports/onramp?from=${CLOSED}-01&to=${CLOSED}-31&${GROUPS}`,
  '/console/periods',
  '/console/periods/2023-04',
  `/console/periods/${CLOSED}`,
  `/console/periods/${CLOSED}/print`,
  `/console/files/periods/${CLOSED}`,
] as const;
