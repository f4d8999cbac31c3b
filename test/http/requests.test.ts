import { expect } from 'chai';
import { parseMetadata } from '../../src/domain/event-metadata.ts';
import { accepted, refused } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { bodyOf, newOrderId, onRamp, signatureOf } from '../support/payloads.ts';
import { delivery, first, inChunks, ledgerAtWires } from './request-scene.ts';

describe('HTTP', () => {
  const { ledger, open } = ledgerAtWires();

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
      const count = await ledger().eventCount();
      const wire = open();
      wire.write(Buffer.concat([inChunks(bodyOf(onRamp()), 'chunked', '1.0'), delivery(bodyOf(onRamp()))]));
      accepted(first(await wire.answered(1)));
      await wire.closed();
      expect(wire.answers()).to.have.length(1);
      expect(await ledger().eventCount(), 'what came behind it').to.equal(count + 1);
    });

    it('that ask for another protocol are answered as any other, as the last of their connection', async () => {
      for (const connection of ['Upgrade', 'keep-alive, upgrade', 'keep-alive']) {
        const count = await ledger().eventCount();
        const wire = open();
        const upgrade = delivery(bodyOf(onRamp()), '1.1', { connection, upgrade: 'h2c' });
        wire.write(Buffer.concat([upgrade, delivery(bodyOf(onRamp()))]));
        const answer = first(await wire.answered(1));
        accepted(answer);
        expect(answer.headers['connection']).to.equal('close');
        await wire.closed();
        expect(wire.answers()).to.have.length(1);
        expect(await ledger().eventCount(), 'what came behind it').to.equal(count + 1);
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
        const answer = await exchange(ledger().url, { method, path: '/v1/webhooks' });
        refused(answer, 405, 'method-not-allowed');
        expect(answer.headers.allow).to.equal('POST');
      });
    }

    it('HEAD too, without a body', async () => {
      const answer = await exchange(ledger().url, { method: 'HEAD', path: '/v1/webhooks' });
      expect([answer.status, answer.headers.allow, answer.text]).to.deep.equal([405, 'POST', '']);
    });

    it('POST elsewhere is 404, its body and signature unread', async () => {
      const body = bodyOf(onRamp());
      const headers = { 'content-type': 'application/json', 'x-service-signature': signatureOf(body) };
      for (const path of ['/v1', '/v1/webhook', '/v1/webhooks/x', '/v2/webhooks']) {
        refused(await exchange(ledger().url, { method: 'POST', path, headers, body }), 404, 'not-found');
      }
    });
  });

  describe('request ids', () => {
    it('that are well-formed come back, on what is accepted and on what is refused', async () => {
      for (const id of ['12345678', 'a.b:c-d_e', 'x'.repeat(128)]) {
        const headers = { 'x-request-id': id };
        const answer = await deliver(ledger().url, onRamp(), { headers });
        const { stream } = accepted(answer);
        expect(answer.headers['x-request-id']).to.equal(id);
        const [event] = await ledger().eventsOf(stream);
        expect(parseMetadata(event?.metadata ?? '')?.requestId).to.equal(id);
        const forged = await deliver(ledger().url, onRamp(), { headers, signature: null });
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
        const answer = await deliver(ledger().url, onRamp(), { headers: { 'x-request-id': id } });
        accepted(answer);
        expect(answer.headers['x-request-id']).to.match(/^[\da-f-]{36}$/);
      }
    });

    it('differ from each other where none were sent', async () => {
      const answers = await Promise.all([1, 2, 3].map(() => deliver(ledger().url, onRamp())));
      expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).to.equal(3);
    });
  });
});
