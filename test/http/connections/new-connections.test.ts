import { expect } from 'chai';
import { NewConnections } from '../../../src/http/connections/new-connections.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('new connections', () => {
  it('keep coming where one was accepted in each of some turns of the loop, until one has none', async () => {
    const connections = new NewConnections();
    const seen: boolean[] = [];
    for (const comes of [true, true, true, true, true, false, false, true, true, true, false, true]) {
      if (comes) connections.came();
      await turn();
      seen.push(connections.keepComing);
    }
    expect(seen).to.deep.equal([false, false, false, true, true, false, false, false, false, false, false, false]);
  });

  it('are counted by turns, however many come in one', async () => {
    const connections = new NewConnections();
    for (let n = 0; n < 100; n += 1) connections.came();
    await turn();
    expect(connections.keepComing).to.equal(false);
  });
});
