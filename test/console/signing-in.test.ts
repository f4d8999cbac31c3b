import { request } from 'node:http';
import { expect } from 'chai';
import { SESSION_SECONDS } from '../../src/console/session.ts';
import { exchange, type Answer } from '../support/exchange.ts';
import { routerScene, type RouterScene } from './router-scene.ts';
import { cookieOf, formAddress, hiddenField, sendForm, SESSION_COOKIE, setCookies, trySignIn } from './sign-in.ts';
import { KEY, OTHER, OTHER_KEY, READER, readersAt, SEEN } from './readers.ts';

/** So many questions behind each other are answered later than a form that nothing is waited for. */
const LATER = 50;

describe('a sign-in', () => {
  let scene: RouterScene;
  beforeEach(async () => {
    scene = await routerScene([READER, OTHER]);
  });
  afterEach(() => scene.close());
  const { signIn, expectSignedIn } = readersAt(() => scene);

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
    expect(setCookies(form)[0]).to.match(/^__Host-ramp-ledger-sign-in=.*; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    const fields = { token: hiddenField(form, 'token'), key: KEY };
    const given = { ...host, cookie: cookieOf(form, '__Host-ramp-ledger-sign-in') };
    const answer = await sendForm(scene.url, '/console/sign-in', fields, given);
    expect(setCookies(answer)[0]).to.match(/^__Host-ramp-ledger-session=.*; Secure$/);
    const cookie = cookieOf(answer, '__Host-ramp-ledger-session');
    const seen = await exchange(scene.url, { path: SEEN, headers: { ...host, cookie } });
    expect(seen.text).to.include('<h1>reader</h1>');
    // A cookie without the prefix may have been set by a neighbour, over plain HTTP.
    const plain = cookie.replace('__Host-', '');
    expect((await exchange(scene.url, { path: SEEN, headers: { ...host, cookie: plain } })).text).to.include('Sign in');
  });

  it('behind a proxy has its cookies for TLS alone, and takes forms of the public address only', async () => {
    const proxied = await routerScene([READER], { publicUrl: 'https://ledger.example' });
    const form = await exchange(proxied.url, { path: SEEN });
    expect(setCookies(form)[0]).to.match(/^__Host-ramp-ledger-sign-in=.*; Secure$/);
    const fields = { token: hiddenField(form, 'token'), key: KEY };
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
      const fields = { token: hiddenField(form, 'token'), key };
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
    expect(refused.text).to.include('Too many keys were wrong.');
    expect((await tried(KEY, '203.0.113.8')).status).to.equal(303);
    await proxied.close();
  });

  it('is taken from the form of each tab, whichever was opened last', async () => {
    const first = await exchange(scene.url, { path: SEEN });
    const cookie = cookieOf(first, 'ramp-ledger-sign-in');
    const second = await exchange(scene.url, { path: SEEN, headers: { cookie } });
    const kept = cookieOf(second, 'ramp-ledger-sign-in');
    for (const form of [second, first]) {
      const fields = { token: hiddenField(form, 'token'), key: KEY };
      expect((await sendForm(scene.url, '/console/sign-in', fields, { cookie: kept })).status).to.equal(303);
    }
    // A text that no form of this console has is not taken over.
    const planted = await exchange(scene.url, { path: SEEN, headers: { cookie: 'ramp-ledger-sign-in=planted' } });
    expect(hiddenField(planted, 'token')).to.match(/^[\w-]{24}$/);
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
      const fields = { token: hiddenField(form, 'token'), key: KEY };
      const path = `/console/sign-in?next=${encodeURIComponent(next)}`;
      const answer = await sendForm(scene.url, path, fields, { cookie });
      expect([answer.status, answer.headers.location], next).to.deep.equal([303, '/']);
    }
  });

  it('that is refused still leads to the page that was asked for, its form read or not', async () => {
    const longest = `${SEEN}?${'='.repeat(2_000 - SEEN.length)}`;
    for (const page of [`${SEEN}?a=1&b=%2F`, longest]) {
      const form = await exchange(scene.url, { path: page });
      const address = formAddress(form);
      const cookie = cookieOf(form, 'ramp-ledger-sign-in');
      const token = hiddenField(form, 'token');
      const elsewhere = { cookie, origin: 'https://evil.example' };
      const unread = { cookie, 'content-type': 'text/plain' };
      const tries = [
        [{ token, key: KEY }, {}],
        [{ token, key: KEY }, elsewhere],
        [{ token, key: KEY }, unread],
        [{ token, key: 'wrong' }, { cookie }],
      ] as const;
      for (const [fields, headers] of tries) {
        expect(formAddress(await sendForm(scene.url, address, fields, headers))).to.equal(address);
      }
      const answer = await sendForm(scene.url, address, { token, key: KEY }, { cookie });
      expect([answer.status, answer.headers.location]).to.deep.equal([303, page]);
    }
  });

  it('is refused by its headers alone, and its form not waited for, where these say enough', async () => {
    const form = await exchange(scene.url, { path: SEEN });
    const cookie = cookieOf(form, 'ramp-ledger-sign-in');
    const fields = { token: hiddenField(form, 'token'), key: 'wrong' };
    /** The status that is answered to a form of which the last byte is never sent; null: none, while a later question was answered. */
    const unfinished = async (path: string, headers: Readonly<Record<string, string>>): Promise<number | null> => {
      const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '10' };
      const sent = request(new URL(path, scene.url), { method: 'POST', headers: { ...type, ...headers } });
      sent.on('error', () => undefined);
      sent.write('token=abc');
      const status = await new Promise<number | null>((resolve) => {
        const asLater = async (): Promise<void> => {
          for (let n = 0; n < LATER; n += 1) await exchange(scene.url, { path: SEEN });
          resolve(null);
        };
        void asLater();
        sent.once('response', (answer) => {
          expect(answer.headers.connection).to.equal('close');
          resolve(answer.statusCode ?? 0);
        });
      });
      sent.destroy();
      return status;
    };
    expect(await unfinished('/console/sign-in', {})).to.equal(401);
    expect(await unfinished('/console/sign-in', { cookie, origin: 'https://evil.example' })).to.equal(401);
    expect(await unfinished('/console/sign-out', {})).to.equal(303);
    expect(await unfinished('/console/sign-in', { cookie })).to.equal(null);
    for (let n = 0; n < 10; n += 1)
      expect((await sendForm(scene.url, '/console/sign-in', fields, { cookie })).status).to.equal(401);
    expect(await unfinished('/console/sign-in', { cookie })).to.equal(429);
  });

  it('has a form of at most 8,192 bytes, and one that is well-formed', async () => {
    const form = await exchange(scene.url, { path: SEEN });
    const cookie = cookieOf(form, 'ramp-ledger-sign-in');
    const token = hiddenField(form, 'token');
    const statusOf = async (body: string): Promise<number> => {
      const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
      const asking = { method: 'POST', path: '/console/sign-in', headers, body: Buffer.from(body) };
      return (await exchange(scene.url, asking)).status;
    };
    const own = `token=${token}&key=${KEY}`;
    expect(await statusOf(`${own}&a=${'b'.repeat(8_189 - own.length)}`)).to.equal(303);
    expect(await statusOf(`${own}&a=${'b'.repeat(8_190 - own.length)}`)).to.equal(413);
    expect(await statusOf(`token=${token}&key=${KEY}&a=%80`)).to.equal(400);
  });
});
