import { expect } from 'chai';
import { sizeText } from '../../src/console/size-text.ts';

describe('sizes for people', () => {
  it('stand in the largest unit that they fill', () => {
    const sizes = [0, 1, 812, 1_023, 1_024, 1_536, 1_024 ** 2, 1.5 * 1_024 ** 3, 2 ** 60];
    expect(sizes.map(sizeText)).to.deep.equal([
      '0 bytes',
      '1 byte',
      '812 bytes',
      '1023 bytes',
      '1 KiB',
      '1.5 KiB',
      '1 MiB',
      '1.5 GiB',
      '1050000 TiB',
    ]);
  });
});
