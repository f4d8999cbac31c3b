import { PassThrough, type Duplex } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { Connections } from '../../../src/http/connections/connections.ts';
import { provedBy } from '../../../src/http/connections/proved-connections.ts';

const from = (remoteAddress: string) => Object.assign(new PassThrough(), { remoteAddress });
type From = ReturnType<typeof from>;

/** The rule, looked up among all: the eldest that nobody waits for, of the peer that has most of all that have such a one. */
const toClose = (open: readonly From[], newest: From, waited: ReadonlySet<Duplex>): readonly From[] => {
  const of = (peer: string) => open.filter(({ remoteAddress }) => remoteAddress === peer);
  const eldest = [...new Set(open.map(({ remoteAddress }) => remoteAddress))].flatMap((peer) => {
    const idle = of(peer).find((socket) => socket !== newest && !waited.has(socket));
    return idle === undefined ? [] : [{ idle, count: of(peer).length }];
  });
  const most = Math.max(...eldest.map(({ count }) => count));
  const closed = eldest.filter(({ count }) => count === most).map(({ idle }) => idle);
  return closed.length === 0 ? [newest] : closed;
};

/** Two new ones in one turn, each of which is the one too many. */
const ALL_WAITED = Array.from({ length: 8 }, (_, n) => ({ peer: 1, isWaited: n < 6, closes: null }));

