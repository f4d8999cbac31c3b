import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseMetadata } from '../../src/domain/event-metadata.ts';
import { accepted, refused } from '../support/answers.ts';
import { deliver, exchange, type Answer } from '../support/exchange.ts';
import { bodyOf, newOrderId, onRamp, signatureOf } from '../support/payloads.ts';
import { READER_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { until } from '../support/until.ts';
import { chunk, head, LAST_CHUNK, openWire, type Wire } from '../support/wire.ts';

const delivery = (body: Buffer, version = '1.1', more: Readonly<Record<string, string>> = {}): Buffer =>
  Buffer.concat([
    Buffer.from(
      head(`POST /v1/webhooks HTTP/${version}`, {
        host: 'ledger',
        'content-type': 'application/json',
        'content-length': body.length,
        'x-service-signature': signatureOf(body),
        ...more,
      }),
    ),
    body,
  ]);

/** A signed delivery in one chunk, that asks for its connection to be kept. */
const inChunks = (body: Buffer, coding: string, version = '1.1'): Buffer =>
  Buffer.concat([
    Buffer.from(
      head(`POST /v1/webhooks HTTP/${version}`, {
        host: 'ledger',
        'content-type': 'application/json',
        'transfer-encoding': coding,
        'x-service-signature': signatureOf(body),
        connection: 'keep-alive',
      }),
    ),
    chunk(body),
    Buffer.from(LAST_CHUNK),
  ]);

const first = (answers: readonly Answer[]): Answer => answers[0] ?? expect.fail('no answer');

describe('HTTP', () => {
  let ledger: RunningLedger;
  let wires: Wire[] = [];
  before(async () => {
    ledger = await startLedger();
  });
  after(() => ledger.close());
  afterEach(() => {
    for (const wire of wires) wire.cut();
    wires = [];
    expect(ledger.unexpected).to.deep.equal([]);
  });

  const open = (url = ledger.url): Wire => {
    const wire = openWire(url);
    wires.push(wire);
    return wire;
  };

  describe('requests', () => {
    it('that are pipelined are answered in their order', async () => {
      const ids = Array.from({ length: 20 }, () => newOrderId());
      const wire = open();
      wire.write(Buffer.concat(ids.map((orderId) => delivery(bodyOf(onRamp({ orderId }))))));
      const answers = await wire.answered(ids.length);
      expect(answers.map((answer) => accepted(answer).orderId)).to.deep.equal(ids);
    });

    it('that come byte by byte are one request', async () => {
      const wire = open();
      for (const byte of delivery(bodyOf(onRamp()))) wire.write(Buffer.from([byte]));
      expect(accepted(first(await wire.answered(1))).outcome).to.equal('recorded');
    });

    it('behind a refused one are answered', async () => {
      const wire = open();
      const body = bodyOf(onRamp());
      const forged = { 'x-service-signature': '0'.repeat(64) };
      wire.write(Buffer.concat([delivery(body, '1.1', forged), delivery(body)]));
      expect((await wire.answered(2)).map(({ status }) => status)).to.deep.equal([401, 200]);
    });

    it('of HTTP/1.0 are answered, and the connection closed', async () => {
      const wire = open();
      wire.write(delivery(bodyOf(onRamp()), '1.0'));
      accepted(first(await wire.answered(1)));
      await wire.closed();
    });

    it('of HTTP/1.0 that ask for it may be followed by others', async () => {
      const wire = open();
      const keep = { connection: 'keep-alive' };
      wire.write(delivery(bodyOf(onRamp()), '1.0', keep));
      await wire.answered(1);
      wire.write(delivery(bodyOf(onRamp()), '1.0', keep));
      for (const answer of await wire.answered(2)) accepted(answer);
    });

    it('of HTTP/1.0 in chunks, which that version does not know, are the last of their connection', async () => {
      const count = await ledger.eventCount();
      const wire = open();
      wire.write(Buffer.concat([inChunks(bodyOf(onRamp()), 'chunked', '1.0'), delivery(bodyOf(onRamp()))]));
      accepted(first(await wire.answered(1)));
      await wire.closed();
      expect(wire.answers()).to.have.length(1);
      expect(await ledger.eventCount(), 'what came behind it').to.equal(count + 1);
    });

    it('that ask for another protocol are answered as any other, as the last of their connection', async () => {
      for (const connection of ['Upgrade', 'keep-alive, upgrade', 'keep-alive']) {
        const count = await ledger.eventCount();
        const wire = open();
        const upgrade = delivery(bodyOf(onRamp()), '1.1', { connection, upgrade: 'h2c' });
        wire.write(Buffer.concat([upgrade, delivery(bodyOf(onRamp()))]));
        const answer = first(await wire.answered(1));
        accepted(answer);
        expect(answer.headers['connection']).to.equal('close');
        await wire.closed();
        expect(wire.answers()).to.have.length(1);
        expect(await ledger.eventCount(), 'what came behind it').to.equal(count + 1);
      }
    });

    it('in chunks are taken in whatever case that coding is spelled', async () => {
      const wire = open();
      wire.write(inChunks(bodyOf(onRamp()), 'Chunked'));
      accepted(first(await wire.answered(1)));
    });

    it('that wait for 100 Continue get it, and their answer', async () => {
      const body = bodyOf(onRamp());
      const whole = delivery(body, '1.1', { expect: '100-continue' });
      const wire = open();
      wire.write(whole.subarray(0, whole.length - body.length));
      while (!wire.received().includes('100 Continue')) await new Promise((resolve) => setImmediate(resolve));
      wire.write(body);
      accepted(first(await wire.answered(1)));
    });

    it('that expect something else are answered as any other', async () => {
      const wire = open();
      wire.write(delivery(bodyOf(onRamp()), '1.1', { expect: 'something' }));
      accepted(first(await wire.answered(1)));
    });

    it('that ask for an upgrade are answered as any other', async () => {
      const wire = open();
      wire.write(delivery(bodyOf(onRamp()), '1.1', { connection: 'Upgrade', upgrade: 'websocket' }));
      accepted(first(await wire.answered(1)));
    });
  });

  describe('methods', () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      it(`${method} on the webhooks is 405 with Allow`, async () => {
        const answer = await exchange(ledger.url, { method, path: '/v1/webhooks' });
        refused(answer, 405, 'method-not-allowed');
        expect(answer.headers.allow).to.equal('POST');
      });
    }

    it('HEAD too, without a body', async () => {
      const answer = await exchange(ledger.url, { method: 'HEAD', path: '/v1/webhooks' });
      expect([answer.status, answer.headers.allow, answer.text]).to.deep.equal([405, 'POST', '']);
    });

    it('POST elsewhere is 404, its body and signature unread', async () => {
      const body = bodyOf(onRamp());
      const headers = { 'content-type': 'application/json', 'x-service-signature': signatureOf(body) };
      for (const path of ['/v1', '/v1/webhook', '/v1/webhooks/x', '/v2/webhooks']) {
        refused(await exchange(ledger.url, { method: 'POST', path, headers, body }), 404, 'not-found');
      }
    });
  });

  describe('request ids', () => {
    it('that are well-formed come back, on what is accepted and on what is refused', async () => {
      for (const id of ['12345678', 'a.b:c-d_e', 'x'.repeat(128)]) {
        const headers = { 'x-request-id': id };
        const answer = await deliver(ledger.url, onRamp(), { headers });
        const { stream } = accepted(answer);
        expect(answer.headers['x-request-id']).to.equal(id);
        const [event] = await ledger.eventsOf(stream);
        expect(parseMetadata(event?.metadata ?? '')?.requestId).to.equal(id);
        const forged = await deliver(ledger.url, onRamp(), { headers, signature: null });
        expect(refused(forged, 401, 'signature-missing').requestId).to.equal(id);
      }
    });

    it('that are not are replaced', async () => {
      for (const id of [
        '',
        '1234567',
        'x'.repeat(129),
        'with blank',
        'semi;colon',
        '<script>',
        '"quoted"',
        'é'.repeat(9),
      ]) {
        const answer = await deliver(ledger.url, onRamp(), { headers: { 'x-request-id': id } });
        accepted(answer);
        expect(answer.headers['x-request-id']).to.match(/^[\da-f-]{36}$/);
      }
    });

    it('differ from each other where none were sent', async () => {
      const answers = await Promise.all([1, 2, 3].map(() => deliver(ledger.url, onRamp())));
      expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).to.equal(3);
    });
  });

  describe('targets', () => {
    it('whose query has an ill-formed escape are refused where it is read, and no delivery or health check is', async () => {
      const headers = { authorization: `Bearer ${READER_KEY}` };
      const ill = '%80&'.repeat(3_000);
      for (const path of ['/v1/orders', '/v1/orders/a', '/v1/log/key', '/metrics']) {
        const answer = await exchange(ledger.url, { path: `${path}?${ill}`, headers });
        expect(answer.status, path).to.equal(400);
        expect(answer.text, path).to.include('"code":"invalid-parameter"');
      }
      for (const path of ['/livez', '/readyz']) {
        expect((await exchange(ledger.url, { path: `${path}?${ill}` })).status, path).to.equal(200);
      }
      const body = bodyOf(onRamp());
      const signed = { 'content-type': 'application/json', 'x-service-signature': signatureOf(body) };
      accepted(await exchange(ledger.url, { method: 'POST', path: `/v1/webhooks?${ill}`, headers: signed, body }));
    });

    for (const target of [
      'http://[',
      'http://',
      'http:///livez',
      'http://x:99999/livez',
      'http://%zz/livez',
      'https://[::1',
      'ftp://x/livez',
      'urn:livez',
      'a:b',
      '*',
      '/livez#x',
      '/livez\u00a0x',
      '/\\livez',
    ]) {
      it(`that are none are 400: ${JSON.stringify(target)}`, async () => {
        const wire = open();
        wire.write(Buffer.from(`GET ${target} HTTP/1.1\r\nhost: x\r\n\r\n`, 'latin1'));
        refused(first(await wire.answered(1)), 400, 'bad-request');
        await wire.closed();
      });
    }

    it('that name a host are answered like their path', async () => {
      const wire = open();
      wire.write('GET http://user:pass@x/livez?a=b HTTP/1.1\r\nhost: x\r\n\r\n');
      expect(first(await wire.answered(1)).status).to.equal(200);
    });

    it('of any characters are never a fault of the ledger', async () => {
      const anything = fc.string({
        unit: fc.constantFrom(...Array.from('/:@[]%#?*\\;.a1\u00e9\u00a0')),
        maxLength: 12,
      });
      const start = fc.constantFrom('', '/', '//', 'http://', 'HTTPS://', 'x:');
      await fc.assert(
        fc.asyncProperty(start, anything, async (prefix, rest) => {
          const wire = open();
          wire.write(Buffer.from(`GET ${prefix}${rest} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`, 'latin1'));
          await wire.closed();
          expect(wire.received()).to.match(/^HTTP\/1\.1 [2-4]\d\d /);
          wire.cut();
        }),
        { numRuns: 300 },
      );
    });
  });

  describe('what can not be read', () => {
    for (const [name, sent, status, code] of [
      ['no HTTP at all', 'hello\r\n\r\n', 400, 'bad-request'],
      ['TLS', Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 3]), 400, 'bad-request'],
      ['a request without a host', 'GET /livez HTTP/1.1\r\n\r\n', 400, 'bad-request'],
      ['a request for two hosts', 'GET /livez HTTP/1.1\r\nhost: x\r\nHost: x\r\n\r\n', 400, 'bad-request'],
      ['a header of NUL', 'GET /livez HTTP/1.1\r\nhost: x\r\nx-a: \0\r\n\r\n', 400, 'bad-request'],
      [
        'a length that is none',
        head('POST /v1/webhooks HTTP/1.1', { host: 'x', 'content-length': '1e3' }),
        400,
        'bad-request',
      ],
      [
        'a length beyond all',
        head('POST /v1/webhooks HTTP/1.1', { host: 'x', 'content-length': '9'.repeat(30) }),
        400,
        'bad-request',
      ],
      [
        'a length and chunks',
        head('POST /v1/webhooks HTTP/1.1', { host: 'x', 'content-length': 3, 'transfer-encoding': 'chunked' }),
        400,
        'bad-request',
      ],
      [
        'two lengths',
        'POST /v1/webhooks HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd',
        400,
        'bad-request',
      ],
      [
        'a signature of 100,000 digits',
        head('POST /v1/webhooks HTTP/1.1', { host: 'x', 'x-service-signature': 'a'.repeat(100_000) }),
        431,
        'headers-too-large',
      ],
    ] as const) {
      it(`is answered and cut off: ${name}`, async () => {
        const count = await ledger.eventCount();
        const wire = open();
        wire.write(sent);
        const answer = first(await wire.answered(1));
        refused(answer, status, code);
        await wire.closed();
        expect(await ledger.eventCount()).to.equal(count);
      });
    }

    it('of a body is answered, and nothing of it kept', async () => {
      const count = await ledger.eventCount();
      const body = bodyOf(onRamp());
      const wire = open();
      const headers = {
        host: 'x',
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
        'x-service-signature': signatureOf(body),
      };
      wire.write(head('POST /v1/webhooks HTTP/1.1', headers));
      wire.write(Buffer.concat([chunk(body), Buffer.from('zz\r\n'), Buffer.from(LAST_CHUNK)]));
      refused(first(await wire.answered(1)), 400, 'bad-request');
      await wire.closed();
      expect(await ledger.eventCount()).to.equal(count);
    });

    for (const coding of ['gzip, chunked', 'identity, chunked', 'chunked, chunked']) {
      it(`is a body in another coding than chunks: ${coding}; nor is what comes behind it`, async () => {
        const count = await ledger.eventCount();
        const wire = open();
        wire.write(Buffer.concat([inChunks(bodyOf(onRamp()), coding), delivery(bodyOf(onRamp()))]));
        refused(first(await wire.answered(1)), 400, 'bad-request');
        await wire.closed();
        expect(wire.answers()).to.have.length(1);
        expect(await ledger.eventCount()).to.equal(count);
      });
    }

    it('of a body whose request is answered already is no second answer, which would be taken for that to the next one', async () => {
      const wire = open();
      wire.write(head('POST /elsewhere HTTP/1.1', { host: 'localhost', 'transfer-encoding': 'chunked' }));
      wire.write(chunk(Buffer.from('hello')));
      refused(first(await wire.answered(1)), 404, 'not-found');
      wire.write('zz\r\n');
      await wire.closed();
      expect(wire.answers()).to.have.length(1);
    });

    it('behind a request that was answered before its body had come is answered', async () => {
      const wire = open();
      wire.write(head('POST /elsewhere HTTP/1.1', { host: 'localhost', 'content-length': 5 }));
      refused(first(await wire.answered(1)), 404, 'not-found');
      wire.write('helloGET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
      expect((await wire.answered(2)).at(1)?.status).to.equal(200);
      wire.write('no HTTP\r\n\r\n');
      refused((await wire.answered(3)).at(2) ?? expect.fail(wire.received()), 400, 'bad-request');
      await wire.closed();
    });

    it('does not take the place of the answers to what came before it', async () => {
      const wire = open();
      wire.write(
        Buffer.concat([delivery(bodyOf(onRamp())), delivery(bodyOf(onRamp())), Buffer.from('no HTTP\r\n\r\n')]),
      );
      await wire.closed();
      const [one, two, ...more] = wire.answers();
      if (one === undefined || two === undefined) expect.fail(wire.received());
      accepted(one);
      accepted(two);
      for (const answer of more) refused(answer, 400, 'bad-request');
    });
  });

  describe('access lines', () => {
    it('are one for each request, with what became of it, and nothing of the path that came', async () => {
      const from = ledger.accessLines.length;
      const headers = { 'x-request-id': 'access-line-test' };
      await deliver(ledger.url, onRamp(), { headers });
      await deliver(ledger.url, onRamp(), { headers, signature: null });
      await deliver(ledger.url, 'no JSON', { headers });
      await exchange(ledger.url, { path: '/v1/orders/x?q=asha.rao@example.com', headers });
      await exchange(ledger.url, { path: '/nowhere?a=b?c=d', headers });
      const lines = ledger.accessLines.slice(from);
      expect(lines.map(({ method, route, status, outcome }) => [method, route, status, outcome])).to.deep.equal([
        ['POST', '/v1/webhooks', 200, 'recorded'],
        ['POST', '/v1/webhooks', 401, 'signature-missing'],
        ['POST', '/v1/webhooks', 200, 'quarantined'],
        ['GET', '/v1/orders/:orderId', 401, undefined],
        ['GET', 'none', 404, undefined],
      ]);
      for (const line of lines) {
        expect(line.requestId).to.equal('access-line-test');
        expect(line.durationMs).to.be.within(0, 5_000);
      }
    });

    it('say whether a key or a signature proved who asked, whatever became of it', async () => {
      const from = ledger.accessLines.length;
      const authorization = `Bearer ${READER_KEY}`;
      const body = bodyOf(onRamp());
      const elsewhere = (signature = signatureOf(body)) => ({
        method: 'POST',
        path: '/v1/webhooks?by=another-spelling',
        headers: { 'content-type': 'application/json', 'x-service-signature': signature },
        body,
      });
      await deliver(ledger.url, onRamp());
      await deliver(ledger.url, 'no JSON');
      await exchange(ledger.url, elsewhere());
      await deliver(ledger.url, onRamp(), { signature: '0'.repeat(64) });
      await exchange(ledger.url, elsewhere('0'.repeat(64)));
      await exchange(ledger.url, { path: '/v1/orders', headers: { authorization } });
      await exchange(ledger.url, { path: '/v1/audit', headers: { authorization } });
      await exchange(ledger.url, { path: '/v1/orders', headers: { authorization: `${authorization}x` } });
      await exchange(ledger.url, { path: '/nowhere', headers: { authorization } });
      await exchange(ledger.url, { path: '/livez' });
      const lines = ledger.accessLines.slice(from);
      expect(lines.map(({ status, proved, apiKeyId }) => [status, proved, apiKeyId])).to.deep.equal([
        [200, true, undefined],
        [200, true, undefined],
        [200, true, undefined],
        [401, false, undefined],
        [401, false, undefined],
        [200, true, 'reader'],
        [403, true, 'reader'],
        [401, false, undefined],
        [404, false, undefined],
        [200, false, undefined],
      ]);
    });

    it('of a caller that goes away before the answer is there tell so without a stack', async () => {
      const { hostname, port } = new URL(ledger.url);
      const caller = connect({ host: hostname, port: Number(port) });
      caller.on('error', () => undefined);
      // More than lies between two programs, so that the rest is being written when the connection is reset.
      caller.write(head('GET /openapi.json HTTP/1.1', { host: hostname }).repeat(30));
      await once(caller, 'readable');
      caller.resetAndDestroy();
      const line = await until(10_000, 'the cut-off reply', () =>
        // Those that waited behind it had no route yet.
        Promise.resolve(ledger.cutOffs.find(({ route }) => route === '/openapi.json') ?? null),
      );
      expect(line).to.include({ status: 200, proved: false }).and.not.have.property('err');
      expect(line).to.have.property('reason').that.is.oneOf(['ECONNRESET', 'EPIPE']);
    });
  });
});
