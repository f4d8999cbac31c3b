import { expect } from 'chai';
import { isIban } from '../../src/domain/iban.ts';

describe('an IBAN', () => {
  it('has check digits that are right', () => {
    for (const iban of [
      'DE89370400440532013000',
      'NL91ABNA0417164300',
      'NO9386011117947',
      'MT84MALT011000012345MTLCAST001S',
    ])
      expect(isIban(iban), iban).to.equal(true);
    for (const other of ['DE88370400440532013000', 'NL91ABNA0417164301', 'DE89', 'HDFCR52023030212345678', ''])
      expect(isIban(other), other).to.equal(false);
  });

  it("is no creditor's reference, which names a bill", () => {
    expect(isIban('RF18539007547034')).to.equal(false);
    expect(isIban('RF712348231123123123123')).to.equal(false);
  });
});
