import { expect } from 'chai';
import { KnownPeers } from '../../../src/http/connections/known-peers.ts';

describe('peers that proved who they are', () => {
  it('are remembered as long as no thousand others did, and told to be new once', () => {
    const peers = new KnownPeers();
    expect([peers.add('first'), peers.add('first')]).to.deep.equal([true, false]);
    for (let n = 1; n < 1_000; n += 1) peers.add(String(n));
    expect(peers.has('first')).to.equal(true);
    peers.add('one more');
    expect(['first', '1', 'one more'].map((address) => peers.has(address))).to.deep.equal([false, true, true]);
  });
});
