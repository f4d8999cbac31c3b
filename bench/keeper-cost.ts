import { generateKeyPairSync, randomBytes } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { branded } from '../src/domain/brand.ts';
import type { Revision } from '../src/domain/ids.ts';
import { instantOf } from '../src/domain/instant.ts';
import { positionAt } from '../src/domain/position.ts';
import type { RecordedEvent } from '../src/domain/recorded-event.ts';
import type { EventStore } from '../src/event-store/event-store.ts';
import { LogKeeper } from '../src/proofs/log-keeper.ts';
import { systemClock } from '../src/telemetry/system-clock.ts';
import { orderStep, type Filling } from './ledger-filler.ts';
import type { OwnedResources } from './owned-resources.ts';
import { threadTime } from './thread-time.ts';

/** Events that the projections are given at a time while deliveries come, and so the keeper. */
const BATCH = 64;

const eventsOf = (count: number): readonly RecordedEvent[] => {
  const now = Date.now();
  const run = randomBytes(16).toString('hex');
  const filling: Filling = { orders: count, steps: 'all', run, from: now - 1, until: now };
  return Array.from({ length: count }, (_, order) => {
    const { stream, event } = orderStep(filling, { order, step: 0 });
    return {
      ...event,
      data: event.data.toString(),
      metadata: event.metadata.toString(),
      stream,
      revision: branded<Revision>(0),
      position: positionAt(order + 1),
      recordedAt: instantOf(now),
    };
  });
};

/** A log of which the first event is read: the keeper is handed the others. */
const beginningWith = (events: readonly RecordedEvent[]): EventStore['readAll'] =>
  async function* (after) {
    for (const event of after === null ? events.slice(0, 1) : []) yield E.right(event);
  };

/** Microseconds of processor time that the tree takes for an event, checkpoints included: the least of some rounds. */
export const costOfKeeping = async (
  { directory, remove }: Pick<OwnedResources, 'directory' | 'remove'>,
  count: number,
  rounds: number,
): Promise<number> => {
  const events = eventsOf(count);
  const { privateKey } = generateKeyPairSync('ed25519');
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const dataDir = directory();
    const keeper = new LogKeeper({
      dataDir,
      identity: { origin: 'log.example/bench', signingKey: privateKey, retiredKey: null },
      store: { readAll: beginningWith(events), readAt: () => TE.right([]) },
      now: systemClock(),
      random: randomBytes,
      tell: (news) => {
        if (news._tag !== 'LogSigned') throw new Error(JSON.stringify(news));
      },
    });
    await keeper.start();
    const before = threadTime();
    for (let from = 1; from < count; from += BATCH) {
      keeper.take(events[from - 1] ?? null, events.slice(from, from + BATCH));
    }
    await keeper.close();
    least = Math.min(least, (threadTime() - before) / count);
    remove(dataDir);
  }
  return least;
};
