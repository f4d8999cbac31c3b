import { expect } from 'chai';
import { turnsOfEach } from '../../src/concurrency/turns-of-each.ts';

describe('turns of each', () => {
  it('are never beside another one of the same thing, in the order in which one asks, failures too', async () => {
    const turnsOf = turnsOfEach(1);
    const thing = {};
    const done: string[] = [];
    const first = Promise.withResolvers<string>();
    const deeds = [
      turnsOf(thing).run('a', async () => done.push(await first.promise)),
      turnsOf(thing)
        .run('a', () => {
          done.push('second');
          return Promise.reject(new Error('no'));
        })
        .catch((error: unknown) => done.push(String(error))),
      turnsOf(thing).run('a', () => Promise.resolve(done.push('third'))),
    ];
    await turnsOf({}).run('a', () => Promise.resolve(done.push('other thing')));
    await turnsOfEach(1)(thing).run('a', () => Promise.resolve(done.push('other kind of work')));
    first.resolve('first');
    await Promise.all(deeds);
    expect(done.slice(0, 3)).to.deep.equal(['other thing', 'other kind of work', 'first']);
    expect(done.slice(3)).to.have.members(['second', 'third', 'Error: no']);
    expect(done.indexOf('second')).to.equal(3);
  });
});
