import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { FLOWS } from '../../src/domain/flow.ts';
import type { Delivery, DeliveryAnswer } from '../../src/sandbox/delivery-log.ts';
import { FAULTS, readFaults, type Fault } from '../../src/sandbox/fault.ts';
import { signWith } from '../../src/sandbox/parcel.ts';
import { createPost } from '../../src/sandbox/post.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { sandboxClock } from '../../src/sandbox/sandbox-clock.ts';
import { exchange } from '../support/exchange.ts';
import { inTurns } from '../support/in-turns.ts';
import { at } from '../support/naive-json.ts';
import type { Delivered } from '../support/order-oracle.ts';
import { SECRET } from '../support/payloads.ts';
import { naiveReport, numberedChains } from '../support/report-oracle.ts';
import { right } from '../support/right.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';

const DAY = 86_400_000;
/** Twice each path, and more. */
const ORDERS = 60;
/** Every fault that the sandbox can have. */
export const EACH_FAULT: ReadonlySet<Fault> = right(readFaults(Object.keys(FAULTS)));
const TIME_ZONE = 'Asia/Kolkata';

const LOST: DeliveryAnswer = { status: 503, body: '{"outcome":"lost"}', durationMs: 1 };

/** What is answered with which outcome; a copy may come ahead of its event, and is recorded then. */
const OUTCOMES: Readonly<Record<Delivery['parcel']['kind'], readonly string[]>> = {
  event: ['recorded', 'duplicate'],
  duplicates: ['recorded', 'duplicate'],
  reserialised: ['recorded', 'duplicate'],
  'other-facts': ['conflict'],
  'wrong-signature': ['signature-mismatch'],
  'altered-bytes': ['signature-mismatch'],
};

const answerOf = ({ answer }: Delivery): unknown =>
  answer !== null && 'body' in answer ? JSON.parse(answer.body) : expect.fail('a delivery without an answer');

/** `recorded` and its like, or the code of a refusal. */
const outcomeOf = (delivery: Delivery): unknown => at(answerOf(delivery), 'outcome') ?? at(answerOf(delivery), 'code');

type Played = {
  /** Each is a run of its own, with and without faults. */
  readonly seeds: readonly string[];
  /** Those that are tried by themselves too. */
  readonly faults: ReadonlySet<Fault>;
};

