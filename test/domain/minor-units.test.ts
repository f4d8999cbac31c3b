import { expect } from 'chai';
import { minorUnits } from '../../src/domain/minor-units.ts';

describe('the minor units of a currency', () => {
  const { NumberFormat } = Intl;
  afterEach(() => {
    Intl.NumberFormat = NumberFormat;
  });

  it('are those of ISO 4217, and none of what is no code', () => {
    expect(['INR', 'JPY', 'KWD', 'USDT', ''].map(minorUnits)).to.deep.equal([2, 0, 3, 0, 0]);
  });

  it('are looked up once of those in use, however many are made up before', () => {
    for (let n = 0; n < 3_000; n += 1) expect(minorUnits(`made up ${n}`)).to.equal(0);
    let made = 0;
    Intl.NumberFormat = new Proxy(NumberFormat, {
      construct: (target) => {
        made += 1;
        return new target('en', { style: 'currency', currency: 'BHD' });
      },
    });
    for (let n = 0; n < 100; n += 1) expect(minorUnits('BHD')).to.equal(3);
    expect(made).to.equal(1);
  });
});
