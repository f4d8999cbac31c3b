import { expect } from 'chai';
import * as fc from 'fast-check';
import { unzipped, zipped } from '../../src/proofs/evidence/evidence-zip.ts';
import { zippedInTurns } from '../../src/proofs/evidence/zip-in-turns.ts';

const ENTRY = 0x02014b50;
const MEGABYTE = 1_048_576;

/** A ZIP whose directory names the one file that it holds many times, each time by another name. */
const manyTimes = (content: Buffer, times: number): Buffer => {
  const zip = zipped(new Map([['a', content]]));
  const end = zip.length - 22;
  const from = zip.readUInt32LE(end + 16);
  expect(zip.readUInt32LE(from)).to.equal(ENTRY);
  const entries = Array.from({ length: times }, (_, i) => {
    const entry = Buffer.from(zip.subarray(from, end));
    entry[46] = 0x41 + i;
    return entry;
  });
  const tail = Buffer.from(zip.subarray(end));
  for (const at of [8, 10]) tail.writeUInt16LE(times, at);
  tail.writeUInt32LE((end - from) * times, 12);
  return Buffer.concat([zip.subarray(0, from), ...entries, tail]);
};

describe('the ZIP of evidence', () => {
  it('is read as it was written', () => {
    const files = new Map([
      ['README.txt', Buffer.from('read me')],
      ['events/0/body', Buffer.alloc(3)],
    ]);
    expect(unzipped(zipped(files))).to.deep.equal(files);
  });

  it('that is made with turns for others in between is that which is made at once', async () => {
    const file = fc.tuple(
      fc.stringMatching(/^[a-z][\w./]{0,20}$/),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    );
    const property = fc.asyncProperty(fc.array(file, { maxLength: 10 }), async (all) => {
      const files = new Map(all);
      expect((await zippedInTurns(files)).equals(zipped(files))).to.equal(true);
    });
    await fc.assert(property, { examples: [[[]], [[['a', Buffer.alloc(MEGABYTE, 'x')]]]] });
  });

  it('holds no more than its own size, however often its directory names a file', () => {
    const zip = manyTimes(Buffer.alloc(MEGABYTE, 'x'), 50);
    expect(zip.length).to.be.below(2 * MEGABYTE);
    expect(unzipped(zip)).to.equal(null);
    expect(unzipped(manyTimes(Buffer.from('x'), 1))?.size).to.equal(1);
  });
});
