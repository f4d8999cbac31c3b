import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { fetchExchange } from '../../src/tokens/fetch-exchange.ts';
import { systemTiming } from '../../src/tokens/system-timing.ts';
import { remoteKeySet, type ProveSignature } from '../../src/tokens/key-set.ts';
import { scriptedUpstream, type Reply, type ScriptedUpstream } from '../support/scripted-upstream.ts';
import { someClaims, unsignedToken } from '../support/jwt.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const CLAIMS = someClaims(NOW / 1_000);

type SigningKey = { readonly sign: (claims: JWTPayload, kid?: string) => Promise<string>; readonly jwk: object };

const signingKey = async (kid: string): Promise<SigningKey> => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return {
    jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' },
    sign: (claims, named = kid) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: named }).sign(privateKey),
  };
};

describe('signatures by a key set', () => {
  let server: ScriptedUpstream;
  let reply: Reply = {};
  /** What is answered first, each once. */
  const firstReplies: Reply[] = [];
  let own: SigningKey;
  let other: SigningKey;
  before(async () => {
    server = await scriptedUpstream(() => firstReplies.shift() ?? reply);
    own = await signingKey('own');
    other = await signingKey('other');
  });
  after(() => server.close());

  const withoutId = async (claims: JWTPayload): Promise<{ readonly token: string; readonly jwk: object }> => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
    return { token, jwk: await exportJWK(publicKey) };
  };

  const publish = (...keys: readonly object[]): void => {
    reply = { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ keys }) };
  };
  const proved = async (prove: ProveSignature, token: string, now = NOW): Promise<string> => {
    const result = await prove(token, now)();
    if (E.isRight(result)) return 'proved';
    expect(JSON.stringify(result.left)).to.not.include(token);
    return `${result.left._tag}: ${result.left.detail}`;
  };
  const keySet = (): ProveSignature =>
    remoteKeySet(`${server.url}/.well-known/jwks.json`, fetchExchange, { ...systemTiming, random: () => 0 });

  it('are proved with its keys, which are fetched once', async () => {
    publish(own.jwk, other.jwk);
    const prove = keySet();
    const before = server.asked.length;
    expect(await proved(prove, await own.sign(CLAIMS))).to.equal('proved');
    expect(await proved(prove, await other.sign(CLAIMS))).to.equal('proved');
    expect(server.asked.slice(before).map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
      'GET /.well-known/jwks.json',
    ]);
    expect(server.asked.at(-1)?.headers.authorization).to.equal(undefined);
  });

  it('are proved by any key that fits, where neither token nor keys have an id, or several have one', async () => {
    const [old, now] = [await withoutId(CLAIMS), await withoutId(CLAIMS)];
    publish(old.jwk, now.jwk);
    expect(await proved(keySet(), old.token)).to.equal('proved');
    expect(await proved(keySet(), now.token)).to.equal('proved');
    expect(await proved(keySet(), (await withoutId(CLAIMS)).token)).to.match(/^TokenUnusable: its signature/);
    publish(...Array.from({ length: 3 }, () => ({ ...other.jwk, kid: 'own' })), own.jwk);
    expect(await proved(keySet(), await own.sign(CLAIMS))).to.equal('proved');
    publish(...Array.from({ length: 40 }, () => ({ ...other.jwk, kid: 'own' })), own.jwk);
    expect(await proved(keySet(), await own.sign(CLAIMS)), 'more are not tried').to.match(/^TokenUnusable/);
  });

  it('are had at another try, where what failed passes by itself', async () => {
    publish(own.jwk);
    firstReplies.push({ status: 503 }, 'drop');
    expect(await proved(keySet(), await own.sign(CLAIMS))).to.equal('proved');
    expect(firstReplies).to.deep.equal([]);
  });

  it('are refused from another key, altered, or missing', async () => {
    publish(own.jwk);
    const good = await own.sign(CLAIMS);
    const [head = '', , signature = ''] = good.split('.');
    const altered = unsignedToken({ ...CLAIMS, sub: 'somebody-else' }).split('.')[1] ?? '';
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${good.split('.')[1] ?? ''}.`;
    for (const token of [
      await other.sign(CLAIMS, 'own'),
      await other.sign(CLAIMS),
      `${head}.${altered}.${signature}`,
      unsignedToken(CLAIMS),
      none,
    ]) {
      expect(await proved(keySet(), token)).to.match(/^TokenUnusable: its signature/);
    }
  });

  it('with the same allowance for clocks as the claims', async () => {
    publish(own.jwk);
    const token = await own.sign(CLAIMS);
    expect(await proved(keySet(), token, NOW + 904_000)).to.equal('proved');
    expect(await proved(keySet(), token, NOW + 905_000)).to.match(/^TokenUnusable/);
  });

  it('are not known where the key set is not to be had', async () => {
    const token = await own.sign(CLAIMS);
    const answers: readonly Reply[] = [
      { status: 503 },
      { status: 302, headers: { location: '/other' } },
      { body: 'no JSON' },
      { body: '{"keys":1}' },
      { body: 'x'.repeat(1_048_577) },
      'drop',
    ];
    for (const answer of answers) {
      reply = answer;
      expect(await proved(keySet(), token)).to.match(/^KeysUnavailable: /);
    }
    reply = { status: 404 };
    expect(await proved(keySet(), token)).to.equal('KeysUnavailable: it answered 404');
  });
});
