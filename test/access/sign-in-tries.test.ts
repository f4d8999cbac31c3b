import { expect } from 'chai';
import { peerOf } from '../../src/access/sign-in-tries.ts';

describe('who tries to sign in', () => {
  it('is the address that they come from, or that their proxy saw, and never what they say themselves', () => {
    const cases: readonly (readonly [string | undefined, string | null, string])[] = [
      ['192.0.2.1', null, '192.0.2.1'],
      ['::ffff:192.0.2.1', null, '192.0.2.1'],
      ['192.0.2.1', '', '192.0.2.1'],
      ['192.0.2.1', '198.51.100.4', '198.51.100.4'],
      ['192.0.2.1', 'made up, 198.51.100.4', '198.51.100.4'],
      ['192.0.2.1', '198.51.100.4, made up', '192.0.2.1'],
      [undefined, null, ''],
    ];
    for (const [remote, forwarded, peer] of cases) expect(peerOf(remote, forwarded), forwarded ?? '').to.equal(peer);
  });

  it('is one whatever address of their network they take', () => {
    const network = peerOf('2001:db8:1:2:3:4:5:6', null);
    for (const address of ['2001:db8:1:2::', '2001:db8:1:2::9', '2001:db8:1:2:ffff::1']) {
      expect(peerOf(address, null), address).to.equal(network);
    }
    expect(peerOf('2001:db8:1:3::9', null)).not.to.equal(network);
    expect(peerOf('::1', null)).to.equal(peerOf('0:0:0:0:0:0:0:1', null));
  });
});