/** A sandbox and a ledger that agree on every figure, whatever is played. */
export const sandboxAgrees = ({ seeds, faults: alone }: Played): void => {
  let ledger: RunningLedger;
  const ends: (() => void)[] = [];

  beforeEach(async () => {
    ledger = await startLedger({ env: { BUSINESS_TIME_ZONE: TIME_ZONE } });
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) end();
    await ledger.close();
  });

  /** @param isLost whether the n-th request never gets to the ledger */
  const sandboxWith = (seed: string, isLost: (n: number) => boolean = () => false): Sandbox => {
    const { post, close } = createPost(new URL('/v1/webhooks', ledger.url), 64, () => performance.now());
    let requests = 0;
    const sandbox = new Sandbox({
      seed,
      clock: sandboxClock(Date.now),
      wallMs: Date.now,
      monotonicMs: () => performance.now(),
      // A second here is a millisecond: what is held back is overtaken all the same.
      wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms / 1_000)),
      callback: {
        post: {
          post: (signed) => {
            requests += 1;
            return isLost(requests) ? Promise.resolve(LOST) : post(signed);
          },
          close,
        },
        sign: signWith(Buffer.from(SECRET)),
      },
      retries: { mostTries: null, firstWaitMs: 50 },
      ordersAtOnce: 16,
      onGivenUp: () => undefined,
    });
    ends.push(() => sandbox.end());
    return sandbox;
  };

  const play = async (seed: string, faults: ReadonlySet<Fault>, isLost?: (n: number) => boolean): Promise<Sandbox> => {
    const sandbox = sandboxWith(seed, isLost);
    await sandbox.play({ orders: ORDERS, rate: null, withinMs: 30 * DAY, faults });
    expect(sandbox.deliveries.dropped).to.equal(0);
    return sandbox;
  };

  const lastPosition = (sandbox: Sandbox): string => {
    const positions = sandbox.deliveries.all().flatMap((delivery) => {
      const position = at(answerOf(delivery), 'position');
      return typeof position === 'string' ? [Number(position)] : [];
    });
    return String(Math.max(...positions));
  };

  const report = async (flow: string, query: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${API_KEY}` };
    const { status, text } = await exchange(ledger.url, { path: `/v1/reports/${flow}?${query}`, headers });
    expect(status, text).to.equal(200);
    return JSON.parse(text);
  };

  /** The ledger's reports are what the sandbox knows, and what an oracle reads out of the bodies, day by day. */
  const expectReports = async (sandbox: Sandbox): Promise<void> => {
    const position = lastPosition(sandbox);
    const delivered: readonly Delivered[] = sandbox.deliveries.all().flatMap((delivery) => {
      const eventId = at(answerOf(delivery), 'eventId');
      const body = delivery.parcel.body.toString();
      return typeof eventId === 'string' ? [{ body, receivedAt: delivery.sentAt, eventId }] : [];
    });
    for (const flow of FLOWS) {
      const totals = at(await report(flow, `position=${position}`), 'totals');
      expect(totals, flow).to.deep.equal(sandbox.expectation.totals(flow));
      const groupBy = ['day', 'token', 'chain'];
      const question = { flow, basis: 'created', timeZone: TIME_ZONE, groupBy };
      const { rows } = numberedChains(naiveReport(delivered, question));
      expect(at(await report(flow, `groupBy=${groupBy.join(',')}`), 'rows'), flow).to.deep.equal(rows);
    }
  };

  const expectOutcomes = (sandbox: Sandbox): void => {
    for (const delivery of sandbox.deliveries.all()) {
      const { kind, status } = delivery.parcel;
      expect(outcomeOf(delivery), `${kind} ${status}`).to.be.oneOf([...OUTCOMES[kind]]);
    }
  };

  for (const seed of seeds) {
    it(`agree on every figure of every path without faults, and each delivery is recorded, seed ${seed}`, async () => {
      const sandbox = await play(seed, new Set());
      const outcomes = sandbox.deliveries.all().map(outcomeOf);
      expect(new Set(outcomes)).to.have.all.keys('recorded');
      expect(await ledger.eventCount()).to.equal(outcomes.length);
      await expectReports(sandbox);
    }).timeout(60_000);

    it(`agree on every figure with all faults at once, seed ${seed}`, async () => {
      const sandbox = await play(seed, EACH_FAULT);
      expectOutcomes(sandbox);
      await expectReports(sandbox);
    }).timeout(60_000);
  }

  for (const fault of alone) {
    it(`agree on every figure with the fault ${fault}`, async () => {
      const sandbox = await play(`fault-${fault}`, new Set([fault]));
      expectOutcomes(sandbox);
      const kinds: readonly string[] = sandbox.deliveries.all().map(({ parcel }) => parcel.kind);
      if (Object.hasOwn(OUTCOMES, fault)) expect(kinds).to.include(fault);
      await expectReports(sandbox);
    }).timeout(60_000);
  }

  it('agree on every figure where requests are lost, and tried again until they are taken', async () => {
    const sandbox = await play('lost', new Set(), (n) => n % 3 === 0);
    const outcomes = sandbox.deliveries.all().map(outcomeOf);
    expect(new Set(outcomes)).to.have.all.keys('recorded', 'lost');
    expect(await ledger.eventCount()).to.equal(outcomes.filter((outcome) => outcome === 'recorded').length);
    await expectReports(sandbox);
  }).timeout(60_000);

  it('agree on every figure where requests are lost, and given up', async () => {
    const faults = new Set<Fault>(['give-up', 'other-facts', 'shuffle']);
    const sandbox = await play('given up', faults, (n) => n % 3 === 0);
    expect(new Set(sandbox.deliveries.all().map(outcomeOf))).to.have.all.keys('recorded', 'conflict', 'lost');
    expect(sandbox.deliveries.all().every(({ attempt }) => attempt === 1)).to.equal(true);
    await expectReports(sandbox);
  }).timeout(60_000);

  it('agree on expiries that a driven clock brings about', async () => {
    const sandbox = sandboxWith(randomUUID());
    await inTurns(
      Array.from({ length: 20 }, (_, i) => i),
      4,
      async (i) => {
        const path = [{ status: 'fiatPending', payout: null }];
        const fields = i % 2 === 0 ? { fiat: i * 100 + 100 } : {};
        await right(sandbox.place({ flow: 'onramp', path, faults: new Set(), fields })).delivered;
      },
    );
    await sandbox.advance(3 * 3_600_000 + 1);
    const all = sandbox.deliveries.all();
    expect(all.filter(({ parcel }) => parcel.status === 'expired')).to.have.length(20);
    expect(new Set(all.map(outcomeOf))).to.have.all.keys('recorded');
    await expectReports(sandbox);
  }).timeout(60_000);
};
