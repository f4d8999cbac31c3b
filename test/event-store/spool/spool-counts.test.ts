import { expect } from 'chai';
import * as fc from 'fast-check';
import { instantOf, type Instant } from '../../../src/domain/instant.ts';
import { SpoolCounts } from '../../../src/event-store/spool/spool-counts.ts';

const receivedAt = (seq: number): Instant => instantOf(1_000_000 - seq);

const MANY = 20_000;

describe('what a spool is known to hold', () => {
  it('has as its oldest the first to arrive of those that wait, in whatever order their turns are over', () => {
    const turns = fc.shuffledSubarray(Array.from({ length: 12 }, (_, i) => i + 1));
    fc.assert(
      fc.property(turns, (over) => {
        const counts = new SpoolCounts();
        const waiting = new Set(Array.from({ length: 12 }, (_, i) => i + 1));
        for (const seq of waiting) counts.add(`key ${seq}`, { seq, bodyBytes: 1, receivedAt: receivedAt(seq) });
        for (const seq of over) {
          expect(counts.removeFirst(`key ${seq}`, seq)).to.equal(true);
          waiting.delete(seq);
          const [oldest] = waiting;
          expect(counts.oldestReceivedAt).to.equal(oldest === undefined ? null : receivedAt(oldest));
        }
      }),
    );
  });

  it('knows the oldest behind very many whose turn was over before it', () => {
    const counts = new SpoolCounts();
    for (let seq = 1; seq <= MANY; seq += 1) {
      counts.add(`key ${seq}`, { seq, bodyBytes: 1, receivedAt: receivedAt(seq) });
    }
    // The first waits longest: all others are passed once its turn is over.
    for (let seq = MANY; seq > 1; seq -= 1) {
      counts.removeFirst(`key ${seq}`, seq);
      expect(counts.oldestReceivedAt).to.equal(receivedAt(1));
    }
    counts.removeFirst('key 1', 1);
    expect(counts.oldestReceivedAt).to.equal(null);
    counts.add('key', { seq: MANY + 1, bodyBytes: 1, receivedAt: receivedAt(MANY + 1) });
    expect(counts.oldestReceivedAt).to.equal(receivedAt(MANY + 1));
    expect(counts.depth).to.equal(1);
  });

  it('takes out none but the first of a key', () => {
    const counts = new SpoolCounts();
    for (const seq of [1, 2]) counts.add('a', { seq, bodyBytes: seq, receivedAt: receivedAt(seq) });
    expect([counts.removeFirst('a', 2), counts.removeFirst('b', 1)]).to.deep.equal([false, false]);
    expect(counts.depth).to.equal(2);
  });
});
