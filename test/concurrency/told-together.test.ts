import { expect } from 'chai';
import { toldTogether } from '../../src/concurrency/told-together.ts';
import { until } from '../support/until.ts';

describe('what is told together', () => {
  it('is told at once, then once for all that follows, and at once again behind a rest', async () => {
    let told = 0;
    const tell = toldTogether(20, () => {
      told += 1;
    });
    tell();
    expect(told).to.equal(1);
    for (let i = 0; i < 100; i += 1) tell();
    expect(told).to.equal(1);
    const hasTold = (times: number) => () => Promise.resolve(told >= times ? told : null);
    expect(await until(5_000, 'what followed', hasTold(2))).to.equal(2);
    // A rest has passed when it is told at the moment of asking.
    const third = await until(5_000, 'a rest', () => {
      const before = told;
      tell();
      return Promise.resolve(told > before ? told : null);
    });
    expect(third).to.be.at.least(3);
  });
});
