import { expect } from 'chai';
import { courier, type CourierDeps, type Retries } from '../../src/sandbox/courier.ts';
import { DeliveryLog, type DeliveryAnswer } from '../../src/sandbox/delivery-log.ts';
import { unpaced } from '../../src/sandbox/pacer.ts';
import type { Parcel } from '../../src/sandbox/parcel.ts';
import { Random } from '../../src/sandbox/random.ts';
import { REFUSED, TAKEN } from './sandbox-scene.ts';

const PARCEL: Parcel = {
  orderId: 'o-1',
  status: 'completed',
  utr: null,
  kind: 'event',
  body: Buffer.from('{}'),
  signature: '00',
};

const AWAY: DeliveryAnswer = { error: 'ECONNREFUSED', durationMs: 1 };

/** Delivers to a target that answers like this, one answer after the other; the last one goes on. */
const delivered = async (
  answers: readonly [DeliveryAnswer, ...DeliveryAnswer[]],
  retries: Retries,
  over: { readonly parcel?: Parcel } & Partial<CourierDeps> = {},
) => {
  const { parcel = PARCEL, ...deps } = over;
  const log = new DeliveryLog(100);
  const waits: number[] = [];
  const givenUp: number[] = [];
  let calls = 0;
  const deliver = courier({
    post: () => {
      calls += 1;
      return Promise.resolve(answers[calls - 1] ?? answers.at(-1) ?? TAKEN);
    },
    log,
    now: () => '2026-01-31T12:00:00.000Z',
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    random: new Random('courier'),
    ending: () => false,
    onGivenUp: ({ attempt }) => givenUp.push(attempt),
    ...deps,
  });
  const taken = await deliver(parcel, unpaced, retries);
  return { taken, waits, givenUp, calls, log };
};

describe("the sandbox's courier", () => {
  it('sends again what was not answered with 2xx, or not at all, until it is taken', async () => {
    const { taken, calls, log, givenUp } = await delivered([AWAY, REFUSED, { ...REFUSED, status: 301 }, TAKEN], {
      mostTries: null,
      firstWaitMs: 10,
    });
    expect({ taken, calls, givenUp }).to.deep.equal({ taken: true, calls: 4, givenUp: [] });
    expect(log.all().map(({ attempt }) => attempt)).to.deep.equal([1, 2, 3, 4]);
    expect(Object.fromEntries(log.counts().answers)).to.deep.equal({ none: 1, 503: 1, 301: 1, 200: 1 });
    expect((await delivered([{ ...TAKEN, status: 202 }], { mostTries: null, firstWaitMs: 10 })).calls).to.equal(1);
  });

  it('waits twice as long each time, half of it by chance, and half a minute at the most', async () => {
    const { waits } = await delivered([REFUSED], { mostTries: 12, firstWaitMs: 500 });
    expect(waits).to.have.length(11);
    for (const [i, ms] of waits.entries()) {
      const longest = Math.min(30_000, 500 * 2 ** i);
      expect(ms, `wait ${i}`).to.be.within(longest / 2, longest);
    }
  });

  it('gives up after as many tries as it has, and says so', async () => {
    const { taken, calls, givenUp } = await delivered([REFUSED], { mostTries: 3, firstWaitMs: 10 });
    expect({ taken, calls, givenUp }).to.deep.equal({ taken: false, calls: 3, givenUp: [3] });
  });

  it('sends what is forged once', async () => {
    for (const kind of ['wrong-signature', 'altered-bytes'] as const) {
      const { taken, calls, givenUp } = await delivered(
        [REFUSED],
        { mostTries: null, firstWaitMs: 10 },
        { parcel: { ...PARCEL, kind } },
      );
      expect({ taken, calls, givenUp }).to.deep.equal({ taken: false, calls: 1, givenUp: [] });
    }
  });

  it('sends nothing more at the end', async () => {
    let left = 3;
    const ending = (): boolean => (left -= 1) < 0;
    const { taken, calls, givenUp } = await delivered([REFUSED], { mostTries: null, firstWaitMs: 10 }, { ending });
    expect({ taken, givenUp }).to.deep.equal({ taken: false, givenUp: [] });
    expect(calls).to.be.lessThan(4);
  });
});

describe('the log of deliveries', () => {
  it('keeps the latest, oldest first, and says how many it dropped', () => {
    const log = new DeliveryLog(3);
    for (let i = 1; i <= 6; i += 1) log.sent(PARCEL, i, '')(i % 2 === 0 ? AWAY : TAKEN);
    log.sent(PARCEL, 7, '');
    expect(log.all().map(({ number }) => number)).to.deep.equal([5, 6, 7]);
    expect(log.all().map(({ answer }) => answer)).to.deep.equal([TAKEN, AWAY, null]);
    expect(log.dropped).to.equal(4);
    expect(log.counts().sent).to.equal(7);
    expect(Object.fromEntries(log.counts().answers)).to.deep.equal({ 200: 3, none: 3 });
  });
});
