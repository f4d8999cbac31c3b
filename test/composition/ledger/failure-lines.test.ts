import { expect } from 'chai';
import { FailureLines, type Failure, type StoreAway } from '../../../src/composition/ledger/failure-lines.ts';

describe('lines about what fails again and again', () => {
  const linesOf = (storeAway: StoreAway) => {
    const said: string[] = [];
    const lines = new FailureLines(
      { error: (failure) => said.push(`error ${failure}`), follows: (failure) => said.push(`follows ${failure}`) },
      storeAway,
    );
    return { said, lines };
  };

  const ofDisk = (detail: string): Failure => ({ detail, isOutage: false });
  const ofStore = (detail: string): Failure => ({ detail, isOutage: true });

  it('say each failure once until it succeeds, whatever failed, where the store is on this machine', () => {
    const { said, lines } = linesOf(null);
    for (let n = 0; n < 3; n += 1) for (const failure of [ofDisk('a'), ofStore('b')]) lines.failed(failure);
    expect(said).to.deep.equal(['error a', 'error b']);
    lines.succeeded();
    lines.failed(ofDisk('a'));
    expect(said).to.deep.equal(['error a', 'error b', 'error a']);
  });

  it('say no error of what only follows from an outage, also where that is known a moment later', () => {
    let away: number | null = null;
    const { said, lines } = linesOf(() => away);
    lines.failed(ofStore('refused'));
    expect(said).to.deep.equal([]);
    away = 1;
    for (const failure of ['refused', 'too late', 'refused']) lines.failed(ofStore(failure));
    expect(said).to.deep.equal(['follows refused']);
    lines.succeeded();
    lines.failed(ofStore('it comes and goes'));
    away = null;
    lines.failed(ofStore('refused'));
    expect(said).to.deep.equal(['follows refused']);
    away = 2;
    lines.failed(ofStore('again'));
    expect(said).to.deep.equal(['follows refused', 'follows again']);
  });

  it('say of a store on another machine that is there what fails a second time', () => {
    const { said, lines } = linesOf(() => null);
    for (const failure of ['slow', 'slower', 'slower']) lines.failed(ofStore(failure));
    expect(said).to.deep.equal(['error slower']);
  });

  it('say so too where it succeeds in between, again and again', () => {
    const { said, lines } = linesOf(() => null);
    for (let n = 0; n < 3; n += 1) {
      lines.failed(ofStore('refused'));
      lines.succeeded();
    }
    expect(said).to.deep.equal(['error refused', 'error refused']);
  });

  it('say at once what is none of the store: a full disk, whether the store is there or away', () => {
    for (const away of [null, 1]) {
      const { said, lines } = linesOf(() => away);
      for (let n = 0; n < 3; n += 1) lines.failed(ofDisk('disk full'));
      expect(said).to.deep.equal(['error disk full']);
    }
  });
});
