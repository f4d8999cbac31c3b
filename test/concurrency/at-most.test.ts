import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { atMost } from '../../src/concurrency/at-most.ts';

describe('so many at most', () => {
  it('are under way at a time, and as many as that; answers come in the order of the questions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.array(fc.nat(5), { maxLength: 30 }), async (most, turns) => {
        let [underWay, greatest] = [0, 0];
        const answers = await atMost(most, [...turns.entries()], async ([i, count]) => {
          underWay += 1;
          greatest = Math.max(greatest, underWay);
          for (let passed = 0; passed < count; passed += 1) await turn();
          underWay -= 1;
          return E.right(i);
        });
        expect(answers).to.deep.equal(E.right([...turns.keys()]));
        expect(greatest).to.be.at.most(most);
        if (turns.every((count) => count > 0)) expect(greatest).to.equal(Math.min(most, turns.length));
      }),
    );
  });

  it('begin nothing after a failure, which is the answer', async () => {
    const asked: number[] = [];
    const answer = await atMost(2, [0, 1, 2, 3, 4], async (item) => {
      asked.push(item);
      await turn();
      return item === 1 ? E.left('broken') : E.right(item);
    });
    expect(answer).to.deep.equal(E.left('broken'));
    expect(asked).to.not.include(4);
  });
});
