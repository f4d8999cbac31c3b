import { Socket } from 'node:net';
import { expect } from 'chai';
import { connectionsBeside, NewConnections } from '../../../src/http/connections/new-connections.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('new connections', () => {
  it('keep coming where one was accepted in each of some turns of the loop, until one has none', async () => {
    const connections = new NewConnections();
    const seen: boolean[] = [];
    for (const comes of [true, true, true, true, true, false, false, true, true, true, false, true]) {
      if (comes) connections.came(new Socket());
      await turn();
      seen.push(connections.keepComing);
    }
    expect(seen).to.deep.equal([false, false, false, true, true, false, false, false, false, false, false, false]);
  });

  it('are counted by turns, however many come in one', async () => {
    const connections = new NewConnections();
    for (let n = 0; n < 100; n += 1) connections.came(new Socket());
    await turn();
    expect(connections.keepComing).to.equal(false);
  });

  it('are told of by each of them, of its own server', async () => {
    const [busy, quiet] = [new NewConnections(), new NewConnections()];
    const [one, other] = [new Socket(), new Socket()];
    quiet.came(other);
    for (let n = 0; n < 5; n += 1) {
      busy.came(one);
      await turn();
    }
    expect(connectionsBeside(one)?.keepComing).to.equal(true);
    expect(connectionsBeside(other)?.keepComing).to.equal(false);
    expect(connectionsBeside(new Socket())).to.equal(null);
  });
});
