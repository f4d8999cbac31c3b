import { expect } from 'chai';
import type { ProjectorNews } from '../../src/threads/projector-message.ts';
import { toldOnce } from '../../src/threads/told-once.ts';

const removed = (generation: number, detail: string): ProjectorNews => ({ _tag: 'Removed', generation, detail });
const serving = (generation: number): ProjectorNews => ({ _tag: 'Serving', generation, stamp: 1, checkpoint: null });
const FAILED: ProjectorNews = { _tag: 'Failed', detail: 'no room', isOutage: false };

describe('that a generation was removed', () => {
  it('is told once, however many find it and however often its build fails, and of each one', () => {
    const told: ProjectorNews[] = [];
    const post = toldOnce((news) => told.push(news));
    const news = [serving(1), removed(1, 'a page'), removed(1, 'its file'), FAILED, removed(1, 'its file'), FAILED];
    for (const one of news) post(one);
    expect(told).to.deep.equal([serving(1), removed(1, 'a page'), FAILED, FAILED]);
    post(removed(2, 'another'));
    expect(told.at(-1)).to.deep.equal(removed(2, 'another'));
  });

  it('is told again of a number that serves again', () => {
    const told: ProjectorNews[] = [];
    const post = toldOnce((news) => told.push(news));
    for (const one of [removed(1, 'a'), serving(1), removed(1, 'b')]) post(one);
    expect(told).to.deep.equal([removed(1, 'a'), serving(1), removed(1, 'b')]);
  });
});
