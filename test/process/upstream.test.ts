import { expect } from 'chai';
import { someClaims, unsignedToken } from '../support/jwt.ts';
import type { Finished, LedgerEnvironment } from '../support/ledger-process.ts';
import { scriptedUpstream, type ScriptedUpstream } from '../support/scripted-upstream.ts';
import { expectOneLine, processFixture } from './process-fixture.ts';

const LOGIN = '{"username": "ledger", "password": "the-password-of-the-login"}';
const CLAIMS = someClaims(Math.floor(Date.now() / 1_000));
const TOKEN = unsignedToken(CLAIMS);
const LARGE = 'x'.repeat(1_048_576);

describe('a process that calls the provider', () => {
  const ledger = processFixture();
  let provider: ScriptedUpstream;
  before(async () => {
    provider = await scriptedUpstream(({ path }) => {
      if (path === '/v1/users/login') return { body: JSON.stringify({ accessToken: TOKEN }) };
      return path === '/v1/none' ? { status: 404, body: 'none' } : { body: LARGE };
    });
  });
  after(() => provider.close());

  const run = async (args: readonly string[], over: LedgerEnvironment = {}): Promise<Finished> => {
    const env = ledger.env({
      UPSTREAM_BASE_URL: provider.url,
      UPSTREAM_LOGIN_JSON: LOGIN,
      LOG_LEVEL: 'trace',
      ...over,
    });
    const ended = await ledger.command(args, env);
    for (const text of [ended.out, ended.err]) expect(text).to.not.include('the-password').and.not.include(TOKEN);
    return ended;
  };

  it('prints what the token says, and nothing else', async () => {
    const { status, out, err } = await run(['token', '--json']);
    expect({ status, err }).to.deep.equal({ status: 0, err: '' });
    expect(JSON.parse(out)).to.deep.include({ claims: CLAIMS, signatureChecked: false });
  });

  it('prints the largest answer to its last byte, and names one that says no', async () => {
    const { status, out, err } = await run(['upstream', 'GET', '/v1/large']);
    expect({ status, err, whole: out === LARGE }).to.deep.equal({ status: 0, err: '', whole: true });
    expect(await run(['upstream', 'GET', '/v1/none'])).to.deep.include({
      status: 1,
      out: 'none',
      err: 'ramp-ledger: GET /v1/none answered 404 Not Found\n',
    });
  });

  it('needs to be told where the provider is, and how to log in', async () => {
    const bare = ledger.env();
    expectOneLine(await ledger.command(['token'], bare), 2, /UPSTREAM_BASE_URL: it is not set/);
    expectOneLine(await ledger.command(['upstream', 'GET', '/v1/x'], bare), 2, /UPSTREAM_BASE_URL: it is not set/);
    const half = { ...bare, UPSTREAM_BASE_URL: provider.url };
    expectOneLine(await ledger.command(['token'], half), 2, /UPSTREAM_LOGIN_JSON: it is not set/);
    expectOneLine(await run(['token'], { UPSTREAM_LOGIN_JSON: 'the-password' }), 2, /UPSTREAM_LOGIN_JSON: it is no/);
  });

  it('shows examples', async () => {
    for (const command of ['token', 'upstream']) {
      const { status, out } = await ledger.command([command, '--help'], ledger.env());
      expect(status).to.equal(0);
      expect(out).to.match(new RegExp(`Examples:\n.*ramp-ledger ${command}`));
    }
  });
});
