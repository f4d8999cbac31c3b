import { expect } from 'chai';
import * as fc from 'fast-check';
import { HeldByPeers } from '../../../src/http/connections/held-by-peers.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { until } from '../../support/until.ts';
import { PlainlyHeld } from './plainly-held.ts';

/** Bodies of which the clock says when they began to come. */
const scene = (most: number) => {
  const clock = { ms: 0 };
  const gaveUp: string[] = [];
  const unread = new HeldByPeers(most, () => clock.ms);
  const come = (address: string, bytes: number, name = address) => {
    const body = unread.enter(address, () => gaveUp.push(name));
    unread.holds(body, bytes);
    return body;
  };
  return { clock, gaveUp, unread, come };
};

describe('what is held for those who have proved nothing', () => {
  it('are given up in the order in which they came, of the peer of which most is held', () => {
    const { unread, gaveUp, come } = scene(100);
    come('a', 30, 'a1');
    const body = come('b', 20, 'b1');
    come('b', 30, 'b2');
    come('c', 20, 'c1');
    expect(gaveUp).to.deep.equal([]);
    come('c', 10, 'c2');
    expect(gaveUp).to.deep.equal(['b1']);
    // Who has left already leaves nothing of anybody else, and holds nothing more.
    unread.leave(body);
    unread.holds(body, 1_000);
    come('a', 5, 'a2');
    expect(gaveUp).to.deep.equal(['b1']);
    come('c', 35, 'c3');
    expect(gaveUp).to.deep.equal(['b1', 'c1', 'c2']);
  });

  it('are bounded by what is held of them: any number of which nothing came takes no room, and none is given up', () => {
    const { unread, gaveUp, come } = scene(100);
    const bodies = Array.from({ length: 10_000 }, () => unread.enter('a', () => gaveUp.push('a')));
    come('b', 100);
    expect(gaveUp).to.deep.equal([]);
    for (const body of bodies) {
      unread.holds(body, 1);
      unread.leave(body);
      expect(gaveUp).to.deep.equal(['b']);
    }
  });

  it('count as they grow, and one that grows beyond all others is given up itself', () => {
    const { unread, gaveUp, come } = scene(100);
    come('b', 40);
    const body = unread.enter('a', () => gaveUp.push('a'));
    for (const bytes of [20, 40, 60]) unread.holds(body, bytes);
    expect(gaveUp).to.deep.equal([]);
    unread.holds(body, 61);
    expect(gaveUp).to.deep.equal(['a']);
    come('b', 60);
    expect(gaveUp).to.deep.equal(['a']);
  });

  it('are those of one peer from whatever address of its network they come', () => {
    const { gaveUp, come } = scene(4);
    for (const address of ['2001:db8:5::1', '2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2::3', '2001:db8:7::1'])
      come(address, 1);
    expect(gaveUp).to.deep.equal(['2001:db8:1:2::1']);
  });

  it('are taken last from a peer whose deliveries were proved, however many others have one each', () => {
    const { unread, gaveUp, come } = scene(512);
    unread.proved('192.0.2.1');
    for (let n = 0; n < 64; n += 1) come('192.0.2.1', 1);
    for (let n = 0; n < 1_000; n += 1) come(`198.51.${Math.floor(n / 250)}.${n % 250}`, 1);
    expect(gaveUp).to.have.length(64 + 1_000 - 512);
    expect(gaveUp).not.to.include('192.0.2.1');
    // What it has beyond counts as everybody's.
    come('192.0.2.1', 3);
    expect(gaveUp.slice(-3)).to.deep.equal(['192.0.2.1', '192.0.2.1', '192.0.2.1']);
  });

  it('are given up after a second rather than before, where another peer has no small part of what is held', () => {
    const { clock, gaveUp, come } = scene(100);
    for (let n = 0; n < 10; n += 1) come(`slow ${n}`, 9);
    come('small', 1);
    clock.ms = 999;
    come('provider', 8, 'p1');
    come('provider', 8, 'p2');
    expect(gaveUp).to.deep.equal(['p1']);
    clock.ms = 1_000;
    for (let n = 3; n < 8; n += 1) come('provider', 8, `p${n}`);
    expect(gaveUp).to.deep.equal(['p1', 'slow 0', 'slow 1', 'slow 2', 'slow 3', 'slow 4']);
    // Slow ones are no reason to keep one peer's forever: beside what it holds now, theirs is a small part.
    for (let n = 8; n < 20; n += 1) come('provider', 8, `p${n}`);
    expect(gaveUp).to.include('p2');
    expect(gaveUp).not.to.include('slow 9');
    expect(gaveUp).not.to.include('small');
  });

  it('leave room when they are read', () => {
    const { unread, gaveUp, come } = scene(10);
    for (let n = 0; n < 10; n += 1) {
      const body = come('a', 10);
      unread.leave(body);
      unread.leave(body);
    }
    // More peers than are remembered.
    for (let n = 0; n < 20_000; n += 1) unread.leave(come(String(n), 10));
    expect(gaveUp).to.deep.equal([]);
  });

  it('is given up as by looking through all of it, whatever came, grew, was proved and left before', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ does: fc.constant('come'), of: fc.nat(9), bytes: fc.nat(20) }) },
      { weight: 3, arbitrary: fc.record({ does: fc.constant('hold'), of: fc.nat(60), bytes: fc.nat(20) }) },
      { weight: 2, arbitrary: fc.record({ does: fc.constant('leave'), of: fc.nat(60), bytes: fc.constant(0) }) },
      { weight: 2, arbitrary: fc.record({ does: fc.constant('wait'), of: fc.nat(600), bytes: fc.constant(0) }) },
      { weight: 1, arbitrary: fc.record({ does: fc.constant('prove'), of: fc.nat(9), bytes: fc.constant(0) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        let nowMs = 0;
        const [gone, plainlyGone]: [number[], number[]] = [[], []];
        const [unread, plain] = [new HeldByPeers(100, () => nowMs), new PlainlyHeld(100, () => nowMs)];
        const all: (readonly [ReturnType<HeldByPeers['enter']>, ReturnType<PlainlyHeld['enter']>])[] = [];
        const hold = (at: number, bytes: number): void => {
          const [own, plainly] = all[at] ?? [];
          if (own !== undefined) unread.holds(own, bytes);
          if (plainly !== undefined) plain.holds(plainly, bytes);
        };
        for (const { does, of, bytes } of steps) {
          const [peer, at] = [`192.0.2.${of}`, all.length];
          if (does === 'come') {
            all.push([unread.enter(peer, () => gone.push(at)), plain.enter(peer, () => plainlyGone.push(at))]);
            hold(at, bytes);
          }
          if (does === 'hold') hold(of, bytes);
          const [own, plainly] = does === 'leave' ? (all[of] ?? []) : [];
          if (own !== undefined) unread.leave(own);
          if (plainly !== undefined) plain.leave(plainly);
          if (does === 'wait') nowMs += of;
          if (does === 'prove') {
            unread.proved(peer);
            plain.proved(peer);
          }
          expect(gone).to.deep.equal(plainlyGone);
          expect(unread.left).to.equal(plain.left);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is given up at a cost that hardly grows with how many peers hold something', () => {
    /** Processor time, in milliseconds, of giving up four thousand among so many peers. */
    const costAmong = (peers: number): number => {
      const { gaveUp, come } = scene(2 * peers);
      const from = (n: number): string => `198.51.${n >> 8}.${n & 255}`;
      for (let n = 0; n < peers; n += 1) come(from(n), 2);
      const began = process.threadCpuUsage();
      for (let n = 0; n < 4_000; n += 1) come(from((7 * n) % peers), 2);
      const { user } = process.threadCpuUsage(began);
      expect(gaveUp).to.have.length(4_000);
      return user / 1_000;
    };
    costAmong(4);
    expect(costAmong(4_000)).to.be.lessThan(4 * costAmong(4) + 100);
  });

  it('keeps none of those beside it in memory once it has left', async () => {
    const { unread, come } = scene(100);
    const between = (): { readonly own: ReturnType<typeof come>; readonly others: readonly WeakRef<object>[] } => {
      const [before, own, behind] = [come('a', 1), come('a', 1), come('a', 1)];
      unread.leave(own);
      unread.leave(before);
      unread.leave(behind);
      return { own, others: [new WeakRef(before), new WeakRef(behind)] };
    };
    const { own, others } = between();
    await until(10_000, 'those beside it to be forgotten', () => {
      collectGarbage();
      return Promise.resolve(others.every((other) => other.deref() === undefined) ? true : null);
    });
    expect(own.hasLeft).to.equal(true);
  });
});
