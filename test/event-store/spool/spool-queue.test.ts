import { expect } from 'chai';
import { entryBytes } from '../../../src/event-store/spool/entry-bytes.ts';
import { SpoolQueue, type Put } from '../../../src/event-store/spool/spool-queue.ts';
import { delivery, NOTE } from './spool-scene.ts';

const NOTHING_ASIDE = { isAside: () => false };

const put = (n: number, body?: string): Put<never> => ({
  verified: delivery(n, body),
  key: 'a',
  note: null,
  answer: () => undefined,
});

describe('what is to be written to a spool', () => {
  it('is kept until it is written, and no longer: each commit would write all of it again', () => {
    const queue = new SpoolQueue<never>();
    queue.put(put(1));
    queue.settle({ seq: 1, note: null });
    const failed = queue.take(NOTHING_ASIDE);
    queue.over(failed, false);
    expect(queue.settled(1)).to.deep.equal({ seq: 1, note: null });
    expect(queue.reserved).to.equal(0);
    const again = queue.take(NOTHING_ASIDE);
    expect(again).to.deep.equal({ puts: [], incoming: [], settled: [{ seq: 1, note: null }] });
    queue.over(again, true);
    expect(queue.settled(1)).to.equal(undefined);
    expect(queue.isEmpty()).to.equal(true);
  });

  it('gives no place a second time, also where a write failed whose outcome is not known', () => {
    const queue = new SpoolQueue<never>();
    const places = [1, 2, 3].map((n) => {
      queue.put(put(n));
      const due = queue.take(NOTHING_ASIDE);
      queue.over(due, false);
      return due.incoming[0]?.seq;
    });
    expect(places).to.deep.equal([1, 2, 3]);
    queue.isTaken(10);
    queue.put(put(4));
    expect(queue.take(NOTHING_ASIDE).incoming.map(({ seq }) => seq)).to.deep.equal([11]);
  });

  it('goes over in parts where it is much, none left out, in order, and counted until it is written', () => {
    const queue = new SpoolQueue<never>();
    const long = 'x'.repeat(1_000_000);
    for (let n = 1; n <= 10; n += 1) queue.put(put(n, `${n} ${long}`));
    expect(queue.reserved).to.be.above(10 * entryBytes(long.length));
    const seen: number[] = [];
    let parts = 0;
    while (queue.hasPuts) {
      const due = queue.take(NOTHING_ASIDE);
      expect(due.incoming.length).to.be.at.most(4);
      seen.push(...due.incoming.map(({ seq }) => seq));
      queue.over(due, true);
      parts += 1;
    }
    expect(parts).to.be.above(2);
    expect(seen).to.deep.equal(Array.from({ length: 10 }, (_, i) => i + 1));
    expect(queue.reserved).to.equal(0);
  });

  it('brings a body that is set aside once, also where several come together', () => {
    const queue = new SpoolQueue<never>();
    for (const n of [1, 2]) queue.put({ ...put(n, 'same'), note: NOTE });
    const due = queue.take(NOTHING_ASIDE);
    expect([due.puts.length, due.incoming.length]).to.deep.equal([2, 1]);
    queue.put({ ...put(3, 'same'), note: NOTE });
    expect(queue.take({ isAside: () => true }).incoming).to.deep.equal([]);
  });
});
