import { expect } from 'chai';
import { behindOthers } from '../../src/concurrency/behind-others.ts';
import { wait } from '../../src/concurrency/wait.ts';

const NAME = 'match-one';

describe('what is done to one thing behind others', () => {
  it('goes on without one who has no answer, and so do those behind it', async () => {
    const of = {};
    const never = Promise.withResolvers<string>();
    const stuck = behindOthers(of, NAME, () => never.promise)();
    const through: string[] = [];
    const done = (what: string) => behindOthers(of, NAME, () => Promise.resolve(through.push(what)))();
    await Promise.all([done('first'), done('second')]);
    expect(through).to.deep.equal(['first', 'second']);
    never.resolve('late');
    expect(await stuck).to.equal('late');
  });

  it('has each of many alone, however long that takes together', async () => {
    const of = {};
    let [underWay, most] = [0, 0];
    const slow = async (): Promise<void> => {
      underWay += 1;
      most = Math.max(most, underWay);
      await wait(20);
      underWay -= 1;
    };
    await Promise.all(Array.from({ length: 30 }, () => behindOthers(of, NAME, slow)()));
    expect(most).to.equal(1);
  });

  it('waits for what is done to the same one, and for nothing else', async () => {
    const of = {};
    const first = Promise.withResolvers<string>();
    const slow = behindOthers(of, NAME, () => first.promise)();
    let isThrough = false;
    const behind = behindOthers(of, NAME, () => Promise.resolve((isThrough = true)))();
    expect(await behindOthers(of, 'match-other', () => Promise.resolve('other'))()).to.equal('other');
    expect(await behindOthers({}, NAME, () => Promise.resolve('else'))()).to.equal('else');
    expect(isThrough).to.equal(false);
    first.resolve('first');
    expect([await slow, await behind]).to.deep.equal(['first', true]);
  });

  it('goes on behind what threw', async () => {
    const of = {};
    const thrown = behindOthers(of, NAME, () => Promise.reject(new Error('broken')))();
    const behind = behindOthers(of, NAME, () => Promise.resolve('done'))();
    expect(await thrown.catch((error: unknown) => error)).to.be.an.instanceOf(Error);
    expect(await behind).to.equal('done');
  });
});
