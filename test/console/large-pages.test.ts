import { expect } from 'chai';
import type { ApiDependencies } from '../../src/api/api-dependencies.ts';
import type { ConsoleQuestion } from '../../src/console/console-question.ts';
import { answerHandedPage, handedPage, largePages } from '../../src/console/handed-page.ts';
import { timesIn } from '../../src/console/local-time.ts';
import { overviewPage } from '../../src/console/overview/overview-page.ts';
import { PERIOD_ROUTE } from '../../src/console/periods/period-frame.ts';
import { periodPage } from '../../src/console/periods/period-page.ts';
import { branded } from '../../src/domain/brand.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import type { Month } from '../../src/domain/month.ts';
import { ownEvent } from '../../src/domain/own-event/own-event.ts';
import { PERIOD_CLOSED } from '../../src/domain/own-event/period-events.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { personalDataFor } from '../../src/queries/masking/personal-data.ts';
import { packFigures } from '../../src/queries/periods/period-figures.ts';
import { right } from '../support/right.ts';
import { NOW, routeDependencies, routeDoubles } from '../support/route-dependencies.ts';
import { wellAt } from './health/well.ts';
import { keyOf } from './router-scene.ts';

const REQUEST = branded<RequestId>('request-1');
const NO_CELLS = { created: [], settled: [] };
const REPORT = { sha256: sha256('report') };

const CLOSED = ownEvent(
  PERIOD_CLOSED,
  {
    period: branded<Month>('2023-01'),
    timeZone: 'UTC',
    from: instantOf(Date.UTC(2023, 0)),
    until: instantOf(Date.UTC(2023, 1)),
    through: null,
    asOf: null,
    checkpoint: null,
    note: 'signed off',
    despite: [],
    checks: [],
    reports: { onramp: REPORT, offramp: REPORT },
    figures: packFigures({ onramp: NO_CELLS, offramp: NO_CELLS }),
  },
  { by: 'closer', at: NOW, requestId: REQUEST },
);

const withClosedMonth = async (): Promise<ApiDependencies> => {
  const doubles = routeDoubles();
  right(await doubles.store.append(CLOSED.stream, 'none', [CLOSED.event])());
  return routeDependencies({}, doubles);
};

const KEY = keyOf('closer', 'closer-key', ['reports:read']);

const asked = (month: string): ConsoleQuestion => ({
  session: { key: KEY, nonce: 'nonce', expiresAt: Date.UTC(2024, 0) },
  reader: { keyId: KEY.id, mayRead: () => true },
  personal: personalDataFor(KEY.scopes),
  times: timesIn('UTC'),
  path: `/console/periods/${month}`,
  querystring: '',
  form: new Map(),
  file: null,
  isTooLarge: false,
  isFromThisMachine: true,
  requestId: REQUEST,
  lastEventId: '',
  origin: 'http://127.0.0.1',
  now: NOW,
});

describe('pages of the console that are made beside the thread that receives', () => {
  it('are those that hold orders, events or reports whole', () => {
    const paths = largePages(routeDependencies({})).map(({ path }) => path);
    expect(paths).to.have.members([
      '/console/orders',
      '/console/search',
      '/console/orders/{orderId}',
      '/console/orders/{orderId}/evidence',
      '/console/orders/{orderId}/events/{revision}',
      '/console/audit',
      '/console/reconciliation',
      '/console/reconciliation/search',
      '/console/reports/onramp',
      '/console/reports/offramp',
      '/console/files/reports/onramp',
      '/console/files/reports/offramp',
      '/console/files/reports/workbook',
      '/console/periods',
      '/console/quarantine',
      '/console/periods/{period}/print',
      '/console/files/periods/{period}',
    ]);
  });

  it('are the overview, too, with what only that thread knows of the ledger', async () => {
    const deps = routeDependencies({});
    const route = overviewPage({ ...deps, health: () => expect.fail('it is made elsewhere') });
    expect([route.isLarge, route.saysHealth]).to.deep.equal([true, true]);
    const handed = handedPage(route, asked('2023-01'), { scriptNonce: 'nonce', after: '', health: wellAt(NOW) });
    const made = (await answerHandedPage(deps, handed)) ?? expect.fail('made elsewhere');
    const page = right(made);
    const text = page._tag === 'Document' ? Buffer.from(page.bytes).toString() : page._tag;
    expect(text).to.include('<h1>Overview</h1>').and.to.include('Up to date');
    expect(await answerHandedPage(deps, { ...handed, health: null })).to.equal(null);
  });

  it('are pages of closed months, too, and of no open ones', async () => {
    const deps = await withClosedMonth();
    const { isLarge } = periodPage(deps);
    const isHanded = typeof isLarge === 'function' ? isLarge : expect.fail('it depends on the month');
    expect(right(await isHanded(asked('2023-01'))())).to.equal(true);
    expect(right(await isHanded(asked('2023-02'))())).to.equal(false);
  });

  it('are made there where a month is closed', async () => {
    const handed = handedPage(PERIOD_ROUTE, asked('2023-01'), { scriptNonce: 'nonce', after: '', health: null });
    const made = (await answerHandedPage(await withClosedMonth(), handed)) ?? expect.fail('made elsewhere');
    const page = right(made);
    expect(page._tag === 'Document' ? Buffer.from(page.bytes).toString() : page._tag).to.include('signed off');
  });
});
