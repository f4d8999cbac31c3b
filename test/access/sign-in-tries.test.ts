import { expect } from 'chai';
import { signInTries } from '../../src/access/sign-in-tries.ts';

describe('tries to sign in', () => {
  it('are bounded in all, however many addresses they come from, and so are the addresses that are remembered', () => {
    let nowMs = 5_000;
    const tries = signInTries(() => nowMs, { ofPeer: 2, inAll: 7 });
    const mayBeWrong = (): number => {
      let wrong = 0;
      for (let n = 0; n < 50; n += 1) {
        if (tries.waitSeconds(`peer-${n}`) !== null) continue;
        tries.wasWrong(`peer-${n}`);
        wrong += 1;
      }
      return wrong;
    };
    expect(mayBeWrong()).to.equal(7);
    expect(tries.waitSeconds('another')).to.equal(60);
    nowMs += 59_500;
    expect(tries.waitSeconds('another')).to.equal(1);
    nowMs += 500;
    expect(mayBeWrong()).to.equal(7);
  });

  it('are bounded for each peer, whose right ones take nothing from what is left', () => {
    let nowMs = 0;
    const tries = signInTries(() => nowMs, { ofPeer: 2, inAll: 100 });
    for (let n = 0; n < 9; n += 1) expect(tries.waitSeconds('a')).to.equal(null);
    tries.wasWrong('a');
    expect(tries.waitSeconds('a')).to.equal(null);
    nowMs += 20_000;
    tries.wasWrong('a');
    expect([tries.waitSeconds('a'), tries.waitSeconds('b')]).to.deep.equal([40, null]);
    nowMs += 40_000;
    expect(tries.waitSeconds('a')).to.equal(null);
    // The next minute begins with nothing of the last one.
    tries.wasWrong('b');
    tries.wasWrong('a');
    expect(tries.waitSeconds('a')).to.equal(null);
    tries.wasWrong('a');
    expect(tries.waitSeconds('a')).to.equal(60);
  });
});
