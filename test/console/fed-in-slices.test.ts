import { PassThrough, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect } from 'chai';
import { feedInSlices } from '../../src/console/upload/fed-in-slices.ts';

const PIECE = Buffer.alloc(64 * 1_024, 'x');

describe('what a parser of forms is given', () => {
  /** A parser that takes its time, and what it was given. */
  const parser = () => {
    const given: Buffer[] = [];
    const writable = new Writable({
      highWaterMark: 8_192,
      write: (chunk: Buffer, _encoding, done) => {
        given.push(chunk);
        setImmediate(done);
      },
    });
    return { given, writable };
  };

  it('is all that comes, in its order, however slowly it takes it', async () => {
    const { given, writable } = parser();
    const source = new PassThrough();
    feedInSlices(source, writable, () => false);
    const pieces = Array.from({ length: 20 }, (_, n) => Buffer.alloc(1_000 + n * 3_000, n));
    for (const piece of pieces) source.write(piece);
    source.end();
    await finished(writable);
    expect(Buffer.concat(given).equals(Buffer.concat(pieces))).to.equal(true);
  });

  it('is nothing more of a piece once it is over', async () => {
    let bytes = 0;
    const writable = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length;
        done();
      },
    });
    const source = new PassThrough();
    feedInSlices(source, writable, () => bytes > 0);
    source.end(PIECE);
    await finished(source);
    expect(bytes).to.equal(4_096);
    expect(writable.writableEnded).to.equal(false);
  });
});
