import { Socket } from 'node:net';
import { expect } from 'chai';
import { EndedInShares } from '../../../src/http/connections/ended-in-shares.ts';
import { loopTurns } from '../../support/loop-turns.ts';

const TAKES_MS = 0.2;

describe('connections that are to be ended in one moment', () => {
  it('are ended so many in each turn of the loop, each once, and nothing more is read of those that wait', async () => {
    const turns = loopTurns();
    const ended: { readonly socket: unknown; readonly turn: number }[] = [];
    const all = new EndedInShares((socket) => {
      ended.push({ socket, turn: turns.now() });
      const end = performance.now() + TAKES_MS;
      while (performance.now() < end);
    });
    const sockets = Array.from({ length: 300 }, () => new Socket());
    for (const socket of [...sockets, ...sockets.slice(-100)]) all.came(socket);
    expect(ended.length).to.be.within(1, 10);
    expect(sockets.slice(-100).every((socket) => socket.isPaused())).to.equal(true);
    while (all.size > 0) await new Promise(setImmediate);
    turns.stop();
    expect(ended.map(({ socket }) => socket)).to.have.members(sockets);
    expect(ended.length).to.equal(300);
    const perTurn = Map.groupBy(ended, ({ turn }) => turn);
    expect(Math.max(...[...perTurn.values()].map(({ length }) => length))).to.be.at.most(32);
  });
});
