import { expect } from 'chai';
import { accepted, refused } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { bodyOf, onRamp, signatureOf } from '../support/payloads.ts';
import { startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { chunk, head, LAST_CHUNK, openWire, type Wire } from '../support/wire.ts';

const CAP = 5_000;
const BODY_WITHIN_MS = 150;

/** A payload as JSON, blanks behind it up to so many bytes. */
const padded = (size: number): Buffer => Buffer.from(JSON.stringify(onRamp()).padEnd(size));

const post = (body: Buffer, headers: Readonly<Record<string, string | number>>): string =>
  head('POST /v1/webhooks HTTP/1.1', {
    host: 'ledger',
    'content-type': 'application/json',
    'x-service-signature': signatureOf(body),
    ...headers,
  });

const CHUNKED = { 'transfer-encoding': 'chunked' };

describe('body of a delivery', () => {
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger({ settings: { maxBodyBytes: CAP } });
  });
  after(() => ledger.close());

  describe('size', () => {
    it('may be exactly the cap', async () => {
      const body = padded(CAP);
      const { stream } = accepted(await deliver(ledger.url, body));
      expect(await ledger.bytesAt(stream, 0)).to.deep.equal(body);
    });

    it('may be exactly the cap in chunks of any size', async () => {
      for (const size of [1, 7, 4_999, CAP]) {
        const body = padded(CAP);
        const wire = openWire(ledger.url);
        const parts = Array.from({ length: Math.ceil(CAP / size) }, (_, i) =>
          chunk(body.subarray(i * size, (i + 1) * size)),
        );
        wire.write(Buffer.concat([Buffer.from(post(body, CHUNKED)), ...parts, Buffer.from(LAST_CHUNK)]));
        const [answer] = await wire.answered(1);
        wire.cut();
        if (answer === undefined) expect.fail('no answer');
        const { stream } = accepted(answer);
        expect(await ledger.bytesAt(stream, 0)).to.deep.equal(body);
      }
    });

    it('beyond the cap is refused, and the detail says the cap', async () => {
      const { detail } = refused(await deliver(ledger.url, padded(CAP + 1)), 413, 'body-too-large');
      expect(detail).to.include(String(CAP));
    });

    it('that is announced as too large is refused before any of it comes', async () => {
      for (const length of [CAP + 1, 10_000_000_000]) {
        const wire = openWire(ledger.url);
        wire.write(post(padded(10), { 'content-length': length }));
        const [answer] = await wire.answered(1);
        if (answer === undefined) expect.fail('no answer');
        refused(answer, 413, 'body-too-large');
        expect(answer.headers.connection).to.equal('close');
        wire.cut();
      }
    });

    it('in chunks beyond the cap is refused at the first byte beyond, and the connection closed', async () => {
      const body = padded(CAP + 1);
      const wire = openWire(ledger.url);
      wire.write(Buffer.concat([Buffer.from(post(body, CHUNKED)), chunk(body)]));
      const [answer] = await wire.answered(1);
      if (answer === undefined) expect.fail('no answer');
      refused(answer, 413, 'body-too-large');
      expect(answer.headers.connection).to.equal('close');
      await wire.closed();
      wire.cut();
    });

    it('in chunks beyond the cap, all of them sent: the connection is closed or serves the next request', async () => {
      const body = padded(CAP + 1);
      const next = bodyOf(onRamp());
      const wire = openWire(ledger.url);
      wire.write(Buffer.concat([Buffer.from(post(body, CHUNKED)), chunk(body), Buffer.from(LAST_CHUNK)]));
      wire.write(Buffer.concat([Buffer.from(post(next, { 'content-length': next.length })), next]));
      await wire.closed();
      const [first, second] = wire.answers();
      expect([first?.status, second?.status]).to.be.deep.oneOf([
        [413, undefined],
        [413, 200],
      ]);
      wire.cut();
    });

    it('beyond the cap: a caller who goes on sending still reads the answer', async () => {
      for (const headers of [CHUNKED, { 'content-length': 50_000_000 }]) {
        const wire = openWire(ledger.url);
        wire.write(post(padded(10), headers));
        const part = Buffer.alloc(50_000, ' ');
        // Some megabytes, more than the buffers between the two hold, written without looking at what comes back.
        for (let i = 0; i < 100; i += 1) wire.write('content-length' in headers ? part : chunk(part));
        const [answer] = await wire.answered(1);
        if (answer === undefined) expect.fail('no answer');
        refused(answer, 413, 'body-too-large');
        wire.cut();
      }
    });

    it('beyond the cap: a caller who sends all of it before looking reads the answer too', async () => {
      // More than the buffers between the two hold.
      const body = Buffer.alloc(20_000_000, ' ');
      for (const [headers, rest] of [
        [CHUNKED, Buffer.concat([chunk(body), Buffer.from(LAST_CHUNK)])],
        [{ 'content-length': body.length }, body],
      ] as const) {
        const wire = openWire(ledger.url);
        await wire.writeBlindly(Buffer.concat([Buffer.from(post(padded(10), headers)), rest]));
        const [answer] = await wire.answered(1);
        if (answer === undefined) expect.fail('no answer');
        refused(answer, 413, 'body-too-large');
        wire.cut();
      }
    });

    it('beyond the cap on connections that a client keeps alive: refused, and its next delivery is taken', async () => {
      for (let i = 0; i < 20; i += 1) {
        const body = padded(CAP * 10);
        refused(await deliver(ledger.url, body, { chunked: true }), 413, 'body-too-large');
        expect(accepted(await deliver(ledger.url, onRamp())).outcome).to.equal('recorded');
      }
    });

    it('as announced, and nothing beyond it is read as part of it', async () => {
      const body = bodyOf(onRamp());
      const wire = openWire(ledger.url);
      wire.write(
        Buffer.concat([Buffer.from(post(body, { 'content-length': body.length })), body, Buffer.from('}and more')]),
      );
      const [answer] = await wire.answered(1);
      if (answer === undefined) expect.fail('no answer');
      const { stream } = accepted(answer);
      expect(await ledger.bytesAt(stream, 0)).to.deep.equal(body);
      await wire.closed();
      expect(wire.answers()).to.have.length(1);
      wire.cut();
    });
  });

  describe('time', () => {
    let strict: RunningLedger;
    before(async () => {
      strict = await startLedger({ settings: { bodyWithinMs: BODY_WITHIN_MS } });
    });
    after(() => strict.close());

    const stalls = async (headers: Readonly<Record<string, string | number>>, parts: Buffer): Promise<void> => {
      const count = await strict.eventCount();
      const wire = openWire(strict.url);
      wire.write(post(padded(100), headers));
      wire.write(parts);
      const [answer] = await wire.answered(1);
      if (answer === undefined) expect.fail('no answer');
      const { detail } = refused(answer, 408, 'body-timeout');
      expect(detail).to.include('0.15 seconds');
      expect(answer.headers.connection).to.equal('close');
      await wire.closed();
      wire.cut();
      expect(await strict.eventCount()).to.equal(count);
    };

    it('is over when nothing came', () => stalls({ 'content-length': 100 }, Buffer.alloc(0)));
    it('is over when one byte is missing', () => stalls({ 'content-length': 100 }, padded(100).subarray(0, 99)));
    it('is over when the last chunk is missing', () => stalls(CHUNKED, chunk(padded(100))));

    it('is over in all, however steadily it trickles', async () => {
      const body = padded(CAP);
      const wire = openWire(strict.url);
      wire.write(post(body, { 'content-length': CAP }));
      let sent = 0;
      const trickle = setInterval(() => {
        wire.write(body.subarray(sent, sent + 1));
        sent += 1;
      }, BODY_WITHIN_MS / 10);
      const [answer] = await wire.answered(1);
      if (answer === undefined) expect.fail('no answer');
      refused(answer, 408, 'body-timeout');
      await wire.closed();
      clearInterval(trickle);
      wire.cut();
    });

    it('is not over for what came in it, and could not be read sooner since the thread was held up', async () => {
      const body = bodyOf(onRamp());
      const wire = openWire(strict.url);
      wire.write(post(body, { 'content-length': body.length, expect: '100-continue' }));
      while (!wire.received().includes('100 Continue')) await new Promise((resolve) => setImmediate(resolve));
      wire.write(body);
      const [from, cell] = [performance.now(), new Int32Array(new SharedArrayBuffer(4))];
      while (performance.now() - from < 2 * BODY_WITHIN_MS) Atomics.wait(cell, 0, 0, BODY_WITHIN_MS);
      const [answer] = await wire.answered(1);
      wire.cut();
      if (answer === undefined) expect.fail('no answer');
      expect(accepted(answer).outcome).to.equal('recorded');
    });

    it('that others take keeps nobody waiting', async () => {
      const slow = Array.from({ length: 50 }, () => openWire(strict.url));
      for (const wire of slow) wire.write(post(padded(100), { 'content-length': 100 }));
      expect(accepted(await deliver(strict.url, onRamp())).outcome).to.equal('recorded');
      for (const wire of slow) {
        expect((await wire.answered(1)).map(({ status }) => status)).to.deep.equal([408]);
        wire.cut();
      }
    });
  });

  describe('that ends too early', () => {
    const lines = (outcome: string): number => ledger.accessLines.filter((line) => line.outcome === outcome).length;

    /** Waits for the access line that a request leaves when it is over. */
    const oneMore = async (outcome: string, before: number): Promise<void> => {
      while (lines(outcome) === before) await new Promise((resolve) => setImmediate(resolve));
    };

    /** Starts a delivery, and waits until the ledger is reading its body. */
    const started = async (headers: Readonly<Record<string, string | number>>, body: Buffer): Promise<Wire> => {
      const wire = openWire(ledger.url);
      wire.write(post(body, { ...headers, expect: '100-continue' }));
      while (!wire.received().includes('100 Continue')) await new Promise((resolve) => setImmediate(resolve));
      return wire;
    };

    for (const [name, headers] of [
      ['announced', { 'content-length': 300 }],
      ['chunked', CHUNKED],
    ] as const) {
      it(`leaves nothing: ${name}`, async () => {
        const body = bodyOf(onRamp());
        const [events, before] = [await ledger.eventCount(), lines('body-incomplete')];
        const wire = await started(headers, body);
        wire.write(name === 'chunked' ? chunk(body) : body.subarray(0, 200));
        wire.cut();
        await oneMore('body-incomplete', before);
        expect(await ledger.eventCount()).to.equal(events);
        expect(ledger.unexpected).to.deep.equal([]);
      });
    }

    it('by half: a caller who says that nothing more comes is not waited for', async () => {
      const before = lines('body-incomplete');
      const wire = await started({ 'content-length': 100 }, padded(100));
      wire.write('{"half":');
      wire.end();
      await wire.closed();
      await oneMore('body-incomplete', before);
      wire.cut();
    });

    it('by a chunk that is none', async () => {
      const [events, before] = [await ledger.eventCount(), lines('body-incomplete')];
      const wire = await started(CHUNKED, padded(100));
      wire.write(chunk(padded(50)));
      wire.write('zz\r\nno chunk\r\n');
      await wire.closed();
      await oneMore('body-incomplete', before);
      expect(await ledger.eventCount()).to.equal(events);
      wire.cut();
    });
  });
});
