import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import { SESSION_SECONDS, sessionToken } from '../../src/console/session.ts';
import { exchange } from '../support/exchange.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { keyOf, NOON_MS, PER_MINUTE, routerScene, type RouterScene } from './router-scene.ts';
import { cookieOf, hiddenField, sendForm, SESSION_COOKIE, setCookies, signedInCookie } from './sign-in.ts';
import { KEY, OTHER, OTHER_KEY, READER, readersAt, SEEN } from './readers.ts';

const SOON_MS = 10_000;

describe('a session of the console', () => {
  let scene: RouterScene;
  beforeEach(async () => {
    scene = await routerScene([READER, OTHER]);
  });
  afterEach(() => scene.close());
  const { see, signIn, expectSignedIn, expectSignedOut } = readersAt(() => scene);

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

  it('that the holder of its key made lasts no longer than one that begins now', async () => {
    const made = (seconds: number): string =>
      `${SESSION_COOKIE}=${sessionToken({ key: READER, nonce: 'made-by-holder-of-the-key', expiresAt: NOON_MS / 1_000 + seconds })}`;
    await expectSignedIn(made(SESSION_SECONDS));
    await expectSignedOut(made(SESSION_SECONDS + 1));
  });

  it('does nothing by a form that comes whole after its end, and shows nothing that was being made', async () => {
    const cookie = await signIn();
    const token = hiddenField(await see(cookie), 'token');
    const body = new URLSearchParams({ token, note: 'late' }).toString();
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
    const sent = request(new URL('/console/done', scene.url), { method: 'POST', headers });
    const answered: Promise<readonly unknown[]> = once(sent, 'response');
    const looks = scene.looks();
    sent.write(body.slice(0, 5));
    await until(SOON_MS, 'the beginning of the form', () => Promise.resolve(scene.looks() > looks ? true : null));
    scene.setKeys([OTHER]);
    sent.end(body.slice(5));
    const [answer] = await answered;
    expect(answer).to.have.property('statusCode', 200);
    expect(scene.done).to.deep.equal([]);
    scene.setKeys([READER]);
    scene.handOverPage(() => {
      scene.setKeys([OTHER]);
      return Promise.resolve(E.right({ _tag: 'Document', status: 200, bytes: new TextEncoder().encode('<h1>reader') }));
    });
    await expectSignedOut(cookie);
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

  it('is left alone by a sign-out of another site, which the browser sends without its cookie', async () => {
    const cookie = await signIn();
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    for (const headers of [elsewhere, {}]) {
      const answer = await sendForm(scene.url, '/console/sign-out', {}, headers);
      expect([answer.status, setCookies(answer)]).to.deep.equal([303, []]);
    }
    await expectSignedIn(cookie);
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
    const fields = { token: hiddenField(form, 'token'), key: KEY };
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
