import { expect } from 'chai';
import type { Decimal } from '../../src/domain/decimal.ts';
import { branded } from '../../src/domain/brand.ts';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { OpenExport } from '../../src/queries/exports/exporter.ts';
import type { ExportRequest } from '../../src/queries/exports/export-request.ts';
import type { Pieces } from '../../src/queries/exports/export-table.ts';
import { writtenManifest } from '../../src/queries/exports/written-manifest.ts';
import { EVERY_ORDER } from '../../src/read-models/order-filter.ts';
import { NOW } from '../support/route-dependencies.ts';
import { serveApi } from '../support/serve-api.ts';

const SCOPES = 'audit:read+orders:read';

async function* aPiece(): Pieces {
  await Promise.resolve();
  yield E.right(new Uint8Array(7));
}

const ONE = branded<Decimal>('1');

const REQUEST: ExportRequest = {
  kind: 'orders',
  format: 'csv',
  personal: 'masked',
  filters: { q: 'a' },
  timeZone: 'UTC',
  now: NOW,
  filter: EVERY_ORDER,
};

describe('the manifest of an export', () => {
  it('is sent as it was written where the file is made', async () => {
    const bytes = new TextEncoder().encode('"made elsewhere"');
    const open = (request: ExportRequest): OpenExport => ({
      position: null,
      pieces: aPiece(),
      manifest: () => ({ request, position: null, bytes }),
      close: () => Promise.resolve(),
    });
    const api = await serveApi({ exporter: (request) => TE.right(open(request)) });
    const answer = await api.ask('/v1/exports/orders/manifest', SCOPES);
    expect([answer.status, await answer.text()]).to.deep.equal([200, '"made elsewhere"']);
    expect(answer.headers.get('Content-Type')).to.equal('application/json; charset=utf-8');
    await api.close();
  });

  it('is the text of its resource', () => {
    const sums = [{ currency: 'INR', rows: 1, fiat: ONE, commission: ONE, tds: ONE }];
    const sha256 = 'a'.repeat(64);
    const figures = { request: REQUEST, position: null, recordedAt: null, rows: 1, bytes: 7, sha256, sums };
    const text = Buffer.from(writtenManifest(figures).bytes).toString();
    expect(text).to.equal(
      `{"export":"orders","format":"csv","personalData":"masked","filters":{"q":"a"},"timeZone":"UTC","position":null,"recordedAt":null,"askedAt":"${NOW}","rows":1,"bytes":7,"sha256":"${sha256}","sums":${JSON.stringify(sums)}}`,
    );
  });
});
