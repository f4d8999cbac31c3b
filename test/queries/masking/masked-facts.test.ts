import { expect } from 'chai';
import { maskedFact, maskedMemberPath, maskedPath } from '../../../src/queries/masking/masking.ts';

describe('maskedFact', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['customer.email', 'asha@example.com', 'a***@example.com'],
    ['customer.name', 'Asha', '***'],
    ['customer.phone.number', '987', '***'],
    ['customer.id', 'c1', 'c1'],
    ['customer.id.note', 'Asha', '***'],
    ['customer.age', '41', '***'],
    ['walletAddress', '0x1', '0x1'],
    ['payouts.utr', 'REF77@HDFC', 'REF77@HDFC'],
    ['payouts.utr', '{"name":"Asha"}', '{"name":"***"}'],
    ['fiat', '100', '100'],
    ['token.symbol', 'MATIC', 'MATIC'],
    ['token.contact', 'Asha', '***'],
  ];
  for (const [path, value, shown] of cases) {
    it(`${path}: ${value} → ${shown}`, () => expect(maskedFact(path, value)).to.equal(shown));
  }
});

describe('maskedPath', () => {
  it('hides the name of a member that is no name of a field', () => {
    expect(maskedPath('customer.phone.number')).to.equal('customer.phone.number');
    expect(maskedPath('customer.phone.+91 98765')).to.equal('customer.phone.***');
    expect(maskedPath('customer.phone.a@b.c')).to.equal('customer.phone.***');
  });
});

describe('maskedMemberPath', () => {
  for (const path of ['', 'customer.phone.number', 'metaData.items.0.ref', '0']) {
    it(`shows ${JSON.stringify(path)}`, () => expect(maskedMemberPath(path)).to.equal(path));
  }
  for (const path of ['customer.phone.+91 98765', 'metaData.a@b.c', 'accounts.98765', 'a.', '.a']) {
    it(`hides ${path}`, () => expect(maskedMemberPath(path)).to.equal('***'));
  }
});
