import { inspect } from 'node:util';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { SecretText } from '../../src/tokens/access-token.ts';
import { checkClaims } from '../../src/tokens/check-claims.ts';
import { readClaims } from '../../src/tokens/claims.ts';
import { tokenIn } from '../../src/tokens/token-answer.ts';
import { someClaims, unsignedToken } from '../support/jwt.ts';
import { right } from '../support/right.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const SECONDS = NOW / 1_000;
const ANY = { issuer: null, audience: null };

describe('the claims of a token', () => {
  it('are read as they came, further ones included, and any of them may be missing', () => {
    const claims = { ...someClaims(SECONDS), roles: ['a'] };
    fc.assert(
      fc.property(fc.subarray(Object.entries(claims)), (some) => {
        const given = Object.fromEntries(some);
        expect(right(readClaims(unsignedToken(given)))).to.deep.equal(given);
      }),
    );
    expect(right(readClaims(unsignedToken({ aud: ['a', 'b'] })))).to.deep.equal({ aud: ['a', 'b'] });
  });

  it('of a wrong type are named, without their values', () => {
    const wrong = { sub: 1, aud: [7], iss: {}, iat: '1', exp: null, jti: false, tenant_id: 12 };
    for (const [name, value] of Object.entries(wrong)) {
      const read = readClaims(unsignedToken({ ...someClaims(SECONDS), [name]: value }));
      if (E.isRight(read)) expect.fail(name);
      else expect(read.left.detail).to.equal(`claims of a wrong type: ${name}`);
    }
    const endless = `e30.${Buffer.from('{"exp":1e999}').toString('base64url')}.x`;
    expect(E.isLeft(readClaims(endless))).to.equal(true);
  });

  it('are none where there is no token', () => {
    fc.assert(fc.property(fc.string(), (text) => E.isLeft(readClaims(text))));
    expect(E.isLeft(readClaims('a.b.c'))).to.equal(true);
  });

  const checked = (claims: object, expected: Parameters<typeof checkClaims>[1] = ANY): string => {
    const result = checkClaims(right(readClaims(unsignedToken(claims))), expected, NOW);
    return E.isLeft(result) ? `${result.left.detail}; ${result.left.cure}` : 'taken';
  };

  it('are checked for issuer and audience where these are configured', () => {
    const claims = someClaims(SECONDS);
    const expected = { issuer: 'https://issuer.example', audience: 'client-1' };
    expect(checked(claims, expected)).to.equal('taken');
    expect(checked({ ...claims, aud: ['other', 'client-1'] }, expected)).to.equal('taken');
    expect(checked({ ...claims, iss: 'https://issuer.example/' }, expected)).to.match(/iss.*UPSTREAM_ISSUER/);
    expect(checked({ ...claims, iss: undefined }, expected)).to.match(/UPSTREAM_ISSUER/);
    expect(checked({ ...claims, aud: 'client-2' }, expected)).to.match(/aud.*UPSTREAM_AUDIENCE/);
    expect(checked({ ...claims, aud: [] }, expected)).to.match(/UPSTREAM_AUDIENCE/);
    expect(checked({ ...claims, aud: undefined }, expected)).to.match(/UPSTREAM_AUDIENCE/);
    expect(checked({ ...claims, iss: 'x', aud: 'y' })).to.equal('taken');
  });

  it('are taken up to five seconds beyond their times, and no further', () => {
    expect(checked({ exp: SECONDS - 4 })).to.equal('taken');
    expect(checked({ exp: SECONDS - 5 })).to.match(/expired.*clock/);
    expect(checked({ nbf: SECONDS + 5 })).to.equal('taken');
    expect(checked({ nbf: SECONDS + 6 })).to.match(/not valid yet.*clock/);
    expect(checked({ iat: SECONDS + 3_600 })).to.equal('taken');
  });
});

describe('the answer to a login or refresh', () => {
  const token = unsignedToken(someClaims(SECONDS));
  const inAnswer = (answer: unknown): string | null => tokenIn(Buffer.from(JSON.stringify(answer)));

  it('has its token at the top or inside data', () => {
    expect(inAnswer({ accessToken: token, expiresIn: 900 })).to.equal(token);
    expect(inAnswer({ success: true, data: { accessToken: token } })).to.equal(token);
    expect(inAnswer({ accessToken: token, data: null })).to.equal(token);
    expect(inAnswer({ accessToken: null, data: { accessToken: token } })).to.equal(token);
  });

  it('has none where it is something else, or could break out of a header', () => {
    for (const answer of [
      {},
      [],
      null,
      { data: [] },
      { accessToken: 1 },
      { accessToken: '' },
      { access_token: token },
    ]) {
      expect(inAnswer(answer)).to.equal(null);
    }
    for (const odd of [`${token}\r\nX: y`, ` ${token}`, `${token}é`, `${token}.x`]) {
      expect(inAnswer({ accessToken: odd })).to.equal(null);
    }
    expect(tokenIn(Buffer.from([0xff, 0xfe]))).to.equal(null);
    expect(tokenIn(Buffer.from('<html>'))).to.equal(null);
  });
});

describe('a secret text', () => {
  it('is shown by nothing but reveal', () => {
    const held = { text: new SecretText('very-secret') };
    const shown = [JSON.stringify(held), inspect(held, { depth: 9, showHidden: true }), inspect([held])];
    for (const text of shown) expect(text).to.include('[secret]').and.not.include('very');
    expect(held.text.reveal()).to.equal('very-secret');
  });
});
