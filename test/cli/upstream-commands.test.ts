import { gzipSync } from 'node:zlib';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import type { ExpectedClaims } from '../../src/tokens/check-claims.ts';
import { fetchExchange } from '../../src/tokens/fetch-exchange.ts';
import { remoteKeySet } from '../../src/tokens/key-set.ts';
import { systemTiming } from '../../src/tokens/system-timing.ts';
import { upstream } from '../../src/tokens/upstream.ts';
import { contextOf, gatheringTerminal } from '../support/gathering-terminal.ts';
import { someClaims, unsignedToken } from '../support/jwt.ts';
import { right } from '../support/right.ts';
import { scriptedUpstream, type Asked, type Reply, type ScriptedUpstream } from '../support/scripted-upstream.ts';

const LOGIN = '{"username": "ledger", "password": "the-password-of-the-login"}';
const CLAIMS = someClaims(Math.floor(Date.now() / 1_000));
const TOKEN = unsignedToken(CLAIMS);

/** docs/spec/command-line.md, token: `token --json`. */
const TokenShown = t.type({ claims: t.UnknownRecord, expiresInSeconds: t.Int, signatureChecked: t.boolean });

type Ended = { readonly status: number; readonly out: Buffer; readonly err: string };
type Settings = Partial<ExpectedClaims & { readonly baseUrl: string; readonly jwksUrl: string }>;

