import { expect } from 'chai';
import { FairTurns } from '../../src/concurrency/fair-turns.ts';

describe('fair turns', () => {
  it('begin one of each who waits, however much the others brought before', async () => {
    const turns = new FairTurns(1);
    const begun: string[] = [];
    const work = (name: string) => (): Promise<void> => {
      begun.push(name);
      return Promise.resolve();
    };
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => turns.run(name.charAt(0), work(name)));
    await Promise.all(all);
    expect(begun).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('are so many at once, one that failed counting for done', async () => {
    const turns = new FairTurns(2);
    let atOnce = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, (atOnce += 1));
      await Promise.resolve();
      atOnce -= 1;
      throw new Error('broken');
    };
    const ended = await Promise.allSettled(Array.from({ length: 9 }, (_, n) => turns.run(String(n % 3), work)));
    expect(ended.every(({ status }) => status === 'rejected')).to.equal(true);
    expect(most).to.equal(2);
    expect(await turns.run('next', () => Promise.resolve('next'))).to.equal('next');
  });

  it('are no more than some of one, so that the others begin at once whatever is under way', async () => {
    const turns = new FairTurns(4, 2);
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2'].map((name) =>
      turns.run(name.charAt(0), () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      }),
    );
    const after = async (name: string): Promise<string> => {
      ends.get(name)?.();
      await new Promise(setImmediate);
      return begun.join(' ');
    };
    expect(begun.join(' ')).to.equal('a1 a2 b1 c1');
    // Who has two has no more, though others wait for nothing.
    expect(await after('b1')).to.equal('a1 a2 b1 c1 c2');
    expect(await after('c1')).to.equal('a1 a2 b1 c1 c2');
    expect(await after('a2')).to.equal('a1 a2 b1 c1 c2 a3');
    expect(await after('a3')).to.equal('a1 a2 b1 c1 c2 a3 a4');
    for (const name of begun) ends.get(name)?.();
    await Promise.all(all);
    expect(await turns.run('a', () => Promise.resolve('next'))).to.equal('next');
  });

  it('that last longer than a call end once, whoever ends them again', async () => {
    const turns = new FairTurns(1);
    const end = (await turns.take('a', () => true)) ?? expect.fail('there was no turn');
    const begun: string[] = [];
    const last = Promise.withResolvers<void>();
    const next = ['b', 'c'].map((who) =>
      turns.run(who, () => {
        begun.push(who);
        return last.promise;
      }),
    );
    for (let times = 0; times < 3; times += 1) end();
    await Promise.race([...next, new Promise(setImmediate)]);
    expect(begun).to.deep.equal(['b']);
    last.resolve();
    await Promise.all(next);
  });

  it('are left by whoever nobody waits for any more, in the line and when it is theirs', async () => {
    const turns = new FairTurns(1);
    const end = (await turns.take('a', () => true)) ?? expect.fail('there was no turn');
    let isAwaited = true;
    const [inLine, asked] = [turns.take('b', () => isAwaited), turns.take('c', () => false)];
    expect(await asked).to.equal(null);
    isAwaited = false;
    // The turn of `a` is not over: it is in the line that they are looked at.
    expect(await inLine).to.equal(null);
    isAwaited = true;
    const late = turns.take('d', () => isAwaited);
    isAwaited = false;
    end();
    expect(await late).to.equal(null);
    expect(await turns.run('e', () => Promise.resolve('next'))).to.equal('next');
  });
});
