import { expect } from 'chai';
import { isLoopback } from '../../src/config/loopback.ts';

describe('isLoopback', () => {
  it('is of hosts that this machine alone reaches, an address of IPv6 in brackets as in a URL or without', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', '::1', '[::1]', '0:0:0:0:0:0:0:1', 'localhost', 'LOCALHOST']) {
      expect(isLoopback(host), host).to.equal(true);
    }
    for (const host of [
      '',
      '0.0.0.0',
      '128.0.0.1',
      '::',
      '[::]',
      '[::2]',
      '[::1',
      '[]',
      'ledger.example',
      'localhost.example',
    ]) {
      expect(isLoopback(host), host).to.equal(false);
    }
  });
});
