import { expect } from 'chai';
import * as fc from 'fast-check';
import { FairPlaces } from '../../src/concurrency/fair-places.ts';

const HOUR = 3_600_000;

/** How many places somebody gets who takes all that they can. */
const allFor = async (places: FairPlaces, who: string): Promise<number> => {
  let got = 0;
  while (await places.take(who)) got += 1;
  return got;
};

describe('fair places', () => {
  it('leave room for the next one, however much each takes of what there is for them', async () => {
    const places = new FairPlaces(8, 0);
    expect(await allFor(places, 'a')).to.equal(4);
    expect(await allFor(places, 'b')).to.equal(2);
    expect(await allFor(places, 'c')).to.equal(1);
    places.giveBack('a');
    expect(await allFor(places, 'a')).to.equal(0);
    expect(await allFor(places, 'd')).to.equal(1);
  });

  it('are given to who waits, in the order of arrival, but past those who hold their share', async () => {
    const places = new FairPlaces(4, HOUR);
    const entered: string[] = [];
    const enter = async (who: string): Promise<void> => {
      if (await places.take(who)) entered.push(who);
    };
    const taken = ['a', 'a', 'b'].map(enter);
    await Promise.all(taken);
    const waiting = ['a', 'b', 'c'].map(enter);
    await waiting[2];
    expect(entered).to.deep.equal(['a', 'a', 'b', 'c']);
    places.giveBack('b');
    await waiting[1];
    places.giveBack('a');
    places.giveBack('a');
    await waiting[0];
    expect(entered).to.deep.equal(['a', 'a', 'b', 'c', 'b', 'a']);
  });

  it('send away who waits for too long, and what is given back then goes to others', async () => {
    const places = new FairPlaces(2, 5);
    expect(await places.take('a')).to.equal(true);
    expect(await places.take('a')).to.equal(false);
    places.giveBack('a');
    expect(await places.take('a')).to.equal(true);
    expect(await places.take('a')).to.equal(false);
  });

  it('are never more than there are, and all free again when all are given back', async () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean()), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), steps, async (count, moves) => {
        const places = new FairPlaces(count, 0);
        const held: string[] = [];
        for (const [who, takes] of moves) {
          if (takes && (await places.take(who))) held.push(who);
          if (!takes && held.includes(who)) places.giveBack(held.splice(held.indexOf(who), 1)[0] ?? who);
          expect(held.length).to.be.at.most(count);
        }
        for (const who of held) places.giveBack(who);
        expect(await allFor(places, 'z')).to.equal(Math.ceil(count / 2));
      }),
    );
  });
});
