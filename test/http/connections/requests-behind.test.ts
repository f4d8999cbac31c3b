import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { HeldByPeers } from '../../../src/http/connections/held-by-peers.ts';
import { memoryOfRequest } from '../../../src/http/connections/memory-of-request.ts';
import { RequestsBehind } from '../../../src/http/connections/requests-behind.ts';

const from = (remoteAddress: string) => Object.assign(new PassThrough(), { remoteAddress });
const nothing = (): void => undefined;

const request = (headers: Readonly<Record<string, string>> = {}) => ({
  url: '/',
  headers,
  rawHeaders: Object.entries(headers).flat(),
});
const SMALL = request();
const KIB = 1_024;

/** Connections on which requests wait, over so much memory. */
const scene = (most: number, known: ReadonlySet<string> = new Set()) => {
  const all = new HeldByPeers(most);
  const open = (address: string) => {
    const socket = from(address);
    return { socket, behind: new RequestsBehind(socket, all, () => known.has(address)) };
  };
  return { all, open };
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

  it('count with their bodies, as large as those are announced, and no larger than what is kept of one', () => {
    const { all, open } = scene(KIB * KIB);
    const { behind } = open('192.0.2.1');
    for (const [headers, body] of [
      [{ 'content-length': '10000' }, 10_000],
      [{ 'content-length': '10000000' }, 65_536],
      [{ 'transfer-encoding': 'chunked' }, 65_536],
    ] as const) {
      const before = all.left;
      behind.add(request(headers), nothing);
      expect(before - all.left).to.equal(memoryOfRequest(request(headers)) + body);
    }
  });

  it('are fewer where others hold much, but a few at least, and as many as ever of a peer that is known', () => {
    const { all, open } = scene(16 * KIB * KIB, new Set(['192.0.2.9']));
    const most = (address: string): number => {
      const { socket, behind } = open(address);
      let added = 0;
      while (!socket.destroyed) {
        behind.add(SMALL, nothing);
        added += 1;
      }
      behind.beginOne();
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
});
