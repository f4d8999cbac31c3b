import { expect } from 'chai';
import { FailureLines, type StoreAway } from '../../../src/composition/ledger/failure-lines.ts';

describe('lines about what fails again and again', () => {
  const linesOf = (storeAway: StoreAway) => {
    const said: string[] = [];
    const lines = new FailureLines(
      { error: (failure) => said.push(`error ${failure}`), follows: (failure) => said.push(`follows ${failure}`) },
      storeAway,
    );
    return { said, lines };
  };

  it('say each failure once until it succeeds', () => {
    const { said, lines } = linesOf(null);
    for (let n = 0; n < 3; n += 1) for (const failure of ['a', 'b']) lines.failed(failure);
    expect(said).to.deep.equal(['error a', 'error b']);
    lines.succeeded();
    lines.failed('a');
    expect(said).to.deep.equal(['error a', 'error b', 'error a']);
  });

  it('say no error of what only follows from an outage, also where that is known a moment later', () => {
    let away: string | null = null;
    const { said, lines } = linesOf(() => away);
    lines.failed('refused');
    expect(said).to.deep.equal([]);
    away = 'refused';
    for (const failure of ['refused', 'too late', 'refused']) lines.failed(failure);
    expect(said).to.deep.equal(['follows refused']);
    lines.succeeded();
    lines.failed('again');
    expect(said).to.deep.equal(['follows refused', 'follows again']);
  });

  it('say of a store on another machine that is there what fails a second time, whatever it is called', () => {
    const { said, lines } = linesOf(() => null);
    for (const failure of ['disk full', 'disk full now', 'disk full now']) lines.failed(failure);
    expect(said).to.deep.equal(['error disk full now']);
  });
});
