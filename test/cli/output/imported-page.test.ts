import { expect } from 'chai';
import { importedPage } from '../../../src/cli/output/imported-page.ts';
import { sha256 } from '../../../src/domain/sha256.ts';

describe('what is printed of an imported bank file', () => {
  it('says of one line and of several what is new, left out, and what the balances are', () => {
    const statementId = sha256('file');
    const none = { statementId, account: 'A1', currency: 'INR', duplicateLines: 0, opening: null, closing: null };
    expect(importedPage({ ...none, lines: 1, newLines: 1, pending: 1 }, null)).to.equal(
      `1 line of A1: 1 new, 0 known already\n1 entry is not booked yet, and was left out\nstatement ${statementId}\n`,
    );
    const several = {
      ...none,
      account: null,
      currency: null,
      lines: 3,
      newLines: 2,
      duplicateLines: 1,
      pending: 2,
      closing: '7.00',
    };
    expect(importedPage(several, null)).to.equal(
      `3 lines of several accounts: 2 new, 1 known already\n2 entries are not booked yet, and were left out\nbalance ? to 7.00\nstatement ${statementId}\n`,
    );
  });

  it('says that a file was imported before, for whom, and what that means for another account or currency', () => {
    const counts = { lines: 1, newLines: 1, duplicateLines: 0, pending: 0, opening: null, closing: null };
    const was = { statementId: sha256('file'), account: 'A1', currency: 'INR', ...counts };
    const page = importedPage(was, null);
    const before = `imported before, for A1 in INR: nothing was added\n`;
    expect(importedPage(was, { otherwise: null })).to.equal(`${before}${page}`);
    for (const [otherwise, named] of [
      [{ account: 'ACC-2', currency: 'INR' }, 'ACC-2 in INR'],
      [{ account: 'A1', currency: 'EUR' }, 'A1 in EUR'],
    ] as const)
      expect(importedPage(was, { otherwise })).to.equal(
        `${before}not imported for ${named}: it has the same bytes; with an empty line more at its end, or saved again, it is a file of its own\n${page}`,
      );
  });
});
