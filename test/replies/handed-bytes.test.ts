import { expect } from 'chai';
import { handedBytes } from '../../src/replies/handed-bytes.ts';

describe('bytes for another thread', () => {
  it('are copied, but for those that were made for it and are alone in their memory', () => {
    const own = Buffer.from(new ArrayBuffer(100)).fill('a');
    expect(handedBytes(own, true).buffer).to.equal(own.buffer);
    const shared = Buffer.from(new SharedArrayBuffer(100)).fill('b');
    for (const [other, areOwn] of [
      [own, undefined],
      [own.subarray(1), true],
      [Buffer.from('pooled'), true],
      [shared, true],
    ] as const) {
      const bytes = handedBytes(other, areOwn);
      expect(bytes.buffer).not.to.equal(other.buffer);
      expect(bytes.buffer.byteLength).to.equal(other.length);
      expect(Buffer.from(bytes)).to.deep.equal(Buffer.from(other));
    }
  });
});
