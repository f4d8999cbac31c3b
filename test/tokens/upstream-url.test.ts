import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { upstreamUrl } from '../../src/tokens/upstream-url.ts';
import { anyCharacter } from '../support/any-character.ts';

const BASE = 'https://api.example.com/ramp';

const urlOf = (path: string): string | null => {
  const url = upstreamUrl(BASE, path);
  return E.isRight(url) ? url.right.href : null;
};

const AS_THEY_ARE = `abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@`;
/** What a segment may be of: what may stand there as it is, and everything else escaped. */
const ofSegments = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom(...AS_THEY_ARE.split('')) },
  { weight: 1, arbitrary: anyCharacter.map(encodeURIComponent) },
);

const segment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('v1', 'users', '@', 'evil.example:80', '', '?', '%2f') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '.',
      '..',
      '%2e%2e',
      '.%2E',
      '%252e%252e',
      '..%2f..',
      '..%5c',
      '..;',
      '.;a',
      '..%3bx',
      ';',
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 4 }) },
  { weight: 2, arbitrary: fc.string({ unit: ofSegments }) },
);
const begin = fc.oneof(
  { weight: 6, arbitrary: fc.constant('/v1/a/') },
  { weight: 1, arbitrary: fc.constantFrom('', '/', '//', '\\', 'https://', 'https:', '\t/', '/v1\\') },
);
const path = fc.tuple(begin, fc.array(segment)).map(([first, segments]) => first + segments.join('/'));

/** What a server that undoes every escape would open. */
const opened = (text: string): string => {
  const once = text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return once === text ? new URL(`http://h${text}`).pathname : opened(once);
};

/** The same of a server that leaves out parameters of segments, before it looks at dots. */
const openedWithoutParameters = (text: string): string => opened(text.replaceAll(/(?:;|%3b)[^/]*/gi, ''));

describe('the address of a path upstream', () => {
  it('stands below the base URL, whatever the path is', () => {
    let taken = 0;
    fc.assert(
      fc.property(path, (text) => {
        const url = upstreamUrl(BASE, text);
        if (E.isLeft(url)) return;
        taken += 1;
        expect(url.right.origin).to.equal('https://api.example.com');
        expect(url.right.username + url.right.password + url.right.hash).to.equal('');
        expect(url.right.pathname.startsWith('/ramp/'), url.right.pathname).to.equal(true);
        expect(opened(url.right.pathname.replaceAll(/%2f/gi, '/')).startsWith('/ramp/'), text).to.equal(true);
        const bare = openedWithoutParameters(`/ramp${text.replace(/\?.*$/s, '')}`);
        expect(bare.startsWith('/ramp'), `${text}: ${bare}`).to.equal(true);
      }),
      { numRuns: 2_000 },
    );
    expect(taken, 'not all were refused').to.be.greaterThan(500);
  });

  it('keeps path and query as they are', () => {
    expect(urlOf('/v1/users/me')).to.equal(`${BASE}/v1/users/me`);
    expect(urlOf('/v1/orders?limit=2&q=../..')).to.equal(`${BASE}/v1/orders?limit=2&q=../..`);
    expect(urlOf('/')).to.equal(`${BASE}/`);
    expect(urlOf('/v1/a%2Fb')).to.equal(`${BASE}/v1/a%2Fb`);
    expect(urlOf('/v1/../v2')).to.equal(`${BASE}/v2`);
  });

  const REFUSED = [
    ['', /begin with \//],
    ['v1/users/me', /begin with \//],
    ['https://evil.example/v1', /begin with \//],
    ['javascript:x', /begin with \//],
    ['//evil.example/v1', /names a host/],
    ['/\\evil.example', /backslash/],
    ['/v1\r\nHost: evil', /control/],
    ['/v1#x', /#/],
    ['/..', /above/],
    ['/../ramp/v1', /above/],
    ['/v1/../../ramp/v1', /above/],
    ['/%2e%2e/x', /above/],
    ['/v1/..%2f..%2fadmin', /above/],
    ['/%252e%252e/x', /above/],
    ['/..%5Cx', /above/],
    ['/.;/..;/x', /above/],
    ['/v1/..%3Bx/..;y', /above/],
    ['/;a/..', /above/],
    ['/%c0%ae%c0%ae/x', /UTF-8/],
    ['/..%c0%afx', /UTF-8/],
    ['/..%00/x', /UTF-8/],
    ['/%uff0e%uff0e/x', /UTF-8/],
    ['/..%20/x', /above/],
    ['/..%3f/x', /above/],
    ['/..%23/x', /above/],
    ['/\u2025/x', /above/],
    ['/.\u00AD./x', /above/],
    [`/%${'25'.repeat(30_000)}2e`, /escaped more than/],
    ['/..%09/x', /above/],
    ['/%20../x', /above/],
  ] as const;
  for (const [text, says] of REFUSED) {
    it(`refuses ${JSON.stringify(text)} in one line that says what would be right`, () => {
      const url = upstreamUrl(BASE, text);
      if (E.isRight(url)) expect.fail(url.right.href);
      else
        expect(url.left.detail)
          .to.match(says)
          .and.to.match(/UPSTREAM_BASE_URL/)
          .and.not.match(/\n/);
    });
  }
});
