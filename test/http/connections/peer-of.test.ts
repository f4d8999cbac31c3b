import { expect } from 'chai';
import { peerOf } from '../../../src/http/connections/peer-of.ts';

describe('a peer', () => {
  it('is the address that they come from, or that their proxy saw, and never what they say themselves', () => {
    const cases: readonly (readonly [string | undefined, string | null, string])[] = [
      ['192.0.2.1', null, '192.0.2.1'],
      ['::ffff:192.0.2.1', null, '192.0.2.1'],
      ['10.0.0.1', '', '10.0.0.1'],
      ['10.0.0.1', '198.51.100.4', '198.51.100.4'],
      ['10.0.0.1', 'made up, 198.51.100.4', '198.51.100.4'],
      ['10.0.0.1', '198.51.100.4, made up', '10.0.0.1'],
      ['10.0.0.1', 'made up, 198.51.100.4:51234', '198.51.100.4'],
      ['10.0.0.1', '[2001:db8:1:2::9]:443', '2001:db8:1:2'],
      ['10.0.0.1', '[2001:db8:1:2::9]', '2001:db8:1:2'],
      ['10.0.0.1', '2001:db8:1:2::9', '2001:db8:1:2'],
      ['10.0.0.1', '198.51.100.4:made-up', '10.0.0.1'],
      [undefined, null, ''],
      [undefined, '198.51.100.4', ''],
    ];
    for (const [remote, forwarded, peer] of cases) expect(peerOf(remote, forwarded), forwarded ?? '').to.equal(peer);
  });

  it('is believed what it says of others on this machine and in private networks alone: others have come past the proxy', () => {
    const proxies = [
      '127.0.0.1',
      '::1',
      '::ffff:172.18.0.1',
      '192.168.1.1',
      '169.254.1.1',
      '100.64.0.9',
      'fd00::1',
      'fe80::1',
    ];
    for (const proxy of proxies) expect(peerOf(proxy, '198.51.100.4'), proxy).to.equal('198.51.100.4');
    for (const stranger of ['192.0.2.1', '::ffff:192.0.2.1', '172.32.0.1', '100.128.0.1', '2001:db8:1:2::9']) {
      expect(peerOf(stranger, '198.51.100.4'), stranger).to.equal(peerOf(stranger, null));
    }
  });

  it('is one whatever address of their network they take', () => {
    const network = peerOf('2001:db8:1:2:3:4:5:6', null);
    for (const address of ['2001:db8:1:2::', '2001:db8:1:2::9', '2001:db8:1:2:ffff::1']) {
      expect(peerOf(address, null), address).to.equal(network);
    }
    for (const spelling of [
      '2001:0DB8:0001:2::9',
      '2001:db8:1:2:0:0:0:9',
      '2001:db8:01:0002::9',
      '2001:db8:1:2::192.0.2.1',
    ]) {
      expect(peerOf('10.0.0.1', spelling), spelling).to.equal(network);
    }
    for (const mapped of ['::ffff:c000:201', '0:0:0:0:0:FFFF:192.0.2.1', '::FFFF:192.0.2.1']) {
      expect(peerOf(mapped, null), mapped).to.equal('192.0.2.1');
    }
    expect(peerOf('fe80::1%eth0', null)).to.equal(peerOf('fe80::2', null));
    expect(peerOf('2001:db8:1:3::9', null)).not.to.equal(network);
    expect(peerOf('::1', null)).to.equal(peerOf('0:0:0:0:0:0:0:1', null));
  });
});
