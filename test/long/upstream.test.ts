import { expect } from 'chai';
import { someClaims, unsignedToken } from '../support/jwt.ts';
import { scriptedUpstream } from '../support/scripted-upstream.ts';
import { expectOneLine, processFixture } from '../process/process-fixture.ts';

describe('a process that calls a silent provider', () => {
  const ledger = processFixture();

  it('ends after ten seconds, whatever is still under way', async () => {
    const accessToken = unsignedToken(someClaims(Math.floor(Date.now() / 1_000)));
    const provider = await scriptedUpstream(({ path }) =>
      path === '/v1/users/login' ? { body: JSON.stringify({ accessToken }) } : 'silence',
    );
    try {
      const env = ledger.env({
        UPSTREAM_BASE_URL: provider.url,
        UPSTREAM_LOGIN_JSON: '{"username": "ledger", "password": "the-password-of-the-login"}',
      });
      const begun = performance.now();
      const ended = await ledger.run(['upstream', 'GET', '/v1/silent'], env);
      expectOneLine(ended, 1, /call: no answer in time\); try again/);
      expect(performance.now() - begun).to.be.at.least(9_900);
    } finally {
      await provider.close();
    }
  }).timeout(20_000);
});
