import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import * as t from 'io-ts';
import { branded } from '../../src/domain/brand.ts';
import type { StreamName } from '../../src/domain/ids.ts';
import { instantOf, type Instant } from '../../src/domain/instant.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { Recorded } from '../../src/ledger/recorded.ts';
import { expectRefused, expectScopes, listOf, refusalOf, textOf } from '../support/asking.ts';
import { bodyOf, offRamp, onRamp } from '../support/payloads.ts';
import { deliverUnaware, putAway } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { NOW } from '../support/route-dependencies.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';

const MASKED = 'audit:read+orders:read';
const SHOWN = 'audit:read+orders:read+pii:read';

const DIGITS = '1051823.63000000012345';
const WEI = '123456789012345678901234567890123456789012345678901234567890';

const Table = t.array(t.array(t.string));
const Manifest = t.type({
  export: t.string,
  format: t.string,
  personalData: t.string,
  filters: t.UnknownRecord,
  position: t.union([t.string, t.null]),
  askedAt: t.string,
  rows: t.number,
  bytes: t.number,
  sha256: t.string,
  sums: t.array(t.UnknownRecord),
});

const rowsOf = (ndjson: string): readonly unknown[] =>
  ndjson
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));

describe('exports', () => {
  let api: ServedApi;
  let clock = NOW;

  beforeEach(async () => {
    clock = NOW;
    api = await serveApi({ now: () => clock });
  });
  afterEach(async () => {
    await api.close();
    expect(api.readModels.openSnapshots(), 'snapshots left open').to.equal(0);
  });

  const give = (payload: JsonObject | string): Promise<Recorded> => deliverUnaware(api.store, bodyOf(payload));

  const manifestOf = async (path: string, scopes = MASKED) =>
    right(Manifest.decode(JSON.parse(await textOf(api, path, scopes))));

  const tableOf = async (path: string, scopes = MASKED) => {
    const [header = [], ...lines] = right(Table.decode(parse(await textOf(api, path, scopes))));
    return { header, lines, column: (name: string) => lines.map((line) => line[header.indexOf(name)]) };
  };

  const giveSome = async (): Promise<void> => {
    const meta = { metaData: { conversionRate: '90.2', commission: '1.25' } };
    await give(
      JSON.stringify(
        onRamp({ orderId: 'exact', fiat: 7, transferredAmountWei: WEI, status: 'completed', ...meta }),
      ).replace('"fiat":7', `"fiat":${DIGITS}`),
    );
    await give(onRamp({ orderId: 'dollars', currency: 'USD', fiat: 0.1 }));
    await give(offRamp({ orderId: 'paid', status: 'pending', fiat: 0.2, currency: 'USD' }));
    await give(offRamp({ orderId: 'paid', status: 'PayoutSuccess', utr: '412345678901', fiat: 0.2, currency: 'USD' }));
    await give(
      offRamp({
        orderId: 'odd',
        transactionId: '=HYPERLINK("x")',
        tenantId: '@SUM(1)',
        tds: -1.5,
        status: 'fiatFailed',
        utr: "'=1",
      }),
    );
    await give('no order at all');
  };

  it('hold the rows of their lists, in the same order, as NDJSON and as tables of fixed columns', async () => {
    await giveSome();
    const list = (await listOf(api, '/v1/orders?limit=500', 'orders:read')).data;
    expect(rowsOf(await textOf(api, '/v1/exports/orders?format=ndjson', MASKED))).to.deep.equal(list);
    const orders = await tableOf('/v1/exports/orders');
    expect(orders.column('orderId')).to.deep.equal(list.map(({ orderId }) => orderId));
    expect(orders.column('fiat.amount')).to.include(DIGITS);
    expect(orders.column('token.baseUnits')).to.include(WEI);
    expect(orders.column('utrs')).to.include('412345678901');
    expect(orders.column('transactionId')).to.include(`'=HYPERLINK("x")`);
    expect(orders.column('utrs')).to.include("''=1");
    const trail = (await listOf(api, '/v1/audit?limit=500', 'audit:read')).data;
    expect(rowsOf(await textOf(api, '/v1/exports/audit?format=ndjson', 'audit:read'))).to.deep.equal(trail);
    const proved = await tableOf('/v1/exports/audit?verify=true', 'audit:read');
    expect(proved.column('eventId')).to.deep.equal(trail.map(({ eventId }) => eventId));
    expect(new Set(proved.column('verified'))).to.deep.equal(new Set(['yes']));
    const events = rowsOf(await textOf(api, '/v1/exports/events?format=ndjson', MASKED));
    const ofOrders = await Promise.all(
      ['exact', 'dollars', 'paid', 'odd'].map((id) => listOf(api, `/v1/orders/${id}/events`, MASKED)),
    );
    expect(events).to.deep.equal(ofOrders.flatMap(({ data }) => data));
    const table = await tableOf('/v1/exports/events?format=csv');
    expect(table.column('data').join('')).to.include(DIGITS).and.to.include(WEI);
    expect(table.lines).to.have.length(5);
  });

  it('of orders tell the references of payouts that succeeded from those that did not', async () => {
    for (const [status, utr] of [
      ['fiatFailed', 'A1'],
      ['fiatDeemed', 'A2'],
      ['PayoutSuccess', 'A3'],
      ['PayoutSuccess', 'A4'],
    ] as const) {
      await give(offRamp({ orderId: 'tried', status, utr }));
    }
    const { column } = await tableOf('/v1/exports/orders');
    expect([column('utrs'), column('paidUtrs')]).to.deep.equal([['A1 A2 A3 A4'], ['A3 A4']]);
  });

  it('have a manifest with the digest of the very bytes, the rows, and the sums of each currency to the last digit', async () => {
    await giveSome();
    for (const [path, rows, sums] of [
      [
        'orders?format=csv',
        4,
        [
          ['INR', 2, '1056847.13000000012345', '1.25', '-1.5'],
          ['USD', 2, '0.3', '0', '1.5'],
        ],
      ],
      [
        'orders?format=xlsx&flow=onramp',
        2,
        [
          ['INR', 1, DIGITS, '1.25', '0'],
          ['USD', 1, '0.1', '0', '0'],
        ],
      ],
      ['events?format=ndjson&type=OffRampPending', 1, [['USD', 1, '0.2', '0', '1.5']]],
      ['audit?format=csv&q=paid', 2, []],
    ] as const) {
      const response = await api.ask(`/v1/exports/${path}`, MASKED);
      const bytes = Buffer.from(await response.arrayBuffer());
      const manifest = await manifestOf(`/v1/exports/${path.replace('?', '/manifest?')}`);
      expect(manifest.sha256, path).to.equal(createHash('sha256').update(bytes).digest('hex'));
      expect([manifest.rows, manifest.bytes], path).to.deep.equal([rows, bytes.length]);
      expect(manifest.position).to.equal(response.headers.get('X-Position'));
      expect(
        manifest.sums.map(({ currency, rows: ofIt, fiat, commission, tds }) => [currency, ofIt, fiat, commission, tds]),
        path,
      ).to.deep.equal(sums);
    }
    const { filters, personalData } = await manifestOf(
      '/v1/exports/orders/manifest?flow=onramp&from=2023-03-01',
      SHOWN,
    );
    expect([filters, personalData]).to.deep.equal([{ flow: 'onramp', from: '2023-03-01' }, 'shown']);
  });

  it('keep the manifest of a download, whatever the clock and the log say later', async () => {
    await give(onRamp({ orderId: 'a', createdAt: '2023-03-01T06:00:00.000Z' }));
    const download = await api.ask('/v1/exports/orders', MASKED);
    const digest = createHash('sha256')
      .update(await download.text())
      .digest('hex');
    const position = download.headers.get('X-Position') ?? '';
    clock = instantOf(Date.UTC(2023, 2, 1, 12));
    // The same position, and yet another file: the order is overdue by now.
    expect((await tableOf('/v1/exports/orders')).column('overdue')).to.deep.equal(['true']);
    clock = NOW;
    expect((await tableOf('/v1/exports/orders')).column('overdue')).to.deep.equal(['false']);
    clock = instantOf(Date.UTC(2023, 2, 1, 12));
    await give(onRamp({ orderId: 'b' }));
    const kept = await manifestOf(`/v1/exports/orders/manifest?position=${position}`);
    expect([kept.sha256, kept.position, kept.rows]).to.deep.equal([digest, position, 1]);
    const current = await manifestOf('/v1/exports/orders/manifest');
    expect([current.position, current.rows]).to.deep.equal(['1', 2]);
    expect((await manifestOf(`/v1/exports/orders/manifest?position=${position}`, SHOWN)).rows).to.equal(2);
  });

  it('have each the manifest of the file that was given, also where two that are asked for alike differ by the clock', async () => {
    await give(onRamp({ orderId: 'a', createdAt: '2023-03-01T06:00:00.000Z' }));
    const other = 'audit:read+orders:read+reports:read';
    const download = async (at: Instant, scopes: string) => {
      clock = at;
      const answer = await api.ask('/v1/exports/orders', scopes);
      const sha256 = createHash('sha256')
        .update(await answer.text())
        .digest('hex');
      return { sha256, askedAt: answer.headers.get('X-Asked-At'), position: answer.headers.get('X-Position') };
    };
    const early = await download(NOW, MASKED);
    const late = await download(instantOf(Date.UTC(2023, 2, 1, 12)), other);
    expect(early.position).to.equal(late.position);
    expect(early.sha256).not.to.equal(late.sha256);
    const path = `/v1/exports/orders/manifest?position=${early.position}`;
    // Each key has that of its own file, and whoever names the moment of one has the manifest of that.
    expect((await manifestOf(path)).sha256).to.equal(early.sha256);
    expect((await manifestOf(path, other)).sha256).to.equal(late.sha256);
    for (const { askedAt, sha256 } of [early, late]) {
      for (const scopes of [MASKED, other]) {
        expect((await manifestOf(`${path}&askedAt=${askedAt}`, scopes)).sha256, scopes).to.equal(sha256);
      }
    }
  });

  it('show no personal data without pii:read, in no format', async () => {
    await give(offRamp({ orderId: 'a' }));
    await give(
      offRamp({ orderId: 'a', customer: { id: 'c', name: 'Olga Other', email: 'olga@example.com', phone: {} } }),
    );
    for (const path of [
      'orders?format=csv',
      'orders?format=ndjson',
      'events?format=csv',
      'events?format=ndjson',
      'audit',
    ]) {
      const text = await textOf(api, `/v1/exports/${path}`, MASKED);
      for (const needle of ['Vikram', 'vikram.shah', '9876543210', 'Olga', 'olga@'])
        expect(text, path).not.to.include(needle);
      if (!path.startsWith('audit'))
        expect(await textOf(api, `/v1/exports/${path}`, SHOWN)).to.include('vikram.shah@example.com');
    }
    expect((await refusalOf(api, '/v1/exports/orders?q=a@example.com', MASKED)).is).to.equal('403 forbidden');
  });

  it('are cut off at a damaged event, and never look whole; the trail shows it', async () => {
    for (const orderId of ['a', 'b', 'c']) await give(onRamp({ orderId }));
    api.store.tamper(branded<StreamName>('order-b'), 0, { data: 'gone' });
    for (const format of ['csv', 'ndjson']) {
      const failed = await textOf(api, `/v1/exports/events?format=${format}`, MASKED).catch((error: unknown) =>
        String(error),
      );
      expect(failed, format).to.match(/terminated|aborted|fetch failed/i);
    }
    expect((await refusalOf(api, '/v1/exports/events/manifest', MASKED)).is).to.equal('500 unreadable-event');
    expect(api.logged.map(({ fields }) => JSON.stringify(fields)).join('')).to.include('unreadable-event');
    expect((await tableOf('/v1/exports/audit')).lines).to.have.length(3);
  });

  it('are empty tables before the first event, and take a HEAD', async () => {
    const { header, lines } = await tableOf('/v1/exports/orders');
    expect([header[0], lines.length]).to.deep.equal(['orderId', 0]);
    expect(await textOf(api, '/v1/exports/audit?format=ndjson', MASKED)).to.equal('');
    expect((await manifestOf('/v1/exports/events/manifest')).position).to.equal(null);
    const head = await api.ask('/v1/exports/orders?format=ndjson', MASKED, { method: 'HEAD' });
    expect([head.status, head.headers.get('Content-Type')]).to.deep.equal([200, 'application/x-ndjson; charset=utf-8']);
    expect(
      (await api.ask('/v1/exports/orders', MASKED, { method: 'HEAD' })).headers.get('Content-Disposition'),
    ).to.equal('attachment; filename="orders.csv"');
  });

  it('wait for a position, and refuse what is behind or foreign', async () => {
    await give(onRamp({ orderId: 'a' }));
    api.readModels.hold();
    await give(onRamp({ orderId: 'b' }));
    const position = api.store.recorded().at(-1)?.position ?? '';
    expect((await refusalOf(api, `/v1/exports/orders?position=${position}`, MASKED)).is).to.equal('503 behind');
    expect((await tableOf('/v1/exports/audit')).lines, 'the log is ahead').to.have.length(1);
    expect((await tableOf('/v1/exports/audit?q=b')).lines, 'and its streams are').to.have.length(0);
    api.readModels.takeAway('being built');
    expect((await refusalOf(api, '/v1/exports/orders', MASKED)).is).to.equal('503 behind');
  });

  it('refuse unknown and ill-formed parameters by name, and callers without the scopes', async () => {
    for (const path of ['/v1/exports/orders', '/v1/exports/orders/manifest']) {
      await expectRefused(api, MASKED, [
        [path, 'format', ['xml', 'CSV', '']],
        [path, 'flow', ['sideways']],
        [path, 'limit', ['5']],
        [path, 'cursor', ['x']],
        [path, 'position', ['x']],
      ]);
      await expectScopes(api, path, ['orders:read', 'audit:read', 'admin']);
    }
    await expectRefused(api, MASKED, [
      ['/v1/exports/events', 'format', ['xlsx']],
      ['/v1/exports/events', 'verify', ['true']],
      ['/v1/exports/audit', 'format', ['xlsx']],
      ['/v1/exports/audit', 'verify', ['perhaps']],
      ['/v1/exports/audit', 'from', ['yesterday']],
    ]);
    await expectScopes(api, '/v1/exports/events', ['orders:read', 'audit:read']);
    await expectScopes(api, '/v1/exports/audit', ['orders:read', 'quarantine:write']);
  });

  it('of the trail hold the quarantine too, of events do not', async () => {
    await putAway(api.store, offRamp({ orderId: 'away' }));
    await give(offRamp({ orderId: 'here' }));
    expect((await tableOf('/v1/exports/audit')).column('type')).to.deep.equal([
      'DeliveryQuarantined',
      'OffRampPending',
    ]);
    expect((await tableOf('/v1/exports/events')).column('data.orderId')).to.deep.equal(['here']);
    expect((await tableOf('/v1/exports/events?type=DeliveryQuarantined')).lines).to.have.length(0);
  });
});
