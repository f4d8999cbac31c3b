import { createServer, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { requestBody } from '../../src/http/request-body.ts';
import { BodyBytes } from '../../src/http/body-bytes.ts';
import { readBody } from '../../src/webhooks/read-body.ts';
import { HeldByPeers } from '../../src/http/connections/held-by-peers.ts';
import { exchange } from '../support/exchange.ts';
import { right } from '../support/right.ts';

/** Reads of a request that brings ten digits, all in one buffer that is written over each time. */
const read = async (reader: (request: IncomingMessage) => Promise<Buffer>): Promise<string> => {
  const server = createServer((request, response) => {
    const came = reader(request);
    const piece = Buffer.alloc(1);
    for (const digit of '0123456789') {
      piece.write(digit);
      request.emit('data', piece);
    }
    request.emit('end');
    void came.then((bytes) => response.end(bytes));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    return (await exchange(`http://127.0.0.1:${port}`, { path: '/' })).text;
  } finally {
    server.close();
  }
};

/** The first piece is kept as it came. */
const ALL_BUT_THE_FIRST = /^.123456789$/;

describe('bytes of a body', () => {
  it('are what the pieces were, whatever their sizes, in no more than twice the room', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 3_000 }), { maxLength: 30 });
    fc.assert(
      fc.property(pieces, (parts) => {
        const bytes = new BodyBytes();
        for (const part of parts) bytes.add(Buffer.from(part));
        const whole = Buffer.concat(parts);
        expect(bytes.whole().equals(whole)).to.equal(true);
        expect(bytes.size).to.equal(whole.length);
      }),
    );
    const bytes = new BodyBytes();
    for (let n = 0; n < 100_000; n += 1) bytes.add(Buffer.of(n % 256));
    expect(bytes.whole().buffer.byteLength).to.be.at.most(200_000);
    expect(bytes.room).to.equal(bytes.whole().buffer.byteLength);
    bytes.clear();
    expect(bytes.whole().length).to.equal(0);
    expect(bytes.room).to.equal(0);
  });

  it('that were announced are shared with whoever they are given to, and may be fewer or more', () => {
    const [announced, piece] = [2_097_152, Buffer.alloc(262_144, 'x')];
    for (const pieces of [0, 1, 8, 9]) {
      const bytes = new BodyBytes(announced);
      for (let i = 0; i < pieces; i += 1) bytes.add(piece);
      expect(bytes.whole().equals(Buffer.alloc(pieces * piece.length, 'x'))).to.equal(true);
      expect(bytes.whole().buffer instanceof SharedArrayBuffer, String(pieces)).to.equal(pieces <= 8);
    }
  });

  it('of a delivery keep no piece beside them: a body in chunks of one byte takes no more room than any', async () => {
    expect(
      await read(async (request) => right(await readBody(request, 100, 10_000, new HeldByPeers(10_000)))),
    ).to.match(ALL_BUT_THE_FIRST);
  });

  it('that the API is sent keep none either', async () => {
    expect(await read(async (request) => right(await requestBody(request, 100)()))).to.match(ALL_BUT_THE_FIRST);
  });

  it('shares the memory of no bytes at all with no other: whoever is given it may give it away', () => {
    const { buffer } = new BodyBytes().whole();
    expect(buffer).to.be.instanceOf(ArrayBuffer);
    structuredClone(buffer, { transfer: buffer instanceof ArrayBuffer ? [buffer] : [] });
    expect(new BodyBytes().whole().subarray(0, 1).toString()).to.equal('');
  });
});
