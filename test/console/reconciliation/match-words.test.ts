import { expect } from 'chai';
import { breakWords } from '../../../src/console/reconciliation/match-words.ts';

describe('the words for a break', () => {
  it('say of a transfer that is there what became of it, not that there is none', () => {
    const said = (chain: string | null): string => breakWords({ code: 'missing-on-chain', chain });
    expect(said(null)).to.equal('Nothing arrived on chain');
    expect(said('failed')).to.equal('The transfer failed on chain');
    expect(said('dropped')).to.equal('The chain dropped the transfer');
    expect(said('dropped, failed')).to.equal('None of its transfers succeeded on chain');
  });
});
