import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { branded } from '../../src/domain/brand.ts';
import type { Position, RequestId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { readContent } from '../../src/domain/read-content.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { recordDelivery } from '../../src/ledger/record-delivery.ts';
import { eventBytes, eventsOfPage } from '../../src/queries/trail/events-of-page.ts';
import { PAGE_BYTES } from '../../src/read-models/page-bytes.ts';
import { listOf } from '../support/asking.ts';
import { bodyOf, onRamp, verifiedDelivery } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { there } from '../support/sqlite-read-models.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';

const TRAIL = '/v1/audit';
const SCOPE = 'audit:read';
const EVENTS = 20;

/** As callers may send one and the same, for as many deliveries as they like. */
const REQUEST = branded<RequestId>('one-and-the-same');

/** Some of a page, one that is larger than a page, and small ones. */
const sizeOf = (i: number): number => (i === 9 ? PAGE_BYTES + 1 : i > 14 ? 100 : 400_000);

describe('large events in the trail', () => {
  let api: ServedApi;
  let positions: readonly string[];

  before(async () => {
    api = await serveApi();
    const record = recordDelivery({ store: api.store, recent: new RecentOrders(0), quarantined: new Set() });
    for (let i = 0; i < EVENTS; i += 1) {
      const body = bodyOf(onRamp({ metaData: { note: 'x'.repeat(sizeOf(i)) } }));
      const receivedAt = instantOf(Date.UTC(2024, 0, 1) + i);
      const verified = verifiedDelivery(body, { receivedAt, requestId: REQUEST, secretId: branded('primary') });
      right(await record({ verified, content: readContent(body) })());
    }
    positions = api.store.recorded().map(({ position }) => position);
  });
  after(() => api.close());

  for (const query of ['', 'verify=true', `q=${REQUEST}`, 'type=OnRampFiatPending']) {
    for (const limit of [3, 500]) {
      it(`end a page by their size, and are each on one: ${query}, ${limit} at the most`, async () => {
        const found: unknown[] = [];
        let pages = 0;
        for (let cursor: string | null = null, more = true; more; pages += 1) {
          const behind: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
          const { data, next } = await listOf(api, `${TRAIL}?${query}&limit=${limit}${behind}`, SCOPE);
          const its = new Set(data.map(({ position }) => position));
          const events = api.store.recorded().filter(({ position }) => its.has(position));
          const bytes = events.reduce((sum, event) => sum + eventBytes(event), 0);
          expect(data).not.to.deep.equal([]);
          if (data.length > 1) expect(bytes).to.be.at.most(PAGE_BYTES);
          found.push(...data.map(({ position }) => position));
          cursor = next;
          more = next !== null;
        }
        expect(found).to.deep.equal(positions);
        expect(pages).to.be.greaterThan(3);
      });
    }
  }

  it('are read for a page no more than a few beyond it, usual ones all at once', async () => {
    const asked: number[] = [];
    const large = there(api.store.recorded()[0]);
    const readAs = (size: number) => ({
      readAt: (at: readonly Position[]) => {
        asked.push(at.length);
        return TE.right(at.map((position) => ({ ...large, data: 'x'.repeat(size), position })));
      },
    });
    const many = Array.from({ length: 500 }, (_, i) => branded<Position>(String(i)));
    const first = right(await eventsOfPage(readAs(150_000), many)());
    expect([first.events.length, first.areAll]).to.deep.equal([13, false]);
    const usual = right(await eventsOfPage(readAs(1_000), many)());
    expect([usual.events.length, usual.areAll]).to.deep.equal([500, true]);
    const larger = right(await eventsOfPage(readAs(30_000), many)());
    expect([larger.events.length, larger.areAll]).to.deep.equal([69, false]);
    expect(asked).to.deep.equal([50, 50, 450, 50, 20]);
  });
});
