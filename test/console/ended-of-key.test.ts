import { expect } from 'chai';
import { EndedOfKey } from '../../src/console/ended-of-key.ts';

describe('the sessions of a key that were ended', () => {
  it('stay so when an earlier time is told by which all of them are', () => {
    const ended = new EndedOfKey();
    for (const until of [100, 50]) ended.endAllUntil(until);
    expect([50, 100, 101].map((expiresAt) => ended.has('another', expiresAt))).to.deep.equal([true, true, false]);
    expect(ended.allUntil).to.equal(100);
  });
});