describe('the commands that call the provider', () => {
  let provider: ScriptedUpstream;
  /** What is answered in the place of a well-behaved provider; null: that. */
  let script: (asked: Asked) => Reply | null = () => null;

  before(async () => {
    provider = await scriptedUpstream(
      (asked) =>
        script(asked) ??
        (/\/v1\/users\/(?:login|refresh-token)$/.test(asked.path)
          ? { body: JSON.stringify({ data: { accessToken: TOKEN } }) }
          : { body: `${asked.method} ${asked.path} ${asked.body}` }),
    );
  });
  beforeEach(() => {
    script = () => null;
  });
  after(() => provider.close());

  const providerOf = ({ baseUrl = `${provider.url}/ramp`, issuer = null, audience = null, jwksUrl }: Settings) =>
    upstream({
      account: { baseUrl, loginJson: LOGIN },
      expected: { issuer, audience },
      proveSignature: jwksUrl === undefined ? null : remoteKeySet(jwksUrl, fetchExchange, systemTiming),
      exchange: fetchExchange,
      timing: systemTiming,
    });

  /** Runs a command, whose output must not hold what is secret. */
  const run = async (args: readonly string[], settings: Settings = {}): Promise<Ended> => {
    const { terminal, bytes, err: noted } = gatheringTerminal();
    const openUpstream = () => Promise.resolve(E.right(providerOf(settings)));
    const status = await runCommandLine(contextOf(terminal, { openUpstream }), args);
    const [out, err] = [bytes(), noted()] as const;
    for (const text of [out.toString(), err]) {
      expect(text)
        .to.not.include('the-password')
        .and.not.match(/\n +at /);
      if (!args.includes('--raw')) expect(text).to.not.include(TOKEN).and.not.include(TOKEN.split('.')[2]);
    }
    return { status, out, err };
  };

  const expectLine = ({ status, out, err }: Ended, expected: 1 | 2, line: RegExp): void => {
    expect({ status, out: out.toString() }, err).to.deep.equal({ status: expected, out: '' });
    expect(err).to.match(/^[^\n]+\n$/);
    expect(err).to.match(line);
  };

  const asked = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
    const before = provider.asked.length;
    await work();
    return provider.asked.slice(before).map(({ method, path }) => `${method} ${path}`);
  };

  describe('token', () => {
    const shown = ({ status, out, err }: Ended): t.TypeOf<typeof TokenShown> => {
      expect({ status, err }).to.deep.equal({ status: 0, err: '' });
      expect(out.toString()).to.match(/^\{"claims":.*\}\n$/);
      return right(TokenShown.decode(JSON.parse(out.toString())));
    };

    it('logs in as it is told to, and prints the claims and the time left', async () => {
      const requests = await asked(async () => {
        const { expiresInSeconds, ...rest } = shown(await run(['token', '--json']));
        expect(rest).to.deep.equal({ claims: CLAIMS, signatureChecked: false });
        expect(expiresInSeconds).to.be.within(800, 900);
      });
      expect(requests).to.deep.equal(['POST /ramp/v1/users/login']);
      const login = provider.asked.at(-1);
      expect(login?.body).to.equal(LOGIN);
      expect(login?.headers).to.deep.include({ 'content-type': 'application/json', accept: 'application/json' });
      expect(login?.headers.authorization).to.equal(undefined);
    });

    it('prints a table for people, in which no claim can steer the terminal', async () => {
      const odd = unsignedToken({ ...CLAIMS, sub: 'a\u001b[2Jb', nbf: 1e300 * -1, roles: ['x'] });
      script = () => ({ body: JSON.stringify({ accessToken: odd }) });
      const { status, out } = await run(['token']);
      expect(status).to.equal(0);
      expect(out.toString())
        .to.match(/^tenant_id +tenant-1$/m)
        .and.match(/^sub +a\\u001b\[2Jb$/m)
        .and.match(/^exp +\d+ \(\d{4}-.*Z\)$/m)
        .and.match(/^nbf +-1e\+300$/m)
        .and.match(/^roles +\["x"\]$/m)
        .and.match(/^expires in +8\d\d s$/m)
        .and.match(/^signature +not checked/m);
    });

    it('prints the token itself only where it is asked for', async () => {
      expect((await run(['token', '--raw'])).out.toString()).to.equal(`${TOKEN}\n`);
      const both: unknown = JSON.parse((await run(['token', '--raw', '--json'])).out.toString());
      expect(both).to.deep.include({ accessToken: TOKEN });
    });

    it('checks issuer, audience and signature where these are configured', async () => {
      const { privateKey, publicKey } = await generateKeyPair('ES256');
      const signed = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
      const keys = JSON.stringify({ keys: [await exportJWK(publicKey)] });
      let issued = signed;
      script = ({ path }) =>
        path === '/jwks' ? { body: keys } : { body: JSON.stringify({ accessToken: issued }), status: 201 };
      const demands = { issuer: 'https://issuer.example', audience: 'client-1', jwksUrl: `${provider.url}/jwks` };
      expect(shown(await run(['token', '--json'], demands)).signatureChecked).to.equal(true);
      const other = { ...demands, issuer: 'https://other.example' };
      expectLine(await run(['token'], other), 1, /issuer \(iss\).*check UPSTREAM_ISSUER/);
      expectLine(await run(['token'], { ...demands, audience: 'b' }), 1, /check UPSTREAM_AUDIENCE/);
      const away = { ...demands, jwksUrl: 'http://127.0.0.1:1/jwks' };
      expectLine(await run(['token'], away), 1, /no key set.*ECONNREFUSED.*check UPSTREAM_JWKS_URL/);
      issued = TOKEN;
      expectLine(await run(['token'], demands), 1, /signature is not proved.*check UPSTREAM_JWKS_URL/);
    });

    it('says in one line why there is none, and what to do', async () => {
      const failures: readonly (readonly [Reply, RegExp])[] = [
        [{ status: 401, body: LOGIN }, /login: 401 Unauthorized\); check UPSTREAM_LOGIN_JSON/],
        [{ status: 404, body: TOKEN }, /login: 404 Not Found\); check UPSTREAM_BASE_URL/],
        [{ status: 500 }, /login: 500 Internal Server Error\); try again later/],
        [{ status: 302, headers: { location: '/elsewhere' } }, /login: 302 Found\); check UPSTREAM_BASE_URL/],
        [{ body: '<html>' }, /without an accessToken\); check UPSTREAM_BASE_URL/],
        [{ body: `{"accessToken":"${unsignedToken({ exp: 1 })}"}` }, /expired \(exp\).*clock/],
        [{ body: `{"accessToken":"${unsignedToken({ exp: '1' })}"}` }, /wrong type: exp\); ask the provider/],
        [{ body: 'x'.repeat(1_048_577) }, /more than 1 MiB/],
      ];
      for (const [reply, says] of failures) {
        script = () => reply;
        expectLine(await run(['token', '--json']), 1, says);
      }
      const away = { baseUrl: 'http://127.0.0.1:1' };
      expectLine(await run(['token'], away), 1, /login: no connection \(ECONNREFUSED\).*check UPSTREAM_BASE_URL/);
    });
  });

  describe('upstream', () => {
    it("prints the answer's body unchanged", async () => {
      const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x22, 0x0d, 0x0a, 0x00, 0x1b]);
      const packed = { body: gzipSync(bytes), headers: { 'content-encoding': 'gzip' } };
      script = ({ path }) => (path.endsWith('/bytes') ? packed : null);
      const requests = await asked(async () => {
        const answered = { status: 0, out: bytes, err: '' };
        expect(await run(['upstream', 'GET', '/v1/bytes', '--json'])).to.deep.equal(answered);
      });
      expect(requests).to.deep.equal(['POST /ramp/v1/users/login', 'GET /ramp/v1/bytes']);
      expect(provider.asked.at(-1)?.headers.authorization).to.equal(`Bearer ${TOKEN}`);
    });

    it('sends JSON as it was given', async () => {
      const data = '{"fiat": 100.0, "note": "ü"}';
      const { out } = await run(['upstream', 'post', '/v1/orders?dry=1', '--data', data]);
      expect(out.toString()).to.equal(`POST /ramp/v1/orders?dry=1 ${data}`);
      expect(provider.asked.at(-1)?.headers['content-type']).to.equal('application/json');
    });

    it('names an answer of 400 or more and a redirect, prints its body, and follows nothing', async () => {
      for (const [status, name] of [
        [302, 'Found'],
        [400, 'Bad Request'],
        [404, 'Not Found'],
        [500, 'Internal Server Error'],
      ] as const) {
        const headers = { location: `${provider.url}/elsewhere` };
        script = ({ method }) => (method === 'GET' ? { status, body: '{"error":1}', headers } : null);
        const requests = await asked(async () => {
          expect(await run(['upstream', 'GET', '/v1/x?q=private'])).to.deep.equal({
            status: 1,
            out: Buffer.from('{"error":1}'),
            err: `ramp-ledger: GET /v1/x answered ${status} ${name}\n`,
          });
        });
        expect(requests).to.have.length(2);
      }
    });

    it('goes on after 401 with refresh, call, login, call', async () => {
      script = ({ path }) => (path.endsWith('/me') ? { status: 401, body: '{"error":"expired"}' } : null);
      const requests = await asked(async () => {
        const { status, out, err } = await run(['upstream', 'GET', '/v1/users/me']);
        expect({ status, out: out.toString() }).to.deep.equal({ status: 1, out: '{"error":"expired"}' });
        expect(err).to.match(/^ramp-ledger: .*call: 401 .*refresh: done.*call: 401.*login: done.*call: 401[^\n]*\n$/);
      });
      expect(requests.map((one) => one.replace('/ramp/v1/users/', ''))).to.deep.equal([
        'POST login',
        'GET me',
        'GET refresh-token',
        'GET me',
        'POST login',
        'GET me',
      ]);
    });

    it('sends nothing to where it was not told to, and nothing that it was told wrongly', async () => {
      const elsewhere = ['https://evil.example/x', '//evil.example/x', '/\\evil', '/../x', '/%2e%2e/x', 'v1/x', ''];
      const usages: readonly (readonly [readonly string[], RegExp])[] = [
        ...elsewhere.map((path) => [['GET', path], /UPSTREAM_BASE_URL/] as const),
        [['GET'], /path/],
        [['STEAL', '/v1/x'], /GET, HEAD/],
        [['GET', '/v1/x', '--data', '{}'], /GET takes no --data/],
        [['POST', '/v1/x', '--data', 'the-password: it'], /--data is no JSON/],
        [['POST', '/v1/x', `--dat={"pin":"the-password='it'"}`], /^[^=]*unknown option '--dat' – see ramp-ledger/],
      ];
      const requests = await asked(async () => {
        for (const [args, says] of usages) expectLine(await run(['upstream', ...args]), 2, says);
      });
      expect(requests).to.deep.equal([]);
    });

    it('fails in one line where there is no answer', async () => {
      for (const [reply, says] of [
        ['broken', /call: no connection \(\w+\)\); check/],
        [{ body: 'x'.repeat(1_048_577) }, /more than 1 MiB\); ask for less/],
        [{ body: gzipSync(Buffer.alloc(8_388_608)), headers: { 'content-encoding': 'gzip' } }, /more than 1 MiB/],
      ] as const) {
        script = ({ path }) => (path.endsWith('/x') ? reply : null);
        expectLine(await run(['upstream', 'POST', '/v1/x']), 1, says);
      }
    });
  });
});
