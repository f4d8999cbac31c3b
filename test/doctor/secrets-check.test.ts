import type { Environment } from '../../src/config/index.ts';
import { upstreamCheck } from '../../src/doctor/upstream-check.ts';
import { branded } from '../../src/domain/brand.ts';
import type { SecretId } from '../../src/domain/ids.ts';
import { apiKeysCheck, webhookSecretsCheck } from '../../src/doctor/secrets-check.ts';
import type { ExaminedLog } from '../../src/doctor/examined-log.ts';
import { AWAY, configOf, DAY, expectWell, expectWrong, logOf, MINUTE, NOW, NOW_MS } from './checks-scene.ts';

const SECRET = 'a-webhook-secret-of-24-bytes';

describe('what doctor makes of secrets and the upstream login', () => {
  describe('webhook secrets', () => {
    const env = { WEBHOOK_SECRETS: `new=${SECRET},old=${SECRET}2`, WEBHOOK_RETIRED_SECRETS: `gone=${SECRET}3` };
    const checkOf = (log: ExaminedLog, over: Environment = env) => webhookSecretsCheck(configOf(over), log, NOW);

    it('are well on a system that nobody used yet, or whose log is not to be had', () => {
      expectWell(checkOf(logOf([])), /new: accepted, never used\nold: accepted, never used\ngone: retired, never used/);
      expectWell(checkOf({ _tag: 'NotThere' }));
      expectWell(checkOf(AWAY), /last use unknown/);
      expectWell(checkOf(logOf([]), {}), /first start generates one/);
    });

    it('are wrong where others are used in the stead of one that was in use; one that was never used begins a change', () => {
      const lately = { position: 2, receivedMs: NOW_MS - 3 * MINUTE, secretId: 'new' };
      const long = { position: 1, receivedMs: NOW_MS - 31 * DAY, secretId: 'old' };
      expectWell(
        checkOf(logOf([lately, { ...long, receivedMs: NOW_MS - 29 * DAY }])),
        /new: accepted, last used 3 minutes ago/,
      );
      expectWrong(
        checkOf(logOf([lately, long])),
        /old is accepted, and nothing/,
        /move old .* WEBHOOK_RETIRED_SECRETS/,
      );
      expectWell(checkOf(logOf([{ ...lately, secretId: 'old' }])), /new: accepted, never used/);
    });

    it('are well where the only one was not used for long, and others are no more than named', () => {
      const long = { position: 1, receivedMs: NOW_MS - 99 * DAY, secretId: 'only' };
      expectWell(checkOf(logOf([long]), { WEBHOOK_SECRETS: `only=${SECRET}` }), /99 days ago/);
      const foreign = { position: 2, receivedMs: NOW_MS - DAY, secretId: 'lost' };
      const rest = { ...long, receivedMs: NOW_MS - MINUTE };
      expectWell(checkOf(logOf([rest, foreign]), { WEBHOOK_SECRETS: `only=${SECRET}` }), /lost: not configured/);
    });

    it('are wrong where the file of the generated one is gone, and nobody chose another one', () => {
      const lost = logOf([{ position: 1, receivedMs: NOW_MS - 2 * MINUTE, secretId: 'generated' }]);
      const cure = /^put webhook-secret back .* WEBHOOK_SECRETS to generated=.* another id/;
      expectWrong(checkOf(lost, {}), /webhook-secret is gone .*\ngenerated: not configured, last used 2 min/s, cure);
      expectWell(checkOf(logOf([]), {}), /the first start generates one/);
      // Who chose one knows.
      expectWell(checkOf(lost, { WEBHOOK_SECRETS: `a=${SECRET}` }));
    });

    it('are wrong where the newest event of one is not signed with its value', () => {
      const log = logOf([{ position: 1, receivedMs: NOW_MS - MINUTE, secretId: 'new' }], {
        unproven: [branded<SecretId>('new')],
      });
      const words = /^new has another value than before: .*forged\nnew: accepted/;
      expectWrong(checkOf(log), words, /^give the former value its name new back/);
      expectWrong(checkOf(log, {}), /^new has another value than before/, /former value/);
    });

    it('are wrong, as API keys are, where a start would be refused for want of them', () => {
      const config = configOf({ HOST: '0.0.0.0' });
      expectWrong(webhookSecretsCheck(config, logOf([]), NOW), /none is accepted/, /WEBHOOK_SECRETS/);
      expectWrong(apiKeysCheck(config.host, config.secrets), /there is none/, /API_KEYS/);
      expectWell(apiKeysCheck('127.0.0.1', config.secrets), /first start/);
    });
  });

  describe('upstream login', () => {
    it('says which variable to look at', () => {
      const refused = (cure: { readonly cure: string; readonly variable: string | null } | null) =>
        upstreamCheck({ _tag: 'Refused', host: 'provider', happened: 'no', cure });
      expectWrong(refused({ cure: 'check UPSTREAM_ISSUER', variable: 'UPSTREAM_ISSUER' }), /^provider: no$/, /ISSUER$/);
      expectWrong(
        refused({ cure: 'try again later', variable: null }),
        /./,
        /^try again later; UPSTREAM_BASE_URL says/,
      );
      expectWrong(refused(null), /./, /^check UPSTREAM_BASE_URL$/);
      expectWell(upstreamCheck({ _tag: 'NotConfigured' }), /^not configured$/);
    });
  });
});
