import { expect } from 'chai';
import { inTimeWith } from '../../src/concurrency/in-time.ts';
import { signedBytes } from '../../src/domain/recorded-event.ts';
import { right } from '../support/right.ts';
import { of, SpoolingScene } from '../support/spooling-scene.ts';
import { virtualTime, type VirtualTime } from '../support/virtual-time.ts';

/** Of a store that is there, and only slow. */
const ROUND_TRIP_MS = 200;
const WITHIN_MS = 500;
const STATUSES = Array.from({ length: 30 }, (_, n) => `status ${n}`);

describe('spooling: deliveries of one order that come at once', () => {
  let scene: SpoolingScene;
  let clock: VirtualTime;
  beforeEach(async () => {
    scene = new SpoolingScene();
    clock = virtualTime();
    const { elapsed, wait } = clock.timing;
    scene.answerWithinMs = WITHIN_MS;
    scene.time = { elapsed, inTime: inTimeWith(wait) };
    scene.takes = () => wait(ROUND_TRIP_MS, new AbortController().signal);
    await scene.start();
  });
  afterEach(() => passing(scene.end()));

  /** Lets time pass until the work is done; what the spool's file takes passes by the millisecond. */
  const passing = async <A>(work: Promise<A>): Promise<A> => {
    const state = { done: false };
    const beat = (): void => {
      if (!state.done) clock.at(clock.timing.elapsed() + 1, beat);
    };
    beat();
    try {
      return await clock.run(work);
    } finally {
      state.done = true;
    }
  };

  /** What became of deliveries that come at once, and how long the last of them waited. */
  const atOnce = async (all: readonly string[], order = 'one'): Promise<readonly [readonly string[], number]> => {
    const from = clock.timing.elapsed();
    let longest = 0;
    const outcomes = all.map(async (status) => {
      const outcome = await scene.outcome(of(order, status));
      longest = Math.max(longest, clock.timing.elapsed() - from);
      return outcome;
    });
    return [await passing(Promise.all(outcomes)), longest];
  };

  it('wait for their turn no longer than for the store: the others are spooled, and appended in order, each once', async () => {
    const [outcomes, longest] = await atOnce(STATUSES);
    expect(outcomes).to.deep.equal(['recorded', 'recorded', ...Array.from({ length: 28 }, () => 'spooled')]);
    expect(longest).to.be.at.most(WITHIN_MS + ROUND_TRIP_MS / 2);
    await passing(scene.isDrained());
    const bodies = scene.store.recorded().map((event) => signedBytes(event).toString());
    expect(bodies).to.have.length(STATUSES.length);
    for (const [n, status] of STATUSES.entries()) expect(bodies[n]).to.include(`"${status}"`);
    expect(right(await scene.spool.setAsideEntries()())).to.deep.equal([]);
  });

  it('say nothing of the store where they waited for each other: others go on asking it', async () => {
    expect((await atOnce(STATUSES))[0]).to.include('spooled');
    expect(scene.types()).to.not.include('StoreAway');
    expect((await atOnce(['fiatPending'], 'other'))[0]).to.deep.equal(['recorded']);
  });

  it('go into the spool together once one of them is there: none waits for the commit of another', async () => {
    await atOnce(STATUSES);
    expect(scene.mostPuts).to.be.above(STATUSES.length / 2);
  });

  it('are each asked of the store where the spool has no room', async () => {
    await scene.stop();
    await scene.start(100);
    const [outcomes] = await atOnce(STATUSES.slice(0, 6));
    expect(outcomes).to.deep.equal(Array.from({ length: 6 }, () => 'recorded'));
    expect(scene.refused).to.be.above(0);
  });
});
