import { expect } from 'chai';
import * as t from 'io-ts';
import type { Answer } from '../support/exchange.ts';
import { right } from '../support/right.ts';
import { KEY_NAMES, scopesOf } from './console-keys.ts';
import { deliveredOrders, FACTS, PERSONAL, UNREADABLE_BODIES } from './console-orders.ts';
import { PAGES, quarantinedPage, ROUTE_SCOPES } from './console-pages.ts';
import { consoleScene, type ConsoleScene } from './console-scene.ts';
import { hiddenField, sendForm } from './sign-in.ts';

const Quarantine = t.type({ data: t.array(t.type({ releasedAs: t.union([t.string, t.null]) })) });

/** In whatever case: currencies are shown in upper case. */
const says = (text: string, value: string): boolean => text.toLowerCase().includes(value.toLowerCase());

describe('what the console shows to whom', () => {
  let scene: ConsoleScene;
  before(async () => {
    scene = await consoleScene();
    await scene.deliver([...deliveredOrders(Date.now()), UNREADABLE_BODIES]);
    await scene.signed();
  });
  after(() => scene.close());

  it('is decided by the scopes of the key, page by page, none implying another', async () => {
    for (const key of KEY_NAMES) {
      const held = scopesOf(key);
      for (const [path, needed] of Object.entries(ROUTE_SCOPES)) {
        const answer = await scene.ask(path, key);
        const missing = needed.find((scope) => !held.includes(scope));
        expect(answer.status, `${path} as ${key}`).to.equal(missing === undefined ? 200 : 403);
        if (missing !== undefined) expect(answer.text).to.include(missing);
      }
    }
  });

  it('leads nobody to a page that they may not see', async () => {
    for (const key of KEY_NAMES) {
      for (const path of ['/', '/console/health']) {
        const links = (await scene.ask(path, key)).text.matchAll(/href="(\/[^"]*)"/g);
        for (const href of new Set([...links].map(([, href = '']) => href.replaceAll('&amp;', '&')))) {
          expect((await scene.ask(href, key)).status, `${href} from ${path} as ${key}`).to.equal(200);
        }
      }
    }
  });

  it('has nothing personal in it for a key without pii:read, on any page', async () => {
    const searched = async (): Promise<readonly Answer[]> => {
      const cookie = await scene.cookie('masked');
      const token = hiddenField(await scene.ask('/console/orders', 'masked'), 'token');
      const words = [FACTS.customerId, FACTS.email, FACTS.wallet, 'nobody'];
      return Promise.all(words.map((q) => sendForm(scene.url, '/console/search', { token, q }, { cookie })));
    };
    const files = Object.keys(ROUTE_SCOPES).filter((path) => /format=(csv|ndjson)/.test(path));
    const paths = [...PAGES.map(({ path }) => path), ...files];
    const pages = await Promise.all(paths.map((path) => scene.ask(path, 'masked')));
    const [, byEmail, ...others] = await searched();
    expect(byEmail?.status, 'a search by e-mail').to.equal(403);
    for (const { text, status } of [...pages, ...others]) {
      expect(status).to.be.oneOf([200, 303, 400, 404]);
      for (const value of PERSONAL) expect(says(text, value), value).to.equal(false);
    }
    const shown = await Promise.all(PAGES.map(({ path }) => scene.ask(path, 'full')));
    for (const value of PERSONAL)
      expect(
        shown.some(({ text }) => says(text, value)),
        value,
      ).to.equal(true);
  });

  it('is kept by no cache, framed by nobody and run by nobody else, signed in or not', async () => {
    for (const { path, key, status } of PAGES) {
      const { headers, status: given } = await scene.ask(path, key ?? 'personal');
      if (key !== null) expect(given, path).to.equal(status);
      expect(headers['cache-control'], path).to.equal('private, no-store');
      expect(headers['content-security-policy'], path).to.match(/frame-ancestors 'none'/);
      expect(headers['content-type'], path).to.equal('text/html; charset=utf-8');
    }
  });

  it('lets only those release who may, and only by the form of their own session', async () => {
    const path = `${quarantinedPage(UNREADABLE_BODIES[0] ?? '')}/release`;
    const token = hiddenField(await scene.ask('/console/orders', 'full'), 'token');
    const cookie = await scene.cookie('full');
    const released = async (): Promise<number> => {
      const { data } = right(Quarantine.decode(JSON.parse((await scene.api('/v1/quarantine')).text)));
      return data.filter(({ releasedAs }) => releasedAs !== null).length;
    };
    for (const fields of [{}, { token: 'x' }]) {
      expect((await sendForm(scene.url, path, fields, { cookie })).status).to.equal(403);
    }
    const foreign = { cookie, 'sec-fetch-site': 'cross-site' };
    expect((await sendForm(scene.url, path, { token }, foreign)).status).to.equal(403);
    const audit = await scene.cookie('audit');
    const auditToken = hiddenField(await scene.ask('/console/audit', 'audit'), 'token');
    expect((await sendForm(scene.url, path, { token: auditToken }, { cookie: audit })).status).to.equal(403);
    expect((await scene.ask(path, 'full')).status, 'looked at').to.be.oneOf([404, 405]);
    expect(await released()).to.equal(0);
    const answer = await sendForm(scene.url, path, { token }, { cookie });
    expect(answer.status).to.equal(303);
    expect((await scene.ask(String(answer.headers.location), 'full')).text).to.include('it still cannot be read');
  });
});
