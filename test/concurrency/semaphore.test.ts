import { expect } from 'chai';
import { Semaphore } from '../../src/concurrency/semaphore.ts';

const HOUR = 3_600_000;

describe('a semaphore', () => {
  it('lets so many in, and then who came first when one is released', async () => {
    const semaphore = new Semaphore(2, HOUR);
    const entered: string[] = [];
    const enter = async (name: string): Promise<void> => {
      if (await semaphore.acquire()) entered.push(name);
    };
    const all = ['a', 'b', 'c', 'd'].map(enter);
    await Promise.all(all.slice(0, 2));
    expect(entered).to.deep.equal(['a', 'b']);
    semaphore.release();
    await all[2];
    expect(entered).to.deep.equal(['a', 'b', 'c']);
    semaphore.release();
    await all[3];
    expect(entered).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('sends away who waits for too long, and what is released then goes to others', async () => {
    const semaphore = new Semaphore(1, 5);
    expect(await semaphore.acquire()).to.equal(true);
    expect(await semaphore.acquire()).to.equal(false);
    semaphore.release();
    expect(await semaphore.acquire()).to.equal(true);
    expect(await semaphore.acquire()).to.equal(false);
  });
});
