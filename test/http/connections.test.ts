import { PassThrough, type Duplex } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { Connections } from '../../src/http/connections.ts';

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

describe('connections', () => {
  it('take the place of those of the peer that has most, whatever was opened, closed and waited for before', async () => {
    const step = fc.record({
      peer: fc.integer({ min: 1, max: 4 }),
      isWaited: fc.boolean(),
      closes: fc.option(fc.nat(), { freq: 3 }),
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
      { numRuns: 200 },
    );
  });

  it('of a network of IPv6 are those of one peer, whatever addresses it takes', () => {
    const connections = new Connections(3, () => false);
    const sender = from('2001:db8:9::1');
    const flood = [1, 2, 3, 4, 5].map((n) => from(`2001:db8:1:2::${n}`));
    for (const socket of [sender, ...flood]) connections.add(socket);
    expect([sender, ...flood].map(({ destroyed }) => destroyed)).to.deep.equal([false, true, true, true, false, false]);
  });
});
