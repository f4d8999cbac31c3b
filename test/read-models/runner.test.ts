import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { inTime } from '../../src/concurrency/in-time.ts';
import { branded } from '../../src/domain/brand.ts';
import { orderStream, type OrderId, type Position } from '../../src/domain/ids.ts';
import { epochMsOf, instantOf, type Instant } from '../../src/domain/instant.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import type { Batch, BatchOrder, ProjectionBatch } from '../../src/read-models/projection-batch.ts';
import type { Checkpoint } from '../../src/read-models/read-models.ts';
import {
  catchUp,
  moreWait,
  restAfter,
  runProjections,
  type ProjectionTarget,
  type RunnerEvents,
} from '../../src/read-models/runner.ts';
import { inBatches } from '../support/in-batches.ts';
import { playedLedger, type PlayedLedger } from '../support/ledger-script.ts';
import { onRamp } from '../support/payloads.ts';
import { until } from '../support/until.ts';
import { right } from '../support/right.ts';
import { QUIET, there } from '../support/sqlite-read-models.ts';

const STATUSES = ['fiatPending', 'orderReceived', 'fiatReceived', 'transferred', 'completed'] as const;

const orderId = 'order-of-the-runner';

const ledgerOf = async (events: number): Promise<PlayedLedger> => {
  const ledger = playedLedger();
  await ledger.play(
    STATUSES.slice(0, events).map((status) => ({
      body: JSON.stringify(onRamp({ orderId, status })),
      receivedAt: instantOf(0),
      requestId: null,
      putAway: false,
    })),
  );
  return ledger;
};

/** A target that remembers what it was given. */
class Remembering implements ProjectionTarget {
  readonly batches: (ProjectionBatch & { readonly orders: readonly BatchOrder[] })[] = [];
  #checkpoint: Checkpoint | null = null;

  checkpoint(): Checkpoint | null {
    return this.#checkpoint;
  }

