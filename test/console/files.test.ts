import { expect } from 'chai';
import { deliveredOrders, ON_RAMP, UNREADABLE_BODIES } from './console-orders.ts';
import { orderPage } from './console-pages.ts';
import { consoleScene, type ConsoleScene } from './console-scene.ts';

/** A page, and for each file that it offers what the API answers with the same filters. */
const PAGES = [
  [
    '/console/orders?flow=offramp&from=&status=&limit=1',
    ['csv', 'xlsx', 'ndjson'].map((format) => `/v1/exports/orders?flow=offramp&format=${format}`),
  ],
  [
    '/console/audit?type=OffRampPayoutSuccess&limit=1',
    ['csv', 'ndjson'].map((format) => `/v1/exports/audit?type=OffRampPayoutSuccess&format=${format}`),
  ],
  [
    '/console/reports/offramp?groupBy=day&basis=settled&range=all',
    [
      ...['csv', 'xlsx'].map((format) => `/v1/reports/offramp?groupBy=day&basis=settled&format=${format}`),
      '/v1/reports/workbook?groupBy=day&basis=settled',
    ],
  ],
  [
    '/console/reports/onramp?currency=INR&range=all',
    [
      ...['csv', 'xlsx'].map((format) => `/v1/reports/onramp?currency=INR&format=${format}`),
      '/v1/reports/workbook?currency=INR',
    ],
  ],
] as const;

describe('the files of the console', () => {
  let scene: ConsoleScene;
  before(async () => {
    scene = await consoleScene();
    await scene.deliver([...deliveredOrders(Date.now()), UNREADABLE_BODIES]);
    await scene.signed();
  });
  after(() => scene.close());

  const linksIn = (text: string): readonly string[] =>
    [...text.matchAll(/<a\s+download\s+href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

  it('are the evidence of each order, for keys that may have it', async () => {
    const page = orderPage(ON_RAMP);
    const [link = ''] = linksIn((await scene.ask(page, 'full')).text);
    const [ofPage, ofApi] = [await scene.ask(link, 'full'), await scene.api(`/v1/orders/${ON_RAMP}/evidence`)];
    expect([ofPage.status, ofPage.headers['content-type']]).to.deep.equal([200, 'application/zip']);
    expect(ofPage.bytes.equals(ofApi.bytes)).to.equal(true);
    expect(linksIn((await scene.ask(page, 'masked')).text)).to.deep.equal([]);
  });

  for (const [page, files] of PAGES) {
    it(`are what the API gives, byte for byte: ${page}`, async () => {
      const links = linksIn((await scene.ask(page, 'full')).text);
      expect(links).to.have.lengthOf(files.length);
      for (const [i, link] of links.entries()) {
        const [ofPage, ofApi] = [await scene.ask(link, 'full'), await scene.api(files[i] ?? '')];
        expect([ofPage.status, ofApi.status], link).to.deep.equal([200, 200]);
        for (const name of ['content-type', 'content-disposition', 'x-position', 'cache-control']) {
          expect(ofPage.headers[name], `${name} of ${link}`).to.equal(ofApi.headers[name]);
        }
        expect(ofPage.bytes.length).to.be.greaterThan(100);
        expect(ofPage.bytes.equals(ofApi.bytes), link).to.equal(true);
      }
    });
  }

  it('are offered to nobody who may not have them', async () => {
    expect(linksIn((await scene.ask('/console/orders', 'orders')).text)).to.deep.equal([]);
    expect((await scene.ask('/console/files/orders?format=csv', 'orders')).status).to.equal(403);
  });

  it('with a filter that is wrong are a page that says so', async () => {
    const answer = await scene.ask('/console/files/orders?format=pdf', 'full');
    expect(answer.status).to.equal(400);
    expect(answer.headers['content-type']).to.include('text/html');
    expect(answer.text).to.match(/format: expected/i);
  });
});
