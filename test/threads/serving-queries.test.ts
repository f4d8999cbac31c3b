import { expect } from 'chai';
import { ServingQueries } from '../../src/threads/serving-queries.ts';

describe('the generation that questions are answered from', () => {
  it('is closed when it serves no more and the last question that uses it has its answer', async () => {
    const closed: string[] = [];
    let generation = 'first';
    const serving = new ServingQueries(() => {
      const queries = generation;
      return { queries, close: () => closed.push(queries) };
    });
    const waited = Promise.withResolvers<void>();
    const used = ['a', 'b'].map((name) =>
      serving.use(serving.now() ?? '', async (queries) => {
        await waited.promise;
        return [name, queries, closed.length];
      }),
    );
    generation = 'second';
    serving.leave();
    expect([serving.now(), closed]).to.deep.equal(['second', []]);
    waited.resolve();
    expect(await Promise.all(used)).to.deep.equal([
      ['a', 'first', 0],
      ['b', 'first', 0],
    ]);
    expect(closed).to.deep.equal(['first']);
    expect(await serving.use('first', () => Promise.resolve('made'))).to.equal(null);
    serving.leave();
    expect(closed).to.deep.equal(['first', 'second']);
  });

  it('is none where nothing serves', async () => {
    const serving = new ServingQueries<string>(() => null);
    expect([serving.now(), await serving.use('none', () => Promise.resolve('made'))]).to.deep.equal([null, null]);
    serving.leave();
  });
});
