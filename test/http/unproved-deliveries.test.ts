import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { deliveriesFirst } from '../../src/http/connections/deliveries-first.ts';
import { HeldByPeers } from '../../src/http/connections/held-by-peers.ts';
import { NewConnections } from '../../src/http/connections/new-connections.ts';
import { notProvedBy, provedBy } from '../../src/http/connections/proved-connections.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { until } from '../support/until.ts';

/** Forged deliveries that come at once, each by a connection of its own. */
const FORGED = 300;

/** What one of them takes. */
const TAKES_MS = 0.5;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('deliveries of those who proved nothing', () => {
  /** The connections by which something was heard, in that order. */
  let heard: Socket[] = [];
  let known = new Set<unknown>();
  let connections: NewConnections;
  let hear: (socket: Socket, url?: string) => ServerResponse;

  beforeEach(() => {
    // What a test before left waiting goes on in turns of this one.
    const own: Socket[] = [];
    [heard, known, connections] = [own, new Set(), new NewConnections()];
    const listener = deliveriesFirst(
      connections,
      new HeldByPeers(1_000_000_000),
      (socket) => known.has(socket),
      ({ socket }) => {
        own.push(socket);
        if (own !== heard) return;
        const end = performance.now() + TAKES_MS;
        while (performance.now() < end);
      },
    );
    hear = (socket, url = '/v1/webhooks') => {
      const request = new IncomingMessage(socket);
      [request.method, request.url] = ['POST', url];
      const response = new ServerResponse(request);
      listener(request, response);
      return response;
    };
  });

  const forge = (prepare: (socket: Socket) => void = () => undefined): ReadonlySet<Socket> => {
    const sockets = new Set(Array.from({ length: FORGED }, () => new Socket()));
    for (const socket of sockets) {
      prepare(socket);
      hear(socket);
    }
    return sockets;
  };

  it('wait, and keep nobody waiting who is known, or proved himself by that connection', () => {
    forge();
    expect(heard.length, 'few at once').to.be.lessThan(10);
    const [ofKnown, proved] = [new Socket(), new Socket()];
    known.add(ofKnown);
    provedBy(proved);
    for (const socket of [ofKnown, proved]) {
      hear(socket);
      expect(heard.at(-1)).to.equal(socket);
    }
  });

  it('take only a share of each turn, and are all heard in the end, before what is asked for beside them', async () => {
    forge();
    const asking = Array.from({ length: 20 }, () => new Socket());
    for (const socket of asking) hear(socket, '/other');
    const perTurn: number[] = [];
    for (let before = heard.length; before < FORGED + asking.length; before = heard.length) {
      await turn();
      perTurn.push(heard.length - before);
    }
    // Six milliseconds have room for a dozen, and one that began in time may end behind it.
    expect(Math.max(...perTurn)).to.be.lessThan(20);
    const last = (sockets: ReadonlySet<Socket>): number => heard.findLastIndex((socket) => sockets.has(socket));
    expect(last(new Set(asking)), 'others have a share too').to.be.lessThan(FORGED);
  });

  it('are heard before those of connections by which one was refused already', async () => {
    forge(notProvedBy);
    const [first, behind] = [new Socket(), heard.length];
    hear(first);
    while (!heard.includes(first)) await turn();
    expect(heard.indexOf(first)).to.equal(behind);
  });

  it('wait behind a proxy too, where the last of that connection was refused, until one is proved', () => {
    const refused = new Socket();
    forge((socket) => {
      known.add(socket);
      notProvedBy(socket);
    });
    known.add(refused);
    notProvedBy(refused);
    hear(refused);
    expect(heard).to.not.include(refused);
    provedBy(refused);
    hear(refused);
    expect(heard.at(-1)).to.equal(refused);
  });

  it('begin one in each turn where connections keep coming, and of those that were refused some still do', async () => {
    const comes = async (): Promise<void> => {
      connections.came(new Socket());
      await turn();
    };
    while (!connections.keepComing) await comes();
    forge();
    const refused = forge(notProvedBy);
    const from = heard.length;
    for (let turns = 0; turns < 40; turns += 1) {
      const before = heard.length;
      await comes();
      expect(heard.length - before).to.be.at.most(3);
    }
    expect(heard.length - from).to.be.within(35, 50);
    expect(heard.filter((socket) => refused.has(socket)).length).to.be.within(3, 10);
  });

  it('leave nothing in memory where they left before they were heard', async () => {
    const left = Array.from({ length: FORGED }, () => {
      const response = hear(new Socket());
      response.emit('close');
      return new WeakRef(response);
    }).slice(-FORGED / 2);
    // The stack of the last turn may still hold one.
    await until(10_000, 'nothing to be left', async () => {
      await turn();
      collectGarbage();
      return left.every((ref) => ref.deref() === undefined) ? true : null;
    });
    expect(heard.length).to.be.lessThan(10);
  });
});
