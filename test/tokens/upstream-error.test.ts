import { expect } from 'chai';
import { upstreamErrorLine } from '../../src/tokens/upstream-error.ts';

const lineOf = (detail: string): string =>
  upstreamErrorLine({
    _tag: 'NoToken',
    code: 'upstream-no-token',
    steps: [{ step: 'login', failure: { _tag: 'Unreachable', detail } }],
  });

describe('what is told of a provider that there is no connection to', () => {
  it('says what to do about its certificate', () => {
    for (const [code, cure] of [
      ['DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS=FILE names an authority of your own$/],
      ['SELF_SIGNED_CERT_IN_CHAIN', /NODE_EXTRA_CA_CERTS=FILE/],
      ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS=FILE/],
      ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /NODE_EXTRA_CA_CERTS=FILE/],
      ['CERT_HAS_EXPIRED', /certificate is out of date: tell them/],
      ['ERR_TLS_CERT_ALTNAME_INVALID', /UPSTREAM_BASE_URL: the certificate there is for another host$/],
      ['ECONNREFUSED', /check UPSTREAM_BASE_URL, and whether the provider is up$/],
    ] as const) {
      expect(lineOf(code)).to.match(new RegExp(`login: no connection \\(${code}\\)`));
      expect(lineOf(code)).to.match(cure);
    }
  });
});
