import { expect } from 'chai';
import { importedPage } from '../../../src/cli/output/imported-page.ts';
import { sha256 } from '../../../src/domain/sha256.ts';

describe('what is printed of an imported bank file', () => {
  it('says of one line and of several what is new, left out, and what the balances are', () => {
    const statementId = sha256('file');
    const none = { statementId, account: 'A1', duplicateLines: 0, opening: null, closing: null };
    expect(importedPage({ ...none, lines: 1, newLines: 1, pending: 1 })).to.equal(
      `1 line of A1: 1 new, 0 known already\n1 entry is not booked yet, and was left out\nstatement ${statementId}\n`,
    );
    const several = { ...none, account: null, lines: 3, newLines: 2, duplicateLines: 1, pending: 2, closing: '7.00' };
    expect(importedPage(several)).to.equal(
      `3 lines of several accounts: 2 new, 1 known already\n2 entries are not booked yet, and were left out\nbalance ? to 7.00\nstatement ${statementId}\n`,
    );
  });
});
