import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { exchange, type Answer } from '../support/exchange.ts';
import { keyOf, routerScene, type RouterScene } from './router-scene.ts';
import { hiddenField, sendForm, setCookies } from './sign-in.ts';
import { KEY, OTHER, READER, readersAt, SEEN } from './readers.ts';

describe('the frame of the console', () => {
  let scene: RouterScene;
  beforeEach(async () => {
    scene = await routerScene([READER, OTHER]);
  });
  afterEach(() => scene.close());
  const { see, signIn, expectSignedIn, expectSignedOut } = readersAt(() => scene);

  it('leads from addresses that people shorten by hand to the pages that they mean', async () => {
    const meant = {
      '/console': '/',
      '/console/': '/',
      '/console/reports': '/console/reports/onramp',
      // Its words are posted: by its address there are none.
      '/console/search': '/console/orders#search',
      '/console/reconciliation/search': '/console/reconciliation',
    };
    for (const [path, page] of Object.entries(meant)) {
      const answer = await exchange(scene.url, { path });
      expect([answer.status, answer.headers.location], path).to.deep.equal([303, page]);
    }
  });

  describe('a form', () => {
    const DONE = '/console/done';
    it('does what it says where it comes from a page of its own session', async () => {
      const cookie = await signIn();
      const token = hiddenField(await see(cookie), 'token');
      const { host } = new URL(scene.url);
      const from = [{}, { 'sec-fetch-site': 'same-origin', origin: 'null' }, { origin: `http://${host}` }];
      for (const headers of from) {
        const answer = await sendForm(scene.url, DONE, { token, what: 'this' }, { cookie, ...headers });
        expect([answer.status, answer.headers.location]).to.deep.equal([303, SEEN]);
      }
      expect(scene.done.map((form) => form.get('what'))).to.deep.equal(['this', 'this', 'this']);
    });

    it('does nothing without the token of its own session, or from anywhere else', async () => {
      const [cookie, other] = [await signIn(), await signIn()];
      const token = hiddenField(await see(cookie), 'token');
      const othersToken = hiddenField(await see(other), 'token');
      expect(othersToken).not.to.equal(token);
      const tries: readonly (readonly [Record<string, string>, Record<string, string>])[] = [
        [{}, {}],
        [{ token: '' }, {}],
        [{ token: othersToken }, {}],
        [{ token: hiddenField(await exchange(scene.url, { path: SEEN }), 'token') }, {}],
        [{ token: `${token}x` }, {}],
        [{ token }, { 'sec-fetch-site': 'cross-site' }],
        [{ token }, { 'sec-fetch-site': 'same-site' }],
        [{ token }, { 'sec-fetch-site': 'none' }],
        [{ token }, { origin: 'https://evil.example' }],
        [{ token }, { origin: 'null' }],
        [{ token }, { 'content-type': 'text/plain' }],
        [{ token, what: 'x'.repeat(20_000) }, {}],
      ];
      for (const path of [DONE, '/console/sign-out']) {
        for (const [fields, headers] of tries) {
          const answer = await sendForm(scene.url, path, fields, { cookie, ...headers });
          expect(answer.status, JSON.stringify([path, fields, headers]).slice(0, 200)).to.equal(403);
          expect(setCookies(answer)).to.deep.equal([]);
          expect(answer.text).to.include('This form is no longer valid');
        }
      }
      expect(scene.done).to.deep.equal([]);
    });

    it('does nothing for somebody who has not signed in, or lacks the scope', async () => {
      const cookie = await signIn();
      const token = hiddenField(await see(cookie), 'token');
      expect((await sendForm(scene.url, DONE, { token })).text).to.include('<h1>Sign in</h1>');
      scene.setKeys([keyOf('reader', KEY, ['audit:read'])]);
      expect((await sendForm(scene.url, DONE, { token }, { cookie })).status).to.equal(403);
      expect(scene.done).to.deep.equal([]);
    });
  });

  it('has large pages made elsewhere, and makes them itself where that can not be', async () => {
    const cookie = await signIn();
    const routes: string[] = [];
    scene.handOverPage(({ route, scriptNonce, session }) => {
      routes.push(route);
      const bytes = new TextEncoder().encode(
        `<script nonce="${scriptNonce}"></script><h1>${session.id} elsewhere</h1>`,
      );
      return Promise.resolve(E.right({ _tag: 'Document', status: 200, bytes }));
    });
    const made = await see(cookie);
    expect(made.text).to.include('<h1>reader elsewhere</h1>');
    const [, nonce = '?'] = /nonce="([^"]+)"/.exec(made.text) ?? [];
    expect(made.headers['content-security-policy']).to.include(`'nonce-${nonce}'`);
    expect(made.headers['content-type']).to.equal('text/html; charset=utf-8');
    const month = (name: string): Promise<Answer> =>
      exchange(scene.url, { path: `/console/periods/${name}`, headers: { cookie } });
    expect((await month('closed')).text).to.include('<h1>reader elsewhere</h1>');
    expect((await month('open')).text).to.include('<h1>here</h1>');
    expect((await month('x')).status).to.equal(404);
    scene.handOverPage(() => Promise.resolve(E.right({ _tag: 'SeeOther', location: '/console/orders/x' })));
    expect((await see(cookie)).headers.location).to.equal('/console/orders/x');
    scene.handOverPage(() => Promise.resolve(E.left({ _tag: 'NotFound', what: 'order' })));
    expect((await see(cookie)).status).to.equal(404);
    scene.handOverPage(() => Promise.resolve(null));
    await expectSignedIn(cookie);
    // Nobody who has not signed in has anything made.
    await expectSignedOut('');
    expect(routes).to.deep.equal([SEEN, '/console/periods/{period}']);
  });

  it('is framed by nobody, kept by no cache, and loads nothing that is not its own', async () => {
    const cookie = await signIn();
    const nonces = new Set<string>();
    for (const headers of [{ cookie }, { cookie }, {}]) {
      const answer = await exchange(scene.url, { path: SEEN, headers });
      expect(answer.headers['cache-control']).to.equal('private, no-store');
      expect(answer.headers['x-frame-options']).to.equal('DENY');
      const policy = String(answer.headers['content-security-policy']);
      expect(policy)
        .to.match(/default-src 'none'/)
        .and.to.match(/frame-ancestors 'none'/)
        .and.to.match(/base-uri 'none'/);
      expect(policy).not.to.match(/unsafe|\*|https?:|data:/);
      const nonce = /script-src 'nonce-([\w-]{22,})'/.exec(policy)?.[1] ?? '';
      expect(answer.text).to.include(`nonce="${nonce}"`);
      nonces.add(nonce);
    }
    expect(nonces.size).to.equal(3);
  });
});
