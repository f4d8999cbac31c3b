import { createPrivateKey } from 'node:crypto';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../src/domain/ids.ts';
import { instantOf, type Instant } from '../../src/domain/instant.ts';
import { orderEvent } from '../../src/domain/new-event.ts';
import { positionAt } from '../../src/domain/position.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import { parseCheckpoint, type LogIdentity } from '../../src/proofs/checkpoint.ts';
import { noteLogBegun } from '../../src/proofs/files/begun-here.ts';
import { readCheckpoints } from '../../src/proofs/files/kept-checkpoints.ts';
import type { StoreUnavailable } from '../../src/event-store/event-store.ts';
import type { KeeperNews } from '../../src/proofs/keeper-news.ts';
import { LogKeeper } from '../../src/proofs/log-keeper.ts';
import { leafText } from '../../src/proofs/log-leaf.ts';
import { parseNote } from '../../src/proofs/signed-note.ts';
import { bodyOf, onRamp, orderContent, verifiedDelivery } from '../support/payloads.ts';
import { recordedEvent } from '../support/recorded-event.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { naiveRoot } from './naive-tree.ts';

/** The key that logs of tests are signed with. */
export const signingKey = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
});

/** Of a log that never had another key. */
export const IDENTITY = { origin: 'log.example/1', signingKey, retiredKey: null };

/** The event number `i` of the log of this name. */
export const eventAt = (i: number, name = 'order'): RecordedEvent => {
  const payload = onRamp({ orderId: `${name}-${i}` });
  const event = orderEvent(verifiedDelivery(bodyOf(payload)), orderContent(payload));
  return recordedEvent(event, { position: positionAt(10 + 3 * i) });
};

/** The first events of the log of this name. */
export const eventsOf = (count: number, name = 'order'): readonly RecordedEvent[] =>
  Array.from({ length: count }, (_, i) => eventAt(i, name));

/** The root over the leaves of events, in base64. */
export const rootOf = (events: readonly RecordedEvent[]): string =>
  naiveRoot(events.map((event) => Buffer.from(leafText(event)))).toString('base64');

/** A log that a test changes, a folder for what is kept of it, and what keepers of it tell. */
export class KeeperScene {
  readonly #folder = temporaryFolder();
  log: RecordedEvent[] = [];
  news: KeeperNews[] = [];
  /** The clock moves on by this at each look at it. */
  stepMs = 2_000;
  /** What each answer of the store is from then on. */
  away: StoreUnavailable | null = null;
  /** Why the folder may be another ledger's by now. */
  lost: string | null = null;
  /** How often the log was read. */
  readings = 0;
  #nowMs = Date.UTC(2026, 0, 1);
  #drawn = 0;

  /** @param begins whether the log of `IDENTITY` begins in the folder, or may have been signed elsewhere before */
  constructor(begins = true) {
    if (begins) noteLogBegun(this.path, IDENTITY);
  }

  get path(): string {
    return this.#folder.path;
  }

  /** The time of the clock, without looking at it. */
  get now(): Instant {
    return instantOf(this.#nowMs);
  }

  readonly remove = (): void => this.#folder.remove();

  readonly open = (identity: LogIdentity = IDENTITY, giveWay = (): Promise<void> => Promise.resolve()): LogKeeper =>
    new LogKeeper({
      giveWay,
      lost: () => this.lost,
      dataDir: this.path,
      identity,
      store: {
        readAll: (after) => this.#readAll(after),
        readAt: (positions) => async () => {
          await Promise.resolve();
          if (this.away !== null) return E.left(this.away);
          return E.right(this.log.filter(({ position }) => positions.includes(position)));
        },
      },
      now: () => instantOf((this.#nowMs += this.stepMs)),
      random: (count) => Buffer.alloc(count, (this.#drawn += 1)),
      tell: (one) => this.news.push(one),
    });

  async *#readAll(after: Position | null): AsyncGenerator<E.Either<StoreUnavailable, RecordedEvent>> {
    if ((this.readings += 1) > 100) throw new Error('the log is read again and again');
    // As far as it is now: what comes meanwhile is not given.
    for (const event of this.log.filter(({ position }) => after === null || Number(position) > Number(after))) {
      await Promise.resolve();
      yield this.away === null ? E.right(event) : E.left(this.away);
    }
  }

  readonly kept = (): ReturnType<typeof readCheckpoints> => readCheckpoints(this.path, IDENTITY.origin);

  /** What a keeper that is started and closed comes to. */
  readonly keptUp = async (identity: LogIdentity = IDENTITY): Promise<KeeperNews | undefined> => {
    const keeper = this.open(identity);
    await keeper.start();
    await keeper.close();
    return this.news.at(-1);
  };

  readonly expectSigned = (told: KeeperNews | undefined, events: readonly RecordedEvent[]): void => {
    if (told?._tag !== 'LogSigned') expect.fail(JSON.stringify(told));
    const checkpoint = parseCheckpoint(parseNote(told.note)?.text ?? '');
    expect([checkpoint?.size, checkpoint?.root.toString('base64')]).to.deep.equal([events.length, rootOf(events)]);
    expect(told.position).to.equal(events.at(-1)?.position ?? null);
    expect(this.kept().at(-1)?.note).to.equal(told.note);
  };
}
