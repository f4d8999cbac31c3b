import { expect } from 'chai';
import { UnreadBodies } from '../../src/webhooks/unread-bodies.ts';
import { accepted, refused } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { onRamp } from '../support/payloads.ts';
import { startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { head, openWire, type Wire } from '../support/wire.ts';

describe('bodies that are waited for', () => {
  it('give up their place in the order in which they came, of the peer that has most', () => {
    const unread = new UnreadBodies(4);
    const gaveUp: string[] = [];
    const enter = (peer: string, name: string) => unread.enter(peer, () => gaveUp.push(name));
    enter('a', 'a1');
    const leave = enter('b', 'b1');
    enter('b', 'b2');
    enter('b', 'b3');
    expect(gaveUp).to.deep.equal([]);
    enter('c', 'c1');
    expect(gaveUp).to.deep.equal(['b1']);
    // Who has left already leaves nobody else's place.
    leave();
    enter('a', 'a2');
    expect(gaveUp).to.deep.equal(['b1', 'b2']);
    enter('a', 'a3');
    expect(gaveUp).to.deep.equal(['b1', 'b2', 'a1']);
  });

  it('are those of one peer from whatever address of its network they come', () => {
    const unread = new UnreadBodies(4);
    const gaveUp: string[] = [];
    for (const address of ['2001:db8:5::1', '2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2::3', '2001:db8:7::1'])
      unread.enter(address, () => gaveUp.push(address));
    expect(gaveUp).to.deep.equal(['2001:db8:1:2::1']);
  });

  it('are taken last from a peer whose deliveries were proved, however many others have one each', () => {
    const unread = new UnreadBodies(200);
    unread.proved('192.0.2.1');
    const gaveUp: string[] = [];
    const enter = (address: string): unknown => unread.enter(address, () => gaveUp.push(address));
    for (let n = 0; n < 64; n += 1) enter('192.0.2.1');
    for (let n = 0; n < 1_000; n += 1) enter(`198.51.${Math.floor(n / 250)}.${n % 250}`);
    expect(gaveUp).to.have.length(64 + 1_000 - 200);
    expect(gaveUp).not.to.include('192.0.2.1');
    // What it has beyond counts as everybody's.
    for (let n = 0; n < 3; n += 1) enter('192.0.2.1');
    enter('203.0.113.1');
    expect(gaveUp.at(-1)).to.equal('192.0.2.1');
  });

  it('leave room when they are read', () => {
    const unread = new UnreadBodies(2);
    for (let n = 0; n < 10; n += 1) {
      const leave = unread.enter('a', () => expect.fail('there was room'));
      leave();
      leave();
    }
  });

  describe('of a ledger', () => {
    const MOST = 5;
    let ledger: RunningLedger;
    const wires: Wire[] = [];
    before(async () => {
      ledger = await startLedger({ settings: { mostUnread: MOST } });
    });
    after(async () => {
      for (const wire of wires) wire.cut();
      await ledger.close();
    });

    it('keep no delivery that is sent without a pause from being taken, however many send a header and no body', async () => {
      const headers = {
        host: 'x',
        'content-type': 'application/json',
        'content-length': 1_000,
        'x-service-signature': '0'.repeat(64),
      };
      for (let n = 0; n < MOST * 4; n += 1) {
        const wire = openWire(ledger.url);
        wires.push(wire);
        wire.write(head('POST /v1/webhooks HTTP/1.1', headers));
        if (n % MOST === 0) accepted(await deliver(ledger.url, onRamp()));
      }
      accepted(await deliver(ledger.url, onRamp()));
      const [first] = wires;
      const [answer] = (await first?.answered(1)) ?? [];
      if (answer === undefined) expect.fail('no answer');
      refused(answer, 503, 'overloaded');
    });
  });
});
