import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { listen } from '../../../src/http/http-server.ts';
import { PIECE_BYTES, writesInPieces } from '../../../src/http/connections/writes-in-pieces.ts';
import { right } from '../../support/right.ts';
import { openWire } from '../../support/wire.ts';

type Part = { readonly chunk: Buffer | string; readonly encoding: BufferEncoding };
type Written = (error?: Error | null) => void;

const bytesOf = ({ chunk, encoding }: Part): Buffer =>
  typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;

/** Takes all that it is given at once, as a connection does whose reader keeps up; or fails with one of its calls. */
class Taking extends Writable {
  readonly calls: Buffer[] = [];
  readonly #failsAt: number;
  constructor(failsAt = Infinity) {
    super({ decodeStrings: false });
    this.#failsAt = failsAt;
    writesInPieces(this);
  }
  override _write(chunk: Buffer | string, encoding: BufferEncoding, written: Written): void {
    this._writev([{ chunk, encoding }], written);
  }
  override _writev(chunks: Part[], written: Written): void {
    this.calls.push(Buffer.concat(chunks.map(bytesOf)));
    written(this.calls.length === this.#failsAt ? new Error('gone') : null);
  }
}

/** What is written one after the other: so many bytes, or so many characters in an encoding, up to some pieces. */
const written = fc.array(
  fc.record({
    encoding: fc.constantFrom('buffer', 'utf8', 'latin1', 'hex'),
    size: fc.oneof(fc.integer({ min: 0, max: 2 * PIECE_BYTES }), fc.constantFrom(1, PIECE_BYTES - 1, PIECE_BYTES)),
  }),
  { maxLength: 8 },
);

const partOf = (encoding: 'buffer' | 'utf8' | 'latin1' | 'hex', size: number): Part => {
  if (encoding === 'buffer') return { chunk: randomBytes(size), encoding: 'utf8' };
  return { chunk: encoding === 'hex' ? 'ab'.repeat(size) : 'é'.repeat(size), encoding };
};

describe('what is written on a connection', () => {
  it('is the same bytes in the same order, never more than a piece at once', async () => {
    await fc.assert(
      fc.asyncProperty(written, fc.boolean(), async (sizes, isCorked) => {
        const taking = new Taking();
        const parts = sizes.map(({ encoding, size }) => partOf(encoding, size));
        if (isCorked) taking.cork();
        for (const { chunk, encoding } of parts) taking.write(chunk, encoding);
        taking.end();
        await once(taking, 'finish');
        expect(Buffer.concat(taking.calls).equals(Buffer.concat(parts.map(bytesOf)))).to.equal(true);
        expect(Math.max(0, ...taking.calls.map(({ length }) => length))).to.be.at.most(PIECE_BYTES);
      }),
      { numRuns: 30 },
    );
  });

  it('lets the loop turn between the pieces, and all of it waits until the last is taken', async () => {
    const taking = new Taking();
    const size = 5 * PIECE_BYTES;
    const calls: number[] = [];
    taking.write(randomBytes(size));
    while (taking.writableLength > 0) {
      expect(taking.writableLength).to.equal(size);
      calls.push(taking.calls.length);
      await nextTurn();
    }
    expect(calls.slice(0, 5)).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('ends with the failure of a piece, behind which nothing more is written', async () => {
    const failing = new Taking(2);
    const failed: Promise<unknown[]> = once(failing, 'error');
    failing.write(randomBytes(4 * PIECE_BYTES));
    expect((await failed)[0]).to.include({ message: 'gone' });
    await nextTurn();
    expect(failing.calls).to.have.length(2);
  });

  it('is an answer of many megabytes, whole and before the next of its connection', async () => {
    const large = randomBytes(6 * 1_048_576);
    const answer = (response: ServerResponse, url = ''): void => void response.end(url === '/large' ? large : 'small');
    const server = right(
      await listen(
        ({ url }, response) => answer(response, url),
        '127.0.0.1',
        0,
        () => 'request-id',
      ),
    );
    const wire = openWire(server.url);
    try {
      const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`;
      wire.write(ask('/large') + ask('/small'));
      const [first, second] = await wire.answered(2);
      expect(first?.bytes.equals(large)).to.equal(true);
      expect(second?.text).to.equal('small');
    } finally {
      wire.cut();
      await server.close();
    }
  });
});
