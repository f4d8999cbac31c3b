import { expect } from 'chai';
import { either as E } from 'fp-ts';
import { epochMsOf, instantOf } from '../../src/domain/instant.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import { paced, restAfter, type Pace } from '../../src/read-models/paced.ts';
import { onRampEvent } from '../support/ledger-events.ts';
import { right } from '../support/right.ts';

const { recorded } = onRampEvent('fiatPending');
const recordedAt = epochMsOf(recorded.recordedAt);

const pace = (ageMs: number): Pace => ({
  everyMs: 40,
  share: 0.4,
  patienceMs: 10_000,
  now: () => instantOf(recordedAt + ageMs),
});

const batch = (events: number): readonly RecordedEvent[] => Array.from({ length: events }, () => recorded);

describe('projections that share a machine with deliveries', () => {
  it('let events gather, and rest in proportion to what many of them took', () => {
    expect(restAfter(pace(5), batch(1), 2)).to.equal(38);
    expect(restAfter(pace(5), batch(31), 50)).to.equal(0);
    expect(restAfter(pace(5), batch(32), 20)).to.equal(30);
    expect(restAfter(pace(5), batch(32), 4)).to.equal(36);
    expect(restAfter(pace(5), batch(512), 20)).to.equal(30);
  });

  it('never rest when they are far behind, or have nothing', () => {
    expect(restAfter(pace(10_000), batch(512), 20)).to.equal(30);
    expect(restAfter(pace(10_001), batch(512), 20)).to.equal(0);
    expect(restAfter(pace(0), [], 20)).to.equal(0);
  });

  it('get every batch, in order, and end when they are told to, resting or not', async () => {
    const abort = new AbortController();
    const all = [batch(1), batch(2), batch(3)];
    const subscribe = paced(
      async function* () {
        for (const events of all) yield E.right(events);
      },
      { ...pace(5), everyMs: 60_000 },
    );
    const got: number[] = [];
    for await (const events of subscribe(null, abort.signal)) {
      got.push(right(events).length);
      abort.abort();
    }
    expect(got).to.deep.equal([1, 2, 3]);
  });
});
