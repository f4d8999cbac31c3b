import { expect } from 'chai';
import { oneByOne } from '../../src/concurrency/one-by-one.ts';

describe('what is done one by one', () => {
  it('is never beside another one of the same thing, in the order in which it was asked for, failures too', async () => {
    const thing = {};
    const done: string[] = [];
    const first = Promise.withResolvers<string>();
    const deeds = [
      oneByOne(thing, async () => done.push(await first.promise)),
      oneByOne(thing, () => {
        done.push('second');
        return Promise.reject(new Error('no'));
      }).catch((error: unknown) => done.push(String(error))),
      oneByOne(thing, () => Promise.resolve(done.push('third'))),
    ];
    await oneByOne({}, () => Promise.resolve(done.push('other thing')));
    first.resolve('first');
    await Promise.all(deeds);
    expect(done).to.deep.equal(['other thing', 'first', 'second', 'third', 'Error: no']);
  });
});
