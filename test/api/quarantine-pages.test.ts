import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { quarantineEvent } from '../../src/domain/new-event.ts';
import { PAGE_BYTES } from '../../src/read-models/page-bytes.ts';
import { listOf } from '../support/asking.ts';
import { arrived } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { routeDoubles } from '../support/route-dependencies.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';
import { openSqliteReadModels } from '../support/sqlite-read-models.ts';
import type { OpenReadModels } from '../read-models/read-models-contract.ts';

const LIST = '/v1/quarantine';
const DELIVERIES = 24;

/** Of few reasons and of many, and one that is larger than a page. */
const reasonsOf = (i: number): number => (i === 9 ? 30_000 : i > 17 ? 1 : 3_000);

describe('deliveries in quarantine for many reasons', () => {
  let models: OpenReadModels;
  let api: ServedApi;
  const hashes: string[] = [];
  before(async () => {
    const { store, readModels } = routeDoubles();
    for (let i = 0; i < DELIVERIES; i += 1) {
      const verified = arrived(Buffer.from(`{"${randomUUID()}":`));
      const reasons = Array.from({ length: reasonsOf(i) }, (_, at) => ({
        path: `member-${at}`.padEnd(80, '0'),
        message: 'x',
      }));
      const { stream, event } = quarantineEvent(verified, reasons, null);
      right(await store.append(stream, 'none', [event])());
      hashes.push(verified.bodySha256);
    }
    models = await openSqliteReadModels(store, 'UTC');
    api = await serveApi({ store, readModels: { ...readModels, ...models.answers } });
  });
  after(async () => {
    await api.close();
    await models.close();
  });

  for (const limit of [3, 500])
    it(`end a page by their size, and are each on one: ${limit} at the most`, async () => {
      const found: unknown[] = [];
      const sizes: number[] = [];
      for (let behind = '', more = true; more;) {
        const { data, next } = await listOf(api, `${LIST}?limit=${limit}${behind}`, 'audit:read');
        expect(data).not.to.deep.equal([]);
        if (data.length > 1) expect(JSON.stringify(data).length).to.be.at.most(PAGE_BYTES * 1.01);
        found.push(...data.map(({ bodySha256 }) => bodySha256));
        sizes.push(data.length);
        behind = `&cursor=${encodeURIComponent(next ?? '')}`;
        more = next !== null;
      }
      expect(found).to.deep.equal(hashes);
      expect(sizes.some((size) => size > 1 && size <= limit)).to.equal(true);
      expect(sizes.length).to.be.greaterThan(3);
    });
});
