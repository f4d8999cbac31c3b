import { expect } from 'chai';
import { Silence } from '../../src/concurrency/silence.ts';

describe('silence', () => {
  it('begins once, where the oldest is the same for five seconds, and ends with any answer', () => {
    const silence = new Silence();
    const oldest = {};
    const begins = Array.from({ length: 8 }, () => silence.look(oldest));
    expect(begins).to.deep.equal([false, false, false, false, false, true, false, false]);
    expect(silence.seconds).to.equal(7);
    expect(silence.answered()).to.equal(7);
    expect(silence.seconds).to.equal(null);
    expect(silence.answered()).to.equal(null);
  });

  it('is none where each is answered, or nothing waits, however often it is looked', () => {
    const silence = new Silence();
    for (let i = 0; i < 20; i += 1) {
      const one = {};
      for (let look = 0; look < 4; look += 1) expect(silence.look(one)).to.equal(false);
    }
    for (let look = 0; look < 20; look += 1) expect(silence.look(undefined)).to.equal(false);
  });
});
