import { expect } from 'chai';
import * as fc from 'fast-check';
import { retryAfterMs } from '../../src/tokens/retry-after.ts';

const NOW = Date.UTC(2026, 0, 31, 12);

describe('Retry-After', () => {
  it('is read as seconds', () => {
    fc.assert(
      fc.property(fc.nat({ max: 999_999_999 }), (seconds) => {
        expect(retryAfterMs(String(seconds), NOW)).to.equal(seconds * 1_000);
      }),
    );
  });

  it('is read as a date, which is now where it is past', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 100_000 }), (seconds) => {
        const date = new Date(NOW + seconds * 1_000).toUTCString();
        expect(retryAfterMs(date, NOW)).to.equal(Math.max(0, seconds * 1_000));
      }),
    );
  });

  it('is nothing where it is absent or something else', () => {
    for (const text of [null, '', '-1', '1.5', 'soon', '2026-01-31', '9999999999', 'Sat, 99 Jan 2026 12:00:00 GMT']) {
      expect(retryAfterMs(text, NOW), String(text)).to.equal(null);
    }
  });
});
