import { expect } from 'chai';
import { accepted, refused } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { bodyOf, onRamp, signatureOf } from '../support/payloads.ts';
import { startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { until } from '../support/until.ts';
import { head, openWire, type Wire } from '../support/wire.ts';

describe('bodies that are waited for', () => {
  const MOST = 5;
  const LARGEST = 10_000;
  let ledger: RunningLedger;
  const wires: Wire[] = [];
  before(async () => {
    ledger = await startLedger({ settings: { mostUnread: MOST, maxBodyBytes: LARGEST } });
  });
  after(async () => {
    for (const wire of wires) wire.cut();
    await ledger.close();
  });

  const openHead = (length: number, signature = '0'.repeat(64)): Wire => {
    const wire = openWire(ledger.url);
    wires.push(wire);
    const type = { 'content-type': 'application/json', 'content-length': length };
    wire.write(head('POST /v1/webhooks HTTP/1.1', { host: 'x', ...type, 'x-service-signature': signature }));
    return wire;
  };

  it('are all taken where a provider sends many at once, each of them behind its headers', async () => {
    const sent = Array.from({ length: MOST * 20 }, () => {
      const body = bodyOf(onRamp());
      return { body, wire: openHead(body.length, signatureOf(body)) };
    });
    // Answered when the headers of all were read.
    accepted(await deliver(ledger.url, onRamp()));
    for (const { body, wire } of sent) wire.write(body);
    for (const { wire } of sent) {
      const [answer] = await wire.answered(1);
      if (answer === undefined) expect.fail('no answer');
      accepted(answer);
    }
  });

  it('keep no delivery that is sent without a pause from being taken, however much of them others send', async () => {
    const held: Wire[] = [];
    for (let n = 0; n < MOST * 4; n += 1) {
      const wire = openHead(LARGEST);
      wire.write(Buffer.alloc(LARGEST - 1, 'x'));
      held.push(wire);
      if (n % MOST === 0) accepted(await deliver(ledger.url, onRamp()));
    }
    accepted(await deliver(ledger.url, onRamp()));
    const [first] = held;
    const [answer] = (await first?.answered(1)) ?? [];
    if (answer === undefined) expect.fail('no answer');
    refused(answer, 503, 'overloaded');
  });

  it('that are given up prove nothing of who sent them', async () => {
    const before = ledger.accessLines.length;
    for (let n = 0; n < MOST * 4; n += 1) openHead(LARGEST).write(Buffer.alloc(LARGEST - 1, 'x'));
    const givenUp = await until(5_000, 'those that are given up', () => {
      const lines = ledger.accessLines.slice(before).filter(({ outcome }) => outcome === 'overloaded');
      return Promise.resolve(lines.length >= MOST ? lines : null);
    });
    expect(new Set(givenUp.map(({ proved }) => proved))).to.deep.equal(new Set([false]));
  });
});
