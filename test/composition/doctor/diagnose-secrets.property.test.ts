import fc from 'fast-check';
import { expect } from 'chai';
import { doctorPage } from '../../../src/cli/output/doctor-page.ts';
import { diagnose } from '../../../src/composition/doctor/diagnose.ts';
import type { Environment } from '../../../src/config/index.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A value that nothing but itself contains, in the places where configurations, right and wrong ones, have secrets. */
const hidden = fc.stringMatching(/^[A-Za-z0-9]{28}$/).map((text) => `hush${text}`);

const placed = (secret: string): readonly Environment[] => [
  { WEBHOOK_SECRETS: `primary=${secret}` },
  { WEBHOOK_SECRETS: secret },
  { WEBHOOK_SECRETS: `primary=${secret},primary=${secret}` },
  { WEBHOOK_RETIRED_SECRETS: `old=${secret}` },
  { WEBHOOK_SECRETS_FILE: `/nowhere/${secret}` },
  { API_KEYS: `bot:orders:read=${secret}` },
  { API_KEYS: `bot:orders:write=${secret}` },
  { HOST: '0.0.0.0', WEBHOOK_SECRETS: `primary=${secret}` },
  { EVENT_STORE_URL: `esdb://ledger:${secret}@127.0.0.1:1?tls=false` },
  { EVENT_STORE_URL: `esdb://ledger:${secret}@127.0.0.1:1?tls=maybe` },
  { EVENT_STORE_URL: `esdb://ledger:x@${secret}@127.0.0.1:1` },
  { EVENT_STORE_URL: `mysql://ledger:${secret}@127.0.0.1:1/x` },
  { READ_MODEL_URL: `postgres://ledger:${secret}@127.0.0.1:1/x` },
  { UPSTREAM_LOGIN_JSON: JSON.stringify({ password: secret }) },
  { UPSTREAM_LOGIN_JSON: secret },
  { UPSTREAM_BASE_URL: 'http://127.0.0.1:1', UPSTREAM_LOGIN_JSON: JSON.stringify({ password: secret }) },
  { UPSTREAM_BASE_URL: `http://user:${secret}@127.0.0.1:1`, UPSTREAM_LOGIN_JSON: '{}' },
];

describe('what doctor says', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  before(() => {
    folder = temporaryFolder();
  });
  after(() => folder.remove());

  it('holds no secret, whatever is configured', async () => {
    await fc.assert(
      fc.asyncProperty(hidden, fc.nat(), async (secret, which) => {
        const all = placed(secret);
        const env = { DATA_DIR: `${folder.path}/data`, ...all[which % all.length] };
        const checks = await diagnose(env, () => instantOf(0));
        expect(checks).to.not.deep.equal([]);
        expect(JSON.stringify(checks) + doctorPage(checks, true)).to.not.include(secret);
      }),
      {
        numRuns: 5,
        examples: placed('').map((_, which): [string, number] => ['hush-this-is-nobody-elses-matter', which]),
      },
    );
  }).timeout(240_000);
});
