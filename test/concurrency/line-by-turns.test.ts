import { expect } from 'chai';
import { LineByTurns } from '../../src/concurrency/line-by-turns.ts';

describe('a line by turns', () => {
  it('gives one of each who waits, in the order of each, and nothing behind the last', () => {
    const line = new LineByTurns<string>();
    for (const one of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) line.add(one.charAt(0), one);
    const taken = Array.from({ length: 7 }, () => line.next());
    expect(taken).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
    line.add('a', 'a4');
    expect(line.next()).to.equal('a4');
  });
});