  apply(after: Position | null, batch: ProjectionBatch): 'applied' | 'overtaken' {
    if ((this.#checkpoint?.position ?? null) !== after) return 'overtaken';
    this.batches.push({ ...batch, orders: [...batch.orders] });
    this.#checkpoint = batch.checkpoint;
    return 'applied';
  }
}

const shown = ({ batches }: Remembering): readonly unknown[] =>
  batches.map(({ events, orders }) => [events, ...orders.map(({ state }) => [state.status, state.eventCount])]);

type Store = Parameters<typeof catchUp>[0];

/** A log of whose reader another one gets ahead, once: when its second batch is here, and not applied yet. */
const overtakenAtSecondBatch = (store: Store, other: () => Promise<void>): Store => {
  let batches = 0;
  return {
    ...store,
    subscribe: async function* (after, signal) {
      for await (const batch of store.subscribe(after, signal)) {
        batches += 1;
        if (batches === 2) await other();
        yield batch;
      }
    },
  };
};

describe('a runner', () => {
  it('gives whole orders as they are at the end of each batch', async () => {
    const { store } = await ledgerOf(5);
    const target = new Remembering();
    right(await catchUp(inBatches(store, [2]), target, right(await store.head()()), QUIET));
    expect(shown(target)).to.deep.equal([
      [2, ['orderReceived', 2]],
      [2, ['transferred', 4]],
      [1, ['completed', 5]],
    ]);
  });

  it('that is to catch up with what is there does so, and nothing where it is there already', async () => {
    const { store } = await ledgerOf(5);
    const target = new Remembering();
    right(await catchUp(store, target, null, QUIET));
    expect(target.checkpoint()).to.equal(null);
    const events = await Array.fromAsync(store.readAll(null), right);
    right(await catchUp(inBatches(store, [2]), target, there(events[2]).position, QUIET));
    expect(shown(target)).to.have.length(2);
    right(await catchUp(inBatches(store, [2]), target, there(events[3]).position, QUIET));
    expect(shown(target)).to.have.length(2);
  });

  it('goes on behind whoever has overtaken it', async () => {
    const { store } = await ledgerOf(5);
    const target = new Remembering();
    const head = right(await store.head()());
    const outcomes: unknown[] = [];
    const slow: ProjectionTarget = {
      checkpoint: () => target.checkpoint(),
      apply: (after, batch) => {
        const outcome = target.apply(after, batch);
        outcomes.push(outcome);
        return outcome;
      },
    };
    const behind = overtakenAtSecondBatch(inBatches(store, [2]), async () => {
      right(await catchUp(inBatches(store, [1]), target, far, QUIET));
    });
    const events = await Array.fromAsync(store.readAll(null), right);
    const far = there(events[2]).position;
    right(await catchUp(behind, slow, head, QUIET));
    expect(outcomes).to.deep.equal(['applied', 'overtaken', 'applied']);
    expect(shown(target).at(-1)).to.deep.equal([2, ['completed', 5]]);
    expect(target.checkpoint()?.position).to.equal(head);
  });

  it('ends where another one has brought the target as far as it was to', async () => {
    const { store } = await ledgerOf(5);
    const target = new Remembering();
    const head = right(await store.head()());
    const behind = overtakenAtSecondBatch(inBatches(store, [2]), async () => {
      right(await catchUp(inBatches(store, [5]), target, head, QUIET));
    });
    right(await catchUp(behind, target, head, QUIET));
    expect(shown(target)).to.have.length(2);
    expect(target.checkpoint()?.position).to.equal(head);
  });

  it('says what it can not reach, and goes on from there when it is asked again', async () => {
    const { store } = await ledgerOf(5);
    const target = new Remembering();
    const head = right(await store.head()());
    const events: RunnerEvents = { ...QUIET, onApplied: () => store.takeAway('away') };
    const away = await catchUp(inBatches(store, [2]), target, head, events);
    expect(away).to.deep.equal(E.left({ _tag: 'StoreUnavailable', detail: 'away' }));
    store.takeAway(null);
    right(await catchUp(inBatches(store, [2]), target, head, QUIET));
    expect(target.checkpoint()?.position).to.equal(head);
    const cause = new Error('full');
    const failing: ProjectionTarget = {
      checkpoint: () => null,
      apply: () => {
        throw cause;
      },
    };
    const full = E.left({ _tag: 'ReadModelsUnavailable', detail: 'full', cause });
    expect(await catchUp(store, failing, head, QUIET)).to.deep.equal(full);
    const closed: ProjectionTarget = {
      ...failing,
      checkpoint: () => {
        throw new Error('full');
      },
    };
    expect(await catchUp(store, closed, head, QUIET)).to.deep.equal(full);
    expect(await runProjections(store, closed, QUIET, new AbortController().signal)).to.deep.equal(full);
  });

  it('does what a batch has left beside the batches that follow, and all of it where it catches up', async () => {
    const { store } = await ledgerOf(5);
    const head = right(await store.head()());
    const target = new Remembering();
    let left = 0;
    const leaving: ProjectionTarget = {
      checkpoint: () => target.checkpoint(),
      apply: (after, batch) => {
        left += 3;
        return target.apply(after, batch);
      },
      settle: () => {
        left = Math.max(0, left - 1);
        return left > 0;
      },
    };
    right(await catchUp(inBatches(store, [2]), leaving, head, QUIET));
    expect([target.checkpoint()?.position, left]).to.deep.equal([head, 0]);
    left = 2;
    const stop = new AbortController();
    const following = runProjections(store, leaving, QUIET, stop.signal);
    await until(5_000, 'what was left', () => Promise.resolve(left === 0 ? true : null));
    stop.abort();
    right(await following);
    const cause = new Error('full');
    const failing: ProjectionTarget = {
      ...leaving,
      settle: () => {
        throw cause;
      },
    };
    const full = E.left({ _tag: 'ReadModelsUnavailable', detail: 'full', cause });
    expect(await runProjections(store, failing, QUIET, new AbortController().signal)).to.deep.equal(full);
    expect(await catchUp(store, failing, head, QUIET)).to.deep.equal(full);
  });

  it('that fails ends at once, however much a batch has left', async () => {
    const { store } = await ledgerOf(5);
    const target = new Remembering();
    const over = new AbortController();
    const leaving: ProjectionTarget = {
      checkpoint: () => target.checkpoint(),
      apply: (after, batch) => target.apply(after, batch),
      settle: () => !over.signal.aborted,
    };
    const events: RunnerEvents = { ...QUIET, onApplied: () => store.takeAway('away') };
    const running = runProjections(inBatches(store, [2]), leaving, events, over.signal);
    try {
      const away = E.left({ _tag: 'StoreUnavailable', detail: 'away' });
      expect(await inTime(5_000, running, 'still settling')).to.deep.equal(away);
    } finally {
      over.abort();
    }
  });

  it('rests behind a part that took long for three times as long, so that most of the time is for what comes, and no more than some seconds', () => {
    expect([0, 40, 249, 250, 900, 1_001, 60_000].map(restAfter)).to.deep.equal([3, 3, 3, 750, 2_700, 3_000, 3_000]);
  });

  it('is behind where many events of a batch are late, not where they come as fast as they are projected', async () => {
    const { store } = await ledgerOf(1);
    const [event] = store.recorded();
    if (event === undefined) expect.fail('no event');
    const after = (ms: number): Instant => instantOf(epochMsOf(event.recordedAt) + ms);
    const batchOf = (events: number): Batch => [event, ...Array.from({ length: events - 1 }, () => event)];
    expect(moreWait(batchOf(500), after(301))).to.equal(true);
    expect(moreWait(batchOf(500), after(300))).to.equal(false);
    expect(moreWait(batchOf(499), after(9_000))).to.equal(false);
  });

  it('follows the log until it is told to stop', async () => {
    const ledger = await ledgerOf(2);
    const target = new Remembering();
    const stop = new AbortController();
    const { promise: included, resolve: onIncluded } = Promise.withResolvers<void>();
    let count = 0;
    const running = runProjections(
      ledger.store,
      target,
      {
        ...QUIET,
        onApplied: (_, events) => {
          count += events;
          if (count === 3) onIncluded();
        },
      },
      stop.signal,
    );
    await ledger.play([
      {
        body: JSON.stringify(onRamp({ orderId, status: 'completed' })),
        receivedAt: instantOf(0),
        requestId: null,
        putAway: false,
      },
    ]);
    await included;
    stop.abort();
    right(await running);
    expect(target.batches.at(-1)?.orders[0]?.state.status).to.equal('completed');
  });

  it('names damaged events, and folds their orders without them', async () => {
    const { store } = await ledgerOf(3);
    const stream = orderStream(branded<OrderId>(orderId));
    store.tamper(stream, 1, { metadata: 'damaged' });
    const target = new Remembering();
    const named: unknown[] = [];
    const onUnreadable: RunnerEvents['onUnreadable'] = (events) =>
      named.push(...events.map(({ revision }) => revision));
    right(await catchUp(inBatches(store, [9]), target, right(await store.head()()), { ...QUIET, onUnreadable }));
    expect(named).to.deep.equal([1]);
    expect(shown(target)).to.deep.equal([[3, ['fiatReceived', 2]]]);
    expect(target.batches[0]?.marks.map(({ receivedAt }) => receivedAt === null)).to.deep.equal([false, true, false]);
  });

  it('names an order whose first events are gone from its stream, and folds it of what is left', async () => {
    const { store } = await ledgerOf(4);
    const cutOff: Store = {
      ...store,
      readStream: (stream) => async () =>
        E.map((events: readonly RecordedEvent[]) => events.slice(2))(await store.readStream(stream)()),
    };
    const target = new Remembering();
    const named: unknown[] = [];
    const onUnreadable: RunnerEvents['onUnreadable'] = (events) =>
      named.push(...events.map(({ revision, problem }) => [revision, problem]));
    const events = await Array.fromAsync(store.readAll(null), right);
    right(await catchUp(inBatches(store, [3]), target, there(events[2]).position, QUIET));
    right(await catchUp(cutOff, target, right(await store.head()()), { ...QUIET, onUnreadable }));
    expect(named).to.deep.equal([[2, 'the events before it are gone: its stream was cut off']]);
    expect(shown(target).at(-1)).to.deep.equal([1, ['transferred', 2]]);
  });
});
