import { expect } from 'chai';
import { accepted, refused } from '../support/answers.ts';
import { bodyOf, onRamp, signatureOf } from '../support/payloads.ts';
import { chunk, head, LAST_CHUNK } from '../support/wire.ts';
import { delivery, first, inChunks, ledgerAtWires } from './request-scene.ts';

describe('what can not be read as an HTTP request', () => {
  const { ledger, open } = ledgerAtWires();

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
      const count = await ledger().eventCount();
      const wire = open();
      wire.write(sent);
      const answer = first(await wire.answered(1));
      refused(answer, status, code);
      await wire.closed();
      expect(await ledger().eventCount()).to.equal(count);
    });
  }

  it('of a body is answered, and nothing of it kept', async () => {
    const count = await ledger().eventCount();
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
    expect(await ledger().eventCount()).to.equal(count);
  });

  for (const version of ['0.9', '1.2', '2.0']) {
    it(`is what comes in HTTP/${version}, with a length or in chunks; nor is what comes behind it`, async () => {
      const count = await ledger().eventCount();
      const body = bodyOf(onRamp());
      for (const sent of [
        inChunks(body, 'chunked', version),
        delivery(body, version, { connection: 'keep-alive' }),
        Buffer.from(head(`GET /livez HTTP/${version}`, { host: 'x', connection: 'keep-alive' })),
      ]) {
        const wire = open();
        wire.write(Buffer.concat([sent, delivery(bodyOf(onRamp()))]));
        const answer = first(await wire.answered(1));
        refused(answer, 400, 'bad-request');
        expect(answer.headers['connection']).to.equal('close');
        await wire.closed();
        expect(wire.answers()).to.have.length(1);
      }
      expect(await ledger().eventCount()).to.equal(count);
    });
  }

  for (const coding of ['gzip, chunked', 'identity, chunked', 'chunked, chunked']) {
    it(`is a body in another coding than chunks: ${coding}; nor is what comes behind it`, async () => {
      const count = await ledger().eventCount();
      const wire = open();
      wire.write(Buffer.concat([inChunks(bodyOf(onRamp()), coding), delivery(bodyOf(onRamp()))]));
      refused(first(await wire.answered(1)), 400, 'bad-request');
      await wire.closed();
      expect(wire.answers()).to.have.length(1);
      expect(await ledger().eventCount()).to.equal(count);
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
    wire.write(Buffer.concat([delivery(bodyOf(onRamp())), delivery(bodyOf(onRamp())), Buffer.from('no HTTP\r\n\r\n')]));
    await wire.closed();
    const [one, two, ...more] = wire.answers();
    if (one === undefined || two === undefined) expect.fail(wire.received());
    accepted(one);
    accepted(two);
    for (const answer of more) refused(answer, 400, 'bad-request');
  });
});
