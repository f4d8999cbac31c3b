import { createServer } from 'node:http';
import { expect } from 'chai';
import { createRemoteJWKSet, decodeJwt, jwtVerify, SignJWT, generateKeyPair } from 'jose';
import { accessTokens, CLIENT_ID } from '../../src/sandbox/access-tokens.ts';
import { businessCalendar } from '../../src/domain/business-day.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { Random } from '../../src/sandbox/random.ts';
import { sandboxApplication } from '../../src/sandbox/sandbox-application.ts';
import { sandboxClock, type SandboxClock } from '../../src/sandbox/sandbox-clock.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { exchange, type Answer } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { NO_FAULTS, NOW, sandboxOf } from './sandbox-scene.ts';

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const MINUTE = 60_000;
const calendar = businessCalendar('UTC');
const CREDENTIALS = { clientId: 'me', clientSecret: 'mine' };

describe("the sandbox's HTTP interface", () => {
  let url = '';
  let close = (): Promise<void> => Promise.resolve();
  let clock: SandboxClock;
  let sandbox: Sandbox;
  const errors: unknown[] = [];

  beforeEach(async () => {
    clock = sandboxClock(() => NOW);
    sandbox = sandboxOf({ clock });
    const tokens = await accessTokens(new Random('tokens'), () => url, clock.now);
    const app = sandboxApplication({
      sandbox,
      tokens,
      isKnownHost: (host) => host !== 'evil.example',
      now: clock.now,
      usualFaults: NO_FAULTS,
      moneyFaults: new Set(),
      wallMs: () => NOW,
      dayOf: (epochMs) => calendar.dayOf(instantOf(epochMs)),
      patiently: (work) => work,
      onBackground: (work) => void work.catch((error: unknown) => errors.push(error)),
      onError: (error) => errors.push(error),
    });
    const handle = app.callback();
    const server = createServer((request, response) => void handle(request, response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    close = () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
  });
  afterEach(async () => {
    await close();
    expect(errors).to.deep.equal([]);
  });

  const post = (path: string, body: unknown, type = 'application/json'): Promise<Answer> =>
    exchange(url, {
      method: 'POST',
      path,
      headers: { 'content-type': type },
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    });
  const get = (path: string, authorization?: string): Promise<Answer> =>
    exchange(url, { path, headers: authorization === undefined ? {} : { authorization } });

  const json = ({ status, text }: Answer): unknown => {
    expect(status, text).to.equal(200);
    return JSON.parse(text);
  };
  const tokenIn = (answer: Answer): string => String(at(json(answer), 'accessToken'));
  const login = async (credentials: unknown = CREDENTIALS): Promise<string> =>
    tokenIn(await post('/v1/users/login', credentials));

  const expectProblem = ({ status, headers, text }: Answer, expected: number, detail: RegExp): void => {
    expect(status, text).to.equal(expected);
    expect(headers['content-type']).to.equal('application/problem+json');
    const problem: unknown = JSON.parse(text);
    expect(problem).to.have.all.keys('type', 'title', 'status', 'detail', 'code').and.to.include({ status });
    expect(at(problem, 'detail')).to.match(detail).and.to.not.include('\n');
  };

  describe('as the provider', () => {
    it('answers nobody under the name of another site', async () => {
      for (const path of ['/sandbox/orders', '/v1/user/', '/nothing']) {
        const answer = await exchange(url, { method: 'POST', path, headers: { host: 'evil.example' } });
        expect(answer.status, path).to.equal(400);
      }
      expect(sandbox.orders.list()).to.deep.equal([]);
    });

    it('logs in with any JSON object, for a token of 15 minutes with every claim', async () => {
      const token = await login();
      const claims = decodeJwt(token);
      expect(claims).to.have.all.keys('sub', 'aud', 'iss', 'iat', 'exp', 'jti', 'tenant_id');
      expect(claims).to.include({ aud: CLIENT_ID, iss: url, iat: NOW / 1_000, exp: NOW / 1_000 + 900 });
      expect(claims.sub).to.match(ULID);
      expect(claims['tenant_id']).to.match(ULID);
      expect(claims.jti).to.match(UUID);
      expect(decodeJwt(await login({ clientSecret: 'mine', clientId: 'me' })).sub).to.equal(claims.sub);
      expect(decodeJwt(await login({})).sub).to.not.equal(claims.sub);
      expect(decodeJwt(await login()).jti).to.not.equal(claims.jti);
    });

    it('shows the key set that its tokens verify with', async () => {
      const keySet = createRemoteJWKSet(new URL('/.well-known/jwks.json', url));
      const options = { issuer: url, audience: CLIENT_ID, currentDate: new Date(NOW) };
      expect((await jwtVerify(await login(), keySet, options)).protectedHeader.alg).to.equal('ES256');
      expect((await get('/.well-known/jwks.json')).text).to.not.include('"d"');
    });

    it('answers no login with anything but a JSON object', async () => {
      for (const body of ['[]', '"text"', '7', 'null', 'no JSON', '', '{"a":1', '{"__proto__":{"a":1}}']) {
        expectProblem(await post('/v1/users/login', body), 400, /^expected a JSON object$/);
      }
      expectProblem(
        await post('/v1/users/login', 'a=1', 'application/x-www-form-urlencoded'),
        415,
        /application\/json/,
      );
      expectProblem(await post('/v1/users/login', { a: 'x'.repeat(300_000) }), 413, /262144 bytes/);
    });

    it('answers users with their profile and their orders while their token is fresh', async () => {
      const token = await login();
      await post('/sandbox/orders', { flow: 'onramp', path: 'refund', orderId: 'o-1', fiat: 250.5 });
      expect(json(await get('/v1/users/me', `Bearer ${token}`))).to.include({
        id: decodeJwt(token).sub,
        clientId: CLIENT_ID,
      });
      expect(at(json(await get('/v1/orders', `bearer ${token}`)), 'data', '0')).to.include({
        orderId: 'o-1',
        status: 'refunded',
        fiat: '250.5',
      });
      clock.advance(15 * MINUTE - 1);
      json(await get('/v1/users/me', `Bearer ${token}`));
      clock.advance(1);
      for (const path of ['/v1/users/me', '/v1/orders']) {
        expectProblem(await get(path, `Bearer ${token}`), 401, /expired/);
      }
    });

    it('renews a token, fresh or expired, for the same user', async () => {
      const token = await login();
      const renewed = tokenIn(await get('/v1/users/refresh-token', `Bearer ${token}`));
      expect(decodeJwt(renewed).jti).to.not.equal(decodeJwt(token).jti);
      clock.advance(60 * MINUTE);
      const again = decodeJwt(tokenIn(await get('/v1/users/refresh-token', `Bearer ${token}`)));
      expect(again).to.include({ sub: decodeJwt(token).sub, exp: NOW / 1_000 + 3_600 + 900 });
    });

    it('answers 401 to a token that is altered, missing or of another signer', async () => {
      const token = await login();
      const [header = '', payload = '', signature = ''] = token.split('.');
      const claims = { ...decodeJwt(token), sub: '01ARZ3NDEKTSV4RRFFQ69G5FAV' };
      const altered = Buffer.from(JSON.stringify(claims)).toString('base64url');
      const { privateKey } = await generateKeyPair('ES256');
      const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
      const wrong = [
        undefined,
        '',
        'Bearer',
        'Bearer x',
        `Basic ${token}`,
        `Bearer ${header}.${altered}.${signature}`,
        `Bearer ${unsigned}.${payload}.`,
        `Bearer ${await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(privateKey)}`,
      ];
      for (const authorization of wrong) {
        for (const path of ['/v1/users/me', '/v1/orders', '/v1/users/refresh-token']) {
          const answer = await get(path, authorization);
          expectProblem(answer, 401, /./);
          expect(answer.headers['www-authenticate']).to.equal('Bearer');
        }
      }
    });
  });

  describe('as a sandbox', () => {
    it('creates orders, and shows what was sent, when, and what was answered', async () => {
      const orderId = at(
        json(await post('/sandbox/orders', { flow: 'offramp', path: ['pending', 'fiatFailed'] })),
        'orderId',
      );
      const list = json(await get('/sandbox/deliveries'));
      expect(list).to.include({ dropped: 0 });
      const second = at(list, 'data', '1');
      expect(second).to.include({ number: 2, orderId, status: 'fiatFailed', kind: 'event', attempt: 1 });
      expect(second).to.have.all.keys(
        'number',
        'orderId',
        'status',
        'utr',
        'kind',
        'attempt',
        'sentAt',
        'signature',
        'body',
        'answer',
      );
      expect(at(second, 'sentAt')).to.equal(new Date(NOW).toISOString());
      expect(at(second, 'answer')).to.deep.equal({ status: 200, body: '', durationMs: 1 });
      expect(JSON.parse(String(at(second, 'body')))).to.include({
        orderId,
        status: 'fiatFailed',
        utr: at(second, 'utr'),
      });
    });

    it('keeps the digits of the numbers that it is given', async () => {
      const body = '{"flow":"onramp","path":["completed"],"fiat":1051823.63000000010,"chainId":80001}';
      json(await post('/sandbox/orders', body));
      expect(sandbox.deliveries.all().at(-1)?.parcel.body.toString()).to.include('"fiat":1051823.63000000010,');
    });

    it('moves its clock, and what is due expires', async () => {
      json(await post('/sandbox/orders', { flow: 'onramp', path: ['fiatPending'] }));
      expect(json(await post('/sandbox/clock', { advanceSeconds: 10_801 }))).to.deep.equal({
        now: '2026-01-31T15:00:01.000Z',
      });
      expect(sandbox.deliveries.all().map(({ parcel }) => parcel.status)).to.deep.equal(['fiatPending', 'expired']);
    });

    it('plays a run, and tells how far it is and what a ledger must report', async () => {
      json(await post('/sandbox/run', { orders: 42, days: 30, faults: ['duplicates'] }));
      const progress = json(await get('/sandbox/run'));
      expect(progress).to.include({ running: false, ordersPlayed: 42 });
      expect(at(progress, 'answers', '200'))
        .to.equal(at(progress, 'deliveries'))
        .and.to.be.greaterThan(42);
      const expected = json(await get('/sandbox/expected'));
      expect(expected).to.deep.equal({
        onramp: sandbox.expectation.totals('onramp'),
        offramp: sandbox.expectation.totals('offramp'),
      });
    });

    it('says in one line what is wrong, and names what is right', async () => {
      const wrong: readonly (readonly [path: string, body: unknown, detail: RegExp])[] = [
        ['orders', { path: 'refund' }, /^flow: expected one of onramp, offramp$/],
        ['orders', { flow: 'onramp', path: 'refnd' }, /^path: "refnd" .*one of completed, /],
        ['orders', { flow: 'onramp', path: ['paid'] }, /^path: "paid" is no status of onramp; expected fiatPending, /],
        ['orders', { flow: 'onramp', path: 'refund', faults: ['dupes'] }, /^faults: "dupes" .*expected duplicates, /],
        ['orders', { flow: 'onramp', path: 'refund', faults: 'shuffle' }, /^faults: expected a list/],
        ['orders', { flow: 'onramp', path: 'refund', fiat: '5' }, /^fiat: expected a number/],
        ['orders', { flow: 'onramp', path: 'refund', fiat: -5 }, /^fiat: expected a number/],
        ['orders', { flow: 'onramp', path: 'refund', status: 'x' }, /^status: it follows/],
        ['orders', { flow: 'onramp', path: 'refund', utr: 'x' }, /^utr: it follows/],
        ['orders', { flow: 'onramp', path: 'refund', customer: { id: 7 } }, /^customer: expected/],
        ['orders', { flow: 'offramp', path: 'paid', utr: 7 }, /^utr: expected a string or null/],
        ['orders', { flow: 'offramp', path: 'paid', created_at: 'soon' }, /^created_at: expected an ISO 8601/],
        ['orders', { flow: 'onramp', path: 'refund', orderId: '' }, /^orderId: expected/],
        ['clock', {}, /^advanceSeconds: expected/],
        ['clock', { advanceSeconds: -1 }, /^advanceSeconds: expected/],
        ['clock', { advanceSeconds: '10' }, /^advanceSeconds: expected/],
        ['run', {}, /^give orders, .* or rate/],
        ['run', { orders: 1.5 }, /^orders: expected a whole number/],
        ['run', { rate: 0 }, /^rate: expected/],
        ['run', { orders: 1, speed: 3 }, /^"speed" .*expected orders, rate, days, faults$/],
      ];
      for (const [path, body, detail] of wrong) expectProblem(await post(`/sandbox/${path}`, body), 400, detail);
      expect(sandbox.deliveries.counts().sent).to.equal(0);
      expectProblem(await get('/sandbox/order'), 404, /nothing at this address/);
      const wrongMethod = await get('/sandbox/orders');
      expectProblem(wrongMethod, 405, /POST only/);
      expect(wrongMethod.headers.allow).to.equal('POST');
    });
  });
});
