import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { HeldByPeers } from '../../../src/http/connections/held-by-peers.ts';
import { holdUnheard } from '../../../src/http/connections/hold-unheard.ts';
import { memoryOfRequest } from '../../../src/http/connections/memory-of-request.ts';
import { RequestsBehind } from '../../../src/http/connections/requests-behind.ts';

const nothing = (): void => undefined;

const request = (headers: Readonly<Record<string, string>> = {}): IncomingMessage =>
  Object.assign(new IncomingMessage(new Socket()), { url: '/', headers, rawHeaders: Object.entries(headers).flat() });
const SMALL = request();
const KIB = 1_024;

/** Connections on which requests wait, over so much memory. */
const scene = (most: number, known: ReadonlySet<string> = new Set()) => {
  const all = new HeldByPeers(most);
  const cutOff: unknown[] = [];
  const open = (address: string) => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: address });
    const isKnown = (): boolean => known.has(address);
    return { socket, behind: new RequestsBehind(socket, all, isKnown, (full) => cutOff.push(full)) };
  };
  return { all, open, cutOff };
};

describe('requests that wait behind another one', () => {
  it('hold so much on all connections together: who holds most is cut off first, and others go on', () => {
    const { open } = scene(64 * KIB);
    const one = open('192.0.2.1');
    one.behind.add(SMALL, nothing);
    const many = Array.from({ length: 30 }, () => open('192.0.2.2'));
    for (const { behind } of many) behind.add(SMALL, nothing);
    expect(one.socket.destroyed).to.equal(false);
    const left = many.filter(({ socket }) => !socket.destroyed);
    expect(left).to.deep.equal(many.slice(-left.length));
    expect((1 + left.length) * memoryOfRequest(SMALL)).to.be.at.most(64 * KIB);
    expect((2 + left.length) * memoryOfRequest(SMALL)).to.be.greaterThan(64 * KIB);
  });

  it('count with what came of their bodies, whatever is announced, also when they wait in another place then', () => {
    const { all, open } = scene(KIB * KIB);
    const { behind } = open('192.0.2.1');
    for (const headers of [{ 'content-length': '10000000' }, { 'transfer-encoding': 'chunked' }]) {
      const before = all.left;
      const posted = request(headers);
      const itself = memoryOfRequest(posted);
      behind.add(posted, nothing);
      expect(before - all.left).to.equal(itself);
      posted.push(Buffer.alloc(10_000));
      posted.push(Buffer.alloc(1));
      posted.push(null);
      expect(before - all.left - itself).to.be.within(10_001, 12_001);
      const taken = before - all.left;
      behind.beginOne();
      expect(all.left).to.equal(before);
      const letGo = holdUnheard(all, posted);
      expect(before - all.left, 'at the front of its connection').to.equal(taken);
      letGo();
    }
  });

  it('are fewer where others hold much, but a few at least, and as many as ever of a peer that is known', () => {
    const { all, open } = scene(16 * KIB * KIB, new Set(['192.0.2.9']));
    const most = (address: string): number => {
      const { behind } = open(address);
      let added = 0;
      while (!behind.isCutOff) {
        behind.add(SMALL, nothing);
        added += 1;
      }
      return added - 1;
    };
    expect(most('192.0.2.1')).to.equal(32);
    all.holds(all.enter('192.0.2.2', nothing), 16 * KIB * KIB - 512 * KIB);
    expect(most('192.0.2.3')).to.equal(5);
    expect(most('192.0.2.9')).to.equal(32);
  });

  it('are not given up for those of others where their peer is known, and they hold no large part', () => {
    const { all, open } = scene(64 * KIB, new Set(['192.0.2.9']));
    all.proved('192.0.2.9');
    const known = open('192.0.2.9');
    for (let n = 0; n < 3; n += 1) known.behind.add(SMALL, nothing);
    const others = Array.from({ length: 30 }, (_, n) => open(`192.0.2.${20 + n}`));
    for (const { behind } of others) behind.add(SMALL, nothing);
    expect(others.filter(({ socket }) => socket.destroyed)).to.have.length.greaterThan(0);
    expect(known.socket.destroyed).to.equal(false);
  });

  it('give back all that they held when they are heard, or their connection is gone', async () => {
    const { all, open } = scene(KIB * KIB);
    const heard: number[] = [];
    const { socket, behind } = open('192.0.2.1');
    for (let n = 0; n < 3; n += 1) behind.add(SMALL, () => heard.push(n));
    for (let n = 0; n < 4; n += 1) behind.beginOne();
    expect(heard).to.deep.equal([0, 1, 2]);
    expect(all.left).to.equal(KIB * KIB);
    behind.add(SMALL, () => heard.push(3));
    expect(all.left, 'those that were heard count no more').to.equal(KIB * KIB - memoryOfRequest(SMALL));
    const closed = Promise.withResolvers<null>();
    socket.once('close', () => closed.resolve(null));
    socket.destroy();
    await closed.promise;
    expect([all.left, behind.size]).to.deep.equal([KIB * KIB, 0]);
    behind.beginOne();
    expect(heard).to.deep.equal([0, 1, 2]);
  });

  it('are heard no more where they are too many, hold nothing, and their connection is told of once, and not read', async () => {
    const { all, open, cutOff } = scene(KIB * KIB);
    const heard: number[] = [];
    const { socket, behind } = open('192.0.2.1');
    for (let n = 0; n < 40; n += 1) behind.add(SMALL, () => heard.push(n));
    expect(cutOff).to.deep.equal([socket]);
    expect([behind.size, all.left, socket.isPaused()]).to.deep.equal([0, KIB * KIB, true]);
    behind.beginOne();
    socket.resume();
    await new Promise(setImmediate);
    expect([heard.length, socket.isPaused()]).to.deep.equal([0, true]);
  });

  it('are heard as far as they are whole, and come before the one that is cut, and then their connection ends', () => {
    const { all, open } = scene(KIB * KIB);
    const after = (cut: (requests: readonly IncomingMessage[]) => IncomingMessage | null): readonly unknown[] => {
      const order: unknown[] = [];
      const { behind } = open('192.0.2.1');
      const requests = Array.from({ length: 4 }, (_, n) => Object.assign(request(), { complete: n < 3 }));
      for (const [n, one] of requests.entries()) behind.add(one, () => order.push(n));
      if (!behind.endBehind(cut(requests), () => order.push('end'))) order.push('none');
      while (behind.size > 0) behind.beginOne();
      return order;
    };
    expect(after(() => null)).to.deep.equal([0, 1, 2, 'end']);
    expect(after(([, second]) => second ?? null)).to.deep.equal([0, 'end']);
    expect(
      after(() => request()),
      'one that is heard already',
    ).to.deep.equal(['none', 0, 1, 2, 3]);
    expect(open('192.0.2.1').behind.endBehind(null, nothing), 'none').to.equal(false);
    expect(all.left).to.equal(KIB * KIB);
  });
});
