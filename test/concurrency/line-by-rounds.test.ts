import { expect } from 'chai';
import { LineByRounds } from '../../src/concurrency/line-by-rounds.ts';

const lineOf = (...all: readonly string[]): LineByRounds<string> => {
  const line = new LineByRounds<string>();
  for (const one of all) line.add(one.charAt(0), one);
  return line;
};

const taken = (line: LineByRounds<string>, many: number): readonly (string | undefined)[] =>
  Array.from({ length: many }, () => line.next());

describe('a line by rounds', () => {
  it('gives one of each who waits in a round, in the order of each, and nothing behind the last', () => {
    const line = lineOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1');
    expect(taken(line, 7)).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
  });

  it('lets whoever had no turn in the round go before all who had theirs', () => {
    const line = lineOf('a2', 'a3');
    line.noteTurn('b');
    expect(line.next()).to.equal('a2');
    for (const late of ['b1', 'c1']) line.add(late.charAt(0), late);
    expect(taken(line, 3)).to.deep.equal(['c1', 'a3', 'b1']);
  });

  it('lets nobody wait for more than one turn of each other one, however often those come anew', () => {
    const line = lineOf('a1', 'b1', 'c1', 'a2');
    const all = Array.from({ length: 4 }, () => {
      for (const again of ['b', 'c']) line.add(again, `${again}+`);
      return line.next();
    });
    expect(all).to.deep.equal(['a1', 'b1', 'c1', 'a2']);
  });

  it('forgets who had a turn when the round is over', () => {
    const line = lineOf('a1', 'b1');
    expect(taken(line, 3)).to.deep.equal(['a1', 'b1', undefined]);
    for (const one of ['a2', 'a3']) line.add('a', one);
    expect(line.next()).to.equal('a2');
    line.add('b', 'b2');
    expect(taken(line, 2)).to.deep.equal(['b2', 'a3']);
  });

  it('passes by who may have no turn now, who keeps their place', () => {
    const line = lineOf('a1', 'a2', 'b1', 'b2');
    expect(line.next((who) => who !== 'a')).to.equal('b1');
    expect(line.next((who) => who !== 'a')).to.equal('b2');
    expect(line.next(() => false)).to.equal(undefined);
    expect(taken(line, 3)).to.deep.equal(['a1', 'a2', undefined]);
  });

  it('has no place for what was taken out before its turn', () => {
    const line = lineOf('a1', 'a2', 'b1');
    line.next();
    expect(['a2', 'a2', 'b1'].map((one) => line.remove(one.charAt(0), one))).to.deep.equal([true, false, true]);
    expect(line.next()).to.equal(undefined);
  });
});
