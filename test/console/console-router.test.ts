import { join } from 'node:path';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { SESSION_SECONDS } from '../../src/console/session.ts';
import { exchange, type Answer } from '../support/exchange.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { keyOf, PER_MINUTE, routerScene, type RouterScene } from './router-scene.ts';
import { cookieOf, hiddenField, sendForm, SESSION_COOKIE, setCookies, signedInCookie, trySignIn } from './sign-in.ts';

const KEY = 'reader-api-key-of-at-least-24-bytes';
const OTHER_KEY = 'other-api-key-of-at-least-24-bytes';
const READER = keyOf('reader', KEY, ['orders:read']);
const OTHER = keyOf('other', OTHER_KEY, ['orders:read']);
const SEEN = '/console/orders';

describe('the frame of the console', () => {
  let scene: RouterScene;
  beforeEach(async () => {
    scene = await routerScene([READER, OTHER]);
  });
  afterEach(() => scene.close());

  const see = (cookie: string, path = SEEN): Promise<Answer> => exchange(scene.url, { path, headers: { cookie } });
  const signIn = (key = KEY): Promise<string> => signedInCookie(scene.url, key);
  const expectSignedIn = async (cookie: string, id = 'reader'): Promise<void> => {
    expect((await see(cookie)).text).to.include(`<h1>${id}</h1>`);
  };
  const expectSignedOut = async (cookie: string): Promise<void> => {
    expect((await see(cookie)).text).to.include('<h1>Sign in</h1>');
  };

  it('leads from addresses that people shorten by hand to the pages that they mean', async () => {
    const meant = { '/console': '/', '/console/': '/', '/console/reports': '/console/reports/onramp' };
    for (const [path, page] of Object.entries(meant)) {
      const answer = await exchange(scene.url, { path });
      expect([answer.status, answer.headers.location], path).to.deep.equal([303, page]);
    }
  });

  describe('a sign-in', () => {
    it('leads to the page that was asked for, as the key that was shown', async () => {
      const answer = await trySignIn(scene.url, ` ${KEY} `, `${SEEN}?a=1`);
      expect([answer.status, answer.headers.location]).to.deep.equal([303, `${SEEN}?a=1`]);
      await expectSignedIn(cookieOf(answer, SESSION_COOKIE));
      await expectSignedIn(await signIn(OTHER_KEY), 'other');
    });

    it('gives a cookie that no script reads and no other site sends', async () => {
      const [cookie = '', ...others] = setCookies(await trySignIn(scene.url, KEY)).map((text) => text.split('; '));
      expect(others).to.deep.equal([]);
      expect(cookie.slice(1)).to.have.members(['Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${SESSION_SECONDS}`]);
    });

    it('lets nothing but TLS carry the cookies where the host is not of this machine', async () => {
      const host = { host: 'ledger.example' };
      const form = await exchange(scene.url, { path: SEEN, headers: host });
      expect(setCookies(form)[0]).to.match(
        /^__Host-ramp-ledger-sign-in=.*; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      );
      const fields = { token: hiddenField(form, 'token'), next: SEEN, key: KEY };
      const given = { ...host, cookie: cookieOf(form, '__Host-ramp-ledger-sign-in') };
      const answer = await sendForm(scene.url, '/console/sign-in', fields, given);
      expect(setCookies(answer)[0]).to.match(/^__Host-ramp-ledger-session=.*; Secure$/);
      const cookie = cookieOf(answer, '__Host-ramp-ledger-session');
      const seen = await exchange(scene.url, { path: SEEN, headers: { ...host, cookie } });
      expect(seen.text).to.include('<h1>reader</h1>');
      // A cookie without the prefix may have been set by a neighbour, over plain HTTP.
      const plain = cookie.replace('__Host-', '');
      expect((await exchange(scene.url, { path: SEEN, headers: { ...host, cookie: plain } })).text).to.include(
        'Sign in',
      );
    });

    it('behind a proxy has its cookies for TLS alone, and takes forms of the public address only', async () => {
      const proxied = await routerScene([READER], { publicUrl: 'https://ledger.example' });
      const form = await exchange(proxied.url, { path: SEEN });
      expect(setCookies(form)[0]).to.match(/^__Host-ramp-ledger-sign-in=.*; Secure$/);
      const fields = { token: hiddenField(form, 'token'), next: SEEN, key: KEY };
      const cookie = cookieOf(form, '__Host-ramp-ledger-sign-in');
      const signedIn = async (origin: string): Promise<number> =>
        (await sendForm(proxied.url, '/console/sign-in', fields, { cookie, origin })).status;
      for (const origin of ['https://evil.example', 'http://ledger.example', 'https://ledger.example:8443', 'null']) {
        expect(await signedIn(origin), origin).not.to.equal(303);
      }
      expect(await signedIn('https://ledger.example')).to.equal(303);
      await proxied.close();
    });

    it('with a wrong key is refused, and says so beside the field', async () => {
      for (const key of ['', 'no-key', `${KEY}x`, KEY.slice(1)]) {
        const answer = await trySignIn(scene.url, key);
        expect([answer.status, answer.headers['location']]).to.deep.equal([401, undefined]);
        expect(answer.text).to.include('This key is not valid.').and.to.include('aria-invalid="true"');
        if (key !== '') expect(answer.text).not.to.include(key);
        expect(setCookies(answer).filter((text) => text.startsWith(SESSION_COOKIE))).to.deep.equal([]);
      }
    });

    it('may be tried with wrong keys so often from one address, and from another one meanwhile', async () => {
      const proxied = await routerScene([READER], { publicUrl: 'https://ledger.example' });
      const form = await exchange(proxied.url, { path: SEEN });
      const cookie = cookieOf(form, '__Host-ramp-ledger-sign-in');
      const tried = async (key: string, from: string): Promise<Answer> => {
        const fields = { token: hiddenField(form, 'token'), next: SEEN, key };
        return sendForm(proxied.url, '/console/sign-in', fields, { cookie, 'x-forwarded-for': from });
      };
      // A right one takes nothing from what is left.
      for (let n = 0; n < 20; n += 1) expect((await tried(KEY, '203.0.113.7')).status).to.equal(303);
      const statuses = await Promise.all(
        Array.from({ length: 15 }, async (_, n) => (await tried(`wrong-${n}`, `198.51.100.${n}, 203.0.113.7`)).status),
      );
      expect(statuses.filter((status) => status === 401)).to.have.length(10);
      const refused = await tried(KEY, '203.0.113.7');
      expect(refused.status).to.equal(429);
      expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
      expect(refused.text).to.include('Too many keys from your address were wrong.');
      expect((await tried(KEY, '203.0.113.8')).status).to.equal(303);
      await proxied.close();
    });

    it('is taken only from the form that was given out with its cookie', async () => {
      const form = await exchange(scene.url, { path: SEEN });
      const cookie = cookieOf(form, 'ramp-ledger-sign-in');
      const token = hiddenField(form, 'token');
      const tries = [
        { fields: { token, key: KEY }, headers: {} },
        { fields: { token: 'x'.repeat(token.length), key: KEY }, headers: { cookie } },
        { fields: { key: KEY }, headers: { cookie } },
        { fields: { token, key: KEY }, headers: { cookie, 'sec-fetch-site': 'cross-site' } },
        { fields: { token, key: KEY }, headers: { cookie, origin: 'https://evil.example' } },
      ];
      for (const { fields, headers } of tries) {
        const answer = await sendForm(scene.url, '/console/sign-in', fields, headers);
        expect(answer.status).to.equal(401);
        expect(setCookies(answer).filter((text) => text.startsWith(SESSION_COOKIE))).to.deep.equal([]);
      }
      expect((await sendForm(scene.url, '/console/sign-in', { token, key: KEY }, { cookie })).status).to.equal(303);
    });

    it('leads to no other site, whatever the form says', async () => {
      const form = await exchange(scene.url, { path: SEEN });
      const cookie = cookieOf(form, 'ramp-ledger-sign-in');
      const elsewhere = [
        'https://evil.example/',
        '//evil.example/',
        String.raw`/\evil.example/`,
        String.raw`/a\..\..\evil`,
        'javascript:alert(1)',
        'evil',
        '',
        '/ok\r\nSet-Cookie: a=b',
        '/\t/evil.example',
        `/${'a'.repeat(3_000)}`,
      ];
      for (const next of elsewhere) {
        const fields = { token: hiddenField(form, 'token'), key: KEY, next };
        const answer = await sendForm(scene.url, '/console/sign-in', fields, { cookie });
        expect([answer.status, answer.headers.location], next).to.deep.equal([303, '/']);
      }
    });
  });

  describe('a session', () => {
    it('is over after a working day', async () => {
      const cookie = await signIn();
      scene.passSeconds(SESSION_SECONDS - 1);
      await expectSignedIn(cookie);
      scene.passSeconds(1);
      await expectSignedOut(cookie);
    });

    it('ends when its key is taken out of the configuration, or is another', async () => {
      const cookie = await signIn();
      scene.setKeys([OTHER]);
      await expectSignedOut(cookie);
      scene.setKeys([keyOf('reader', OTHER_KEY, ['orders:read']), OTHER]);
      await expectSignedOut(cookie);
      scene.setKeys([READER]);
      await expectSignedIn(cookie);
    });

    it('may what its key may now', async () => {
      const cookie = await signIn();
      scene.setKeys([keyOf('reader', KEY, ['audit:read'])]);
      const answer = await see(cookie);
      expect(answer.status).to.equal(403);
      expect(answer.text).to.include('orders:read');
    });

    it('is nothing that can be made, lengthened or handed on to another key', async () => {
      const pair = await signIn();
      const token = pair.slice(SESSION_COOKIE.length + 1);
      const [id = '', expires = '', nonce = '', signed = ''] = token.split('.');
      const otherId = Buffer.from('other').toString('base64url');
      const forged = [
        `${otherId}.${expires}.${nonce}.${signed}`,
        `${id}.${Number(expires) + 1}.${nonce}.${signed}`,
        `${id}.0${expires}.${nonce}.${signed}`,
        `${id}=.${expires}.${nonce}.${signed}`,
        `${id}.${expires}.${nonce}x.${signed}`,
        `${id}.${expires}.${nonce}.`,
        `${id}.${expires}.${nonce}`,
        `${token}.`,
        '',
        '...',
      ];
      for (const text of forged) await expectSignedOut(`${SESSION_COOKIE}=${text}`);
      const altered = fc
        .record({ at: fc.nat(token.length - 1), by: fc.constantFrom('a', 'b', 'X', 'Z', '0', '9', '-', '_', '.', '~') })
        .map(({ at, by }) => token.slice(0, at) + by + token.slice(at + 1))
        .filter((text) => text !== token);
      await fc.assert(
        fc.asyncProperty(altered, (text) => expectSignedOut(`${SESSION_COOKIE}=${text}`)),
        { numRuns: 50 },
      );
      await expectSignedIn(pair);
    });

    it('ends at the sign-out, in the browser and for whoever kept its cookie', async () => {
      const [cookie, other] = [await signIn(), await signIn()];
      const token = hiddenField(await see(cookie), 'token');
      const answer = await sendForm(scene.url, '/console/sign-out', { token }, { cookie });
      expect([answer.status, answer.headers.location]).to.deep.equal([303, '/']);
      expect(setCookies(answer)[0]).to.match(new RegExp(`^${SESSION_COOKIE}=; Path=/; .*Max-Age=0`));
      await expectSignedOut(cookie);
      await expectSignedIn(other);
    });

    it('that was ended stays so when the ledger starts again, also where nobody can read which were', async () => {
      const folder = temporaryFolder();
      const file = join(folder.path, 'ended-sessions');
      const keeping = async <A>(endedIn: string, use: (at: RouterScene) => Promise<A>): Promise<A> => {
        const at = await routerScene([READER], { endedIn });
        try {
          return await use(at);
        } finally {
          await at.close();
        }
      };
      const seenAt = async (at: RouterScene, cookie: string): Promise<boolean> =>
        (await exchange(at.url, { path: SEEN, headers: { cookie } })).text.includes('<h1>reader</h1>');
      const [ended, kept] = await keeping(file, async (at) => {
        const both = [await signedInCookie(at.url, KEY), await signedInCookie(at.url, KEY)] as const;
        const page = await exchange(at.url, { path: SEEN, headers: { cookie: both[0] } });
        await sendForm(at.url, '/console/sign-out', { token: hiddenField(page, 'token') }, { cookie: both[0] });
        return both;
      });
      expect(await keeping(file, (at) => seenAt(at, ended))).to.equal(false);
      expect(await keeping(file, (at) => seenAt(at, kept))).to.equal(true);
      // A folder in its place can't be read as a file.
      expect(await keeping(folder.path, (at) => seenAt(at, kept))).to.equal(false);
      folder.remove();
    });

    it('has its live events until it ends, and no longer', async () => {
      const ends: readonly (readonly [string, (cookie: string) => unknown])[] = [
        [
          'sign-out',
          async (cookie) =>
            sendForm(scene.url, '/console/sign-out', { token: hiddenField(await see(cookie), 'token') }, { cookie }),
        ],
        ['expiry', () => scene.passSeconds(SESSION_SECONDS)],
        ['no key', () => scene.setKeys([OTHER])],
      ];
      for (const [how, end] of ends) {
        const cookie = await signIn();
        const stream = await fetch(`${scene.url}/console/live`, { headers: { cookie } });
        expect(stream.headers.get('content-type'), how).to.match(/^text\/event-stream/);
        const text = stream.text();
        await end(cookie);
        expect(await text, how).to.match(/^retry: /);
      }
    });

    it('is another one after each sign-in, whatever cookie the browser had before', async () => {
      const planted = await signIn(OTHER_KEY);
      const form = await exchange(scene.url, { path: SEEN });
      const fields = { token: hiddenField(form, 'token'), next: SEEN, key: KEY };
      const both = `${planted}; ${cookieOf(form, 'ramp-ledger-sign-in')}`;
      const own = cookieOf(await sendForm(scene.url, '/console/sign-in', fields, { cookie: both }), SESSION_COOKIE);
      expect(own).not.to.equal(planted);
      await expectSignedIn(own, 'reader');
      await expectSignedIn(planted, 'other');
    });

    it('asks as often as its key may, and is then told when to come again', async () => {
      const cookie = await signIn();
      for (let n = 0; n < PER_MINUTE; n += 1) await see(cookie);
      const answer = await see(cookie);
      expect(answer.status).to.equal(429);
      expect(Number(answer.headers['retry-after'])).to.be.within(1, 60);
      expect(answer.text).to.include('Too many requests');
    });
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
