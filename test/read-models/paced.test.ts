import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { epochMsOf, instantOf } from '../../src/domain/instant.ts';
import { positionAt } from '../../src/domain/position.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import { Awaited } from '../../src/read-models/awaited.ts';
import { paced, restAfter, type Pace } from '../../src/read-models/paced.ts';
import { onRampEvent } from '../support/ledger-events.ts';
import { right } from '../support/right.ts';

const { recorded } = onRampEvent('fiatPending');
const recordedAt = epochMsOf(recorded.recordedAt);

const pace = (ageMs: number): Pace => ({
  everyMs: 40,
  manyEveryMs: 200,
  share: 0.4,
  burstShare: 0.2,
  full: 2_048,
  patienceMs: 10_000,
  steadyPatienceMs: 400,
  now: () => instantOf(recordedAt + ageMs),
  areComing: () => true,
});

const batch = (events: number): readonly RecordedEvent[] => Array.from({ length: events }, () => recorded);

/** A full batch that came within so many ms. */
const fullBatch = (withinMs: number): readonly RecordedEvent[] => [
  ...batch(2_047),
  { ...recorded, recordedAt: instantOf(recordedAt + withinMs) },
];

/** Batches of a subscription that rests until it is told not to, as many events as each has. */
const resting = async (
  batches: readonly (readonly RecordedEvent[])[],
  awaited: Awaited,
  signal: AbortSignal,
  onBatch: (events: readonly RecordedEvent[]) => void,
): Promise<readonly number[]> => {
  const subscribe = paced(
    async function* () {
      for (const events of batches) yield E.right(events);
    },
    { ...pace(5), everyMs: 60_000, manyEveryMs: 60_000 },
    awaited,
  );
  const got: number[] = [];
  for await (const read of subscribe(null, signal)) {
    const events = right(read);
    got.push(events.length);
    onBatch(events);
  }
  return got;
};

describe('projections that share a machine with deliveries', () => {
  it('let events gather, and rest in proportion to what many of them took', () => {
    expect(restAfter(pace(5), batch(1), 2)).to.equal(38);
    expect(restAfter(pace(5), batch(31), 50)).to.equal(0);
    expect(restAfter(pace(5), batch(32), 20)).to.equal(180);
    expect(restAfter(pace(5), batch(32), 100)).to.equal(150);
    expect(restAfter(pace(5), fullBatch(500), 20)).to.equal(30);
  });

  it('rest longer in a burst, and not at all behind it', () => {
    expect(restAfter(pace(5), fullBatch(256), 20)).to.equal(80);
    expect(restAfter(pace(5), fullBatch(257), 20)).to.equal(30);
    const isOver = { ...pace(5), areComing: () => false };
    expect(restAfter(isOver, fullBatch(256), 20)).to.equal(0);
    expect(restAfter(isOver, fullBatch(500), 20)).to.equal(0);
    expect(restAfter(isOver, batch(2_047), 20)).to.equal(180);
    expect(restAfter({ ...isOver, full: 512 }, batch(512), 20)).to.equal(0);
    expect(restAfter({ ...isOver, full: 512 }, batch(511), 20)).to.equal(180);
  });

  it('never rest when they are far behind, or have nothing', () => {
    expect(restAfter(pace(10_256), fullBatch(256), 20)).to.equal(80);
    expect(restAfter(pace(10_257), fullBatch(256), 20)).to.equal(0);
    expect(restAfter(pace(10_000), batch(2_047), 20)).to.equal(180);
    expect(restAfter(pace(10_001), batch(2_047), 20)).to.equal(0);
    expect(restAfter(pace(0), [], 20)).to.equal(0);
  });

  it('rest less where a whole batch waits that is no burst', () => {
    expect(restAfter(pace(900), fullBatch(500), 20)).to.equal(30);
    expect(restAfter(pace(901), fullBatch(500), 20)).to.equal(0);
    expect(restAfter(pace(901), batch(2_047), 20)).to.equal(180);
  });

  it('get every batch, in order, and end when they are told to, resting or not', async () => {
    const abort = new AbortController();
    const all = [batch(1), batch(2), batch(3)];
    expect(await resting(all, new Awaited(), abort.signal, () => abort.abort())).to.deep.equal([1, 2, 3]);
  });

  it('hear of what was appended while they dealt with a batch, before they ask whether anybody delivers', async () => {
    let heard = 0;
    const asked: number[] = [];
    const areComing = (): boolean => {
      asked.push(heard);
      return false;
    };
    const batches = [fullBatch(256), fullBatch(256)];
    const subscribe = paced(
      async function* () {
        for (const events of batches) yield E.right(events);
      },
      { ...pace(5), areComing },
      new Awaited(),
    );
    for await (const _ of subscribe(null, new AbortController().signal)) {
      // A message that waits is heard in the next turn, and not before.
      setImmediate(() => (heard += 1));
    }
    expect(asked).to.deep.equal([1, 2]);
  });

  it('do not rest as long as somebody waits for what is not included', async () => {
    const awaited = new Awaited();
    const at = (position: number): readonly RecordedEvent[] => [{ ...recorded, position: positionAt(position) }];
    const all = [at(1), at(2), at(3), at(4)];
    const abort = new AbortController();
    awaited.add(positionAt(3));
    awaited.add(positionAt(2));
    const ended = resting(all, awaited, abort.signal, (events) => {
      // Behind the position that was waited for there is a rest again, which ends for the next who waits.
      if (events === all[2]) setImmediate(() => awaited.add(positionAt(4)));
      if (events === all[3]) abort.abort();
    });
    expect(await ended).to.deep.equal([1, 1, 1, 1]);
  });
});