describe('connections', () => {
  it('take the place of those of the peer that has most, whatever was opened, closed and waited for before', async () => {
    const step = fc.record({
      peer: fc.integer({ min: 1, max: 4 }),
      isWaited: fc.boolean(),
      // Seldom, so that there are mostly as many as there may be.
      closes: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat() }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const waited = new Set<Duplex>();
        const connections = new Connections(6, (socket) => waited.has(socket));
        let open: readonly From[] = [];
        for (const { peer, isWaited, closes } of steps) {
          const gone = closes === null ? undefined : open[closes % open.length];
          if (gone !== undefined) {
            const closed = Promise.withResolvers<null>();
            gone.once('close', () => closed.resolve(null));
            gone.destroy();
            await closed.promise;
            open = open.filter((socket) => socket !== gone);
          }
          const socket = from(`192.0.2.${peer}`);
          if (isWaited) waited.add(socket);
          open = [...open, socket];
          const allowed = open.length > 6 ? toClose(open, socket, waited) : [];
          connections.add(socket);
          const destroyed = open.filter((one) => one.destroyed);
          expect(destroyed).to.have.length(Math.min(1, allowed.length));
          for (const one of destroyed) expect(allowed).to.include(one);
          open = open.filter((one) => !one.destroyed);
        }
      }),
      { numRuns: 200, examples: [[ALL_WAITED]] },
    );
  });

  it('are never more than so many, however many were closed before to make room', async () => {
    const connections = new Connections(3, () => false);
    const opened: From[] = [];
    for (let n = 0; n < 20; n += 1) {
      const socket = from(`192.0.2.${n % 2}`);
      opened.push(socket);
      connections.add(socket);
      // Those that were closed say so a little later.
      await new Promise(setImmediate);
      expect(opened.filter(({ destroyed }) => !destroyed)).to.have.length(Math.min(3, n + 1));
    }
  });

  it('of a network that is a peer stay its own, however many networks its customer has meanwhile', () => {
    const connections = new Connections(18, () => false);
    const opened = Array.from({ length: 17 }, (_, n) => from(`2001:db8:1:${n + 1}::1`));
    const [first] = opened;
    for (const socket of [...opened, from('2001:db8:1:1::2'), from('192.0.2.1')]) connections.add(socket);
    expect(opened.filter(({ destroyed }) => destroyed)).to.deep.equal([first]);
  });

  it('are of a known peer once somebody proved who they are by one of them, and no others are', () => {
    const connections = new Connections(100, () => false);
    const [first, second, stranger] = [from('192.0.2.9'), from('192.0.2.9'), from('192.0.2.8')];
    for (const socket of [first, second, stranger]) connections.add(socket);
    const known = (): readonly boolean[] => [first, second, stranger].map((socket) => connections.isKnown(socket));
    expect(known()).to.deep.equal([false, false, false]);
    provedBy(first);
    expect(known()).to.deep.equal([true, true, false]);
    for (const socket of [first, second]) socket.emit('close');
    const later = from('192.0.2.9');
    connections.add(later);
    expect(connections.isKnown(later)).to.equal(true);
  });

  it('tell of the address by which somebody proved who they are, also where its peer is known already', () => {
    const told: string[] = [];
    const connections = new Connections(
      100,
      () => false,
      (address) => told.push(address),
    );
    const sockets = ['2001:db8::1', '2001:db8::2', '192.0.2.9'].map(from);
    for (const socket of sockets) {
      connections.add(socket);
      provedBy(socket);
      provedBy(socket);
    }
    expect(told).to.deep.equal(['2001:db8::1', '2001:db8::2', '192.0.2.9']);
  });

  it('of a peer that proved who it is are not closed while thousands of others have one each', () => {
    const connections = new Connections(100, () => false);
    const provider = Array.from({ length: 8 }, () => from('192.0.2.9'));
    for (const socket of provider) connections.add(socket);
    for (const socket of provider.slice(0, 1)) provedBy(socket);
    let flooding = 0;
    const flood = (times: number): void => {
      for (let n = 0; n < times; n += 1, flooding += 1) {
        connections.add(from(`10.${flooding >> 16}.${(flooding >> 8) & 255}.${flooding & 255}`));
      }
    };
    flood(5_000);
    expect(provider.filter(({ destroyed }) => destroyed)).to.deep.equal([]);
    // Nor is a new one that has brought nothing yet, though it had none in between.
    for (const socket of provider) socket.emit('close');
    flood(200);
    const next = Array.from({ length: 4 }, () => from('192.0.2.9'));
    for (const socket of next) connections.add(socket);
    flood(5_000);
    expect(next.filter(({ destroyed }) => destroyed)).to.deep.equal([]);
  });

  it('beyond what is free to one that proved who it is are closed as those of anybody', () => {
    const connections = new Connections(40, () => false);
    const holder = Array.from({ length: 40 }, () => from('192.0.2.9'));
    for (const socket of holder) {
      connections.add(socket);
      provedBy(socket);
    }
    const others = Array.from({ length: 20 }, (_, n) => from(`10.0.0.${n}`));
    for (const socket of others) connections.add(socket);
    expect(others.filter(({ destroyed }) => destroyed)).to.deep.equal([]);
    expect(holder.filter(({ destroyed }) => destroyed)).to.have.length(20);
  });

  it('of one customer of IPv6 who takes a network for each are those of one peer beyond some', () => {
    const connections = new Connections(100, () => false);
    const senders = [1, 2, 3].map((n) => from(`2001:db8:9::${n}`));
    for (const socket of senders) connections.add(socket);
    const flood = Array.from({ length: 5_000 }, (_, n) => from(`2001:db8:1:${n.toString(16)}::1`));
    for (const socket of flood) connections.add(socket);
    expect(senders.filter(({ destroyed }) => destroyed)).to.deep.equal([]);
    expect(flood.filter(({ destroyed }) => !destroyed)).to.have.length(97);
  });

  it('of sixteen networks of a customer of IPv6 are of a peer each, whatever the customer had before', () => {
    for (const before of [0, 200]) {
      const connections = new Connections(100, () => false);
      const gone = Array.from({ length: before }, (_, n) => from(`2001:db8:1:${n.toString(16)}::1`));
      for (const socket of gone) connections.add(socket);
      for (const socket of gone) socket.emit('close');
      const networks = Array.from({ length: 16 }, (_, n) => from(`2001:db8:1:${n.toString(16)}::1`));
      for (const socket of networks) connections.add(socket);
      // As one peer they would have most; some pairs are whole to the end.
      const pairs = Array.from({ length: 120 }, (_, n) => from(`192.0.2.${n >> 1}`));
      for (const socket of pairs) connections.add(socket);
      expect(networks.filter(({ destroyed }) => destroyed)).to.deep.equal([]);
    }
  });

  it('of a network of IPv6 are those of one peer, whatever addresses it takes', () => {
    const connections = new Connections(3, () => false);
    const sender = from('2001:db8:9::1');
    const flood = [1, 2, 3, 4, 5].map((n) => from(`2001:db8:1:2::${n}`));
    for (const socket of [sender, ...flood]) connections.add(socket);
    expect([sender, ...flood].map(({ destroyed }) => destroyed)).to.deep.equal([false, true, true, true, false, false]);
  });
});
