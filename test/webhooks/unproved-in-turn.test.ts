import { expect } from 'chai';
import { UnprovedInTurn } from '../../src/webhooks/unproved-in-turn.ts';

const BODY = Buffer.alloc(100);

const busy = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

describe('bodies that nobody has proved', () => {
  it('are judged in their order, others of the loop between them, where each takes long', async () => {
    const inTurn = new UnprovedInTurn();
    const seen: string[] = [];
    const all = Promise.all(
      ['a', 'b', 'c'].map((name) =>
        inTurn.judge(BODY, () => {
          busy(8);
          seen.push(name);
          setImmediate(() => seen.push('others'));
          return name;
        }),
      ),
    );
    expect(await all).to.deep.equal(['a', 'b', 'c']);
    expect(seen.slice(0, 5)).to.deep.equal(['a', 'others', 'b', 'others', 'c']);
  });

  it('are given up where more wait than there may, a single one of any size never', async () => {
    const inTurn = new UnprovedInTurn(250);
    const judged = (): string => 'judged';
    expect(await inTurn.judge(Buffer.alloc(300), judged)).to.equal('judged');
    const asked = [1, 2, 3].map(() => inTurn.judge(BODY, judged));
    expect(await Promise.all(asked)).to.deep.equal(['judged', 'judged', null]);
    expect(await inTurn.judge(BODY, judged)).to.equal('judged');
  });

  it('hold up nobody behind one that could not be judged', async () => {
    const inTurn = new UnprovedInTurn();
    const failing = inTurn.judge(BODY, () => {
      throw new Error('broken');
    });
    const next = inTurn.judge(BODY, () => 'judged');
    expect(await failing.catch((error: unknown) => String(error))).to.equal('Error: broken');
    expect(await next).to.equal('judged');
  });
});
