import type { KeyName } from './console-keys.ts';
import { quarantineEvent } from '../../src/domain/new-event.ts';
import { bodyOf, verifiedDelivery } from '../support/payloads.ts';
import { ODD_ID, OFF_RAMP, ON_RAMP, TROUBLED, UNREADABLE_BODIES } from './console-orders.ts';

/** A page of the console in one of its states. */
export type ConsolePage = {
  readonly name: string;
  readonly path: string;
  readonly status: number;
  /** Its first heading. */
  readonly heading: RegExp;
  /** Who looks at it; null: nobody has signed in. */
  readonly key: KeyName | null;
};

const page = (
  name: string,
  path: string,
  heading: RegExp,
  { status = 200, key = 'full' }: { readonly status?: number; readonly key?: KeyName | null } = {},
): ConsolePage => ({ name, path, heading, status, key });

export const orderPage = (orderId: string): string => `/console/orders/${encodeURIComponent(orderId)}`;

/** The page of a body in quarantine, whose event id is made of it. */
export const quarantinedPage = (body: string): string =>
  `/console/quarantine/${quarantineEvent(verifiedDelivery(bodyOf(body)), [], null).event.id}`;

/** India's days begin five hours and a half before those of UTC. */
const AHEAD_MS = 19_800_000;

/** The page of the month that goes on. */
const periodPage = (): string => `/console/periods/${new Date(Date.now() + AHEAD_MS).toISOString().slice(0, 7)}`;

const [BROKEN = '', MISSHAPEN = ''] = UNREADABLE_BODIES;

/** What each page needs, whatever its state; a route without any is for everybody who has signed in. */
export const ROUTE_SCOPES: Readonly<Record<string, readonly string[]>> = {
  '/console/orders': ['orders:read'],
  [orderPage(ON_RAMP)]: ['orders:read'],
  [`${orderPage(ON_RAMP)}/events/0`]: ['orders:read', 'audit:read'],
  [`${orderPage(ON_RAMP)}/evidence`]: ['audit:read', 'pii:read'],
  '/console/reports/onramp': ['reports:read'],
  '/console/reports/offramp': ['reports:read'],
  '/console/audit': ['audit:read'],
  '/console/periods': ['reports:read'],
  [periodPage()]: ['reports:read'],
  '/console/reconciliation': ['reports:read'],
  '/console/reconciliation/import': ['reports:read', 'statements:write'],
  '/console/quarantine': ['audit:read'],
  [quarantinedPage(BROKEN)]: ['audit:read'],
  '/': [],
  '/console/health': [],
  '/console/health/checkpoint': ['audit:read'],
  '/console/refused': ['audit:read'],
  '/console/files/orders?format=csv': ['orders:read', 'audit:read'],
  '/console/files/orders?format=xlsx': ['orders:read', 'audit:read'],
  '/console/files/audit?format=ndjson': ['audit:read'],
  '/console/files/reconciliation?format=csv': ['reports:read'],
  '/console/files/reports/onramp?format=csv': ['reports:read'],
  '/console/files/reports/offramp?format=xlsx': ['reports:read'],
};

/** Every page that is opened by its address, full, empty and in error. */
export const PAGES: readonly ConsolePage[] = [
  page('sign-in', '/console/orders', /^Sign in$/, { key: null }),
  page('orders', '/console/orders', /^Orders$/),
  page('orders, filtered', '/console/orders?flow=offramp&phase=settled&basis=settled', /^Orders$/),
  page('orders, none', '/console/orders?currency=XXX', /^Orders$/),
  page('orders, wrong filter', '/console/orders?from=yesterday', /./, { status: 400 }),
  page('order, on-ramp', orderPage(ON_RAMP), /story-onramp-1/),
  page('order, off-ramp', orderPage(OFF_RAMP), /story-offramp-1/),
  page('order, troubled', orderPage(TROUBLED), /story-troubled-1/),
  page('order, odd id', orderPage(ODD_ID), /odd/),
  page('order, as of an event', `${orderPage(OFF_RAMP)}?revision=2`, /story-offramp-1/),
  page('order, none', orderPage('not-an-order'), /./, { status: 404 }),
  page('event', `${orderPage(OFF_RAMP)}/events/4`, /^Event 4/),
  page('event, masked', `${orderPage(OFF_RAMP)}/events/4`, /^Event 4/, { key: 'masked' }),
  page('event, none', `${orderPage(OFF_RAMP)}/events/99`, /./, { status: 404 }),
  page('report, on-ramp', '/console/reports/onramp?groupBy=day&range=all', /^Reports$/),
  page(
    'report, off-ramp',
    '/console/reports/offramp?groupBy=month,token,chain&basis=settled&range=last-quarter',
    /^Reports$/,
  ),
  page('report, empty', '/console/reports/onramp?from=2001-01-01&to=2001-01-31', /^Reports$/),
  page('report, forbidden', '/console/reports/onramp', /./, { status: 403, key: 'orders' }),
  page('overview', '/', /^Overview$/),
  page('overview, of reports', '/', /^Overview$/, { key: 'reports' }),
  page('overview, of nothing', '/', /^Overview$/, { key: 'personal' }),
  page('audit', '/console/audit?limit=20', /^Audit/),
  page('audit, verified', '/console/audit?verify=true&limit=20', /^Audit/),
  page('audit, none', '/console/audit?q=nobody-knows-this', /^Audit/),
  page('audit, wrong', '/console/audit?limit=none', /./, { status: 400 }),
  page('periods', '/console/periods', /^Periods$/),
  page('period', periodPage(), /^[A-Z][a-z]+ \d{4}$/),
  page('period, of somebody who may not close it', periodPage(), /^[A-Z][a-z]+ \d{4}$/, { key: 'reports' }),
  page('period, none', '/console/periods/2001-01', /./, { status: 404 }),
  page('period, no month', '/console/periods/march', /./, { status: 400 }),
  page('reconciliation', '/console/reconciliation', /^Reconciliation$/),
  page('a bank file to import', '/console/reconciliation/import', /^Import a bank file$/),
  page('reconciliation, nothing', '/console/reconciliation?state=ambiguous', /^Reconciliation$/),
  page('quarantine', '/console/quarantine', /^Quarantine$/),
  page('quarantine, one', quarantinedPage(BROKEN), /^[0-9a-f-]{36}$/),
  page('quarantine, one masked', quarantinedPage(MISSHAPEN), /^[0-9a-f-]{36}$/, { key: 'masked' }),
  page('quarantine, not there', quarantinedPage('something else'), /./, { status: 404 }),
  page('health', '/console/health', /^Health$/),
  page('checkpoint', '/console/health/checkpoint', /^Check a checkpoint$/),
  page('refused', '/console/refused', /^Refused deliveries$/),
];
