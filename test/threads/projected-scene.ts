import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { expect } from 'chai';
import { instantOf } from '../../src/domain/instant.ts';
import { orderEvent, type EventForStream } from '../../src/domain/new-event.ts';
import { readCheckpoints } from '../../src/proofs/files/kept-checkpoints.ts';
import type { KeeperNews } from '../../src/proofs/keeper-news.ts';
import { noteLogBegun } from '../../src/proofs/files/begun-here.ts';
import { LogKeeper } from '../../src/proofs/log-keeper.ts';
import { Generations } from '../../src/read-models/sqlite/generations.ts';
import type { RebuildDeps } from '../../src/read-models/sqlite/rebuild/rebuild.ts';
import { projectLog } from '../../src/threads/project-log.ts';
import type { ProjectorNews } from '../../src/threads/projector-message.ts';
import { IDENTITY, rootOf } from '../proofs/keeper-scene.ts';
import { bodyOf, onRamp, orderContent, verifiedDelivery } from '../support/payloads.ts';
import { PutBackStore } from '../support/put-back-store.ts';
import { right } from '../support/right.ts';
import { rebuildDeps } from '../support/sqlite-read-models.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const WITHIN_MS = 30_000;

/** Ends what follows a log. */
type Running = { readonly ended: Promise<void>; readonly stop: () => Promise<void> };

/** A ledger's read models and tree over a store that is put back, without the threads around them. */
export class ProjectedScene {
  readonly folder = temporaryFolder();
  readonly store = new PutBackStore();
  readonly news: ProjectorNews[] = [];
  /** What builds wait for before their first event, and whether one does. */
  #gate: PromiseWithResolvers<void> | null = null;
  #isAtGate = false;
  #running: Running | null = null;
  /** Whether read models can't be built, as on a disk without room. */
  isWithoutRoom = false;
  /** Why the folder may be another ledger's by now. */
  lost: string | null = null;
  #events = 0;
  #nowMs = Date.UTC(2026, 0, 1);

  get #readModels(): string {
    return join(this.folder.path, 'read-models.db');
  }

  /** Orders that there were never before, so many. */
  newEvents(count: number): readonly EventForStream[] {
    return Array.from({ length: count }, () => {
      const payload = onRamp({ orderId: `order-${(this.#events += 1)}` });
      return orderEvent(verifiedDelivery(bodyOf(payload)), orderContent(payload));
    });
  }

  /** Builds are held up from now on. */
  hold(): void {
    this.#gate ??= Promise.withResolvers();
  }

  /** They go on. */
  release(): void {
    this.#gate?.resolve();
    this.#gate = null;
  }

  /** Whether a build is held up. */
  get isHeld(): boolean {
    return this.#gate !== null && this.#isAtGate;
  }

  start(): void {
    const generations = right(Generations.open(this.#readModels, () => this.lost));
    const closing = new AbortController();
    const { path: dataDir } = this.folder;
    const { store } = this.store;
    // The log begins here, also where one that was put back is found by the first start of a keeper.
    noteLogBegun(dataDir, IDENTITY);
    const post = (news: ProjectorNews): void => void this.news.push(news);
    const keeper = new LogKeeper({
      dataDir,
      store,
      identity: IDENTITY,
      now: () => instantOf((this.#nowMs += 2_000)),
      random: (count) => Buffer.alloc(count, 5),
      tell: post,
    });
    const location = { kind: 'sqlite', dataDir, file: join(dataDir, 'events.db') } as const;
    const options = { location, readModelFile: this.#readModels, timeZone: 'UTC' };
    const tasksUpTo: RebuildDeps['tasksUpTo'] = async (...args) => {
      if (this.isWithoutRoom) throw new Error('no room for read models');
      this.#isAtGate = true;
      await this.#gate?.promise;
      this.#isAtGate = false;
      return rebuildDeps(store, generations, 'UTC').tasksUpTo(...args);
    };
    void keeper.start();
    const projecting = projectLog(
      { options, store, generations, subscribe: store.subscribe, keeper, tasksUpTo, post, tryAgainMs: 1 },
      closing.signal,
    );
    this.#running = {
      ended: projecting,
      stop: async () => {
        closing.abort();
        await projecting;
        await keeper.close();
        generations.close();
      },
    };
  }

  /** Resolves once nothing follows the log any more. */
  async ended(): Promise<void> {
    await this.#running?.ended;
  }

  async stop(): Promise<void> {
    this.release();
    await this.#running?.stop();
    this.#running = null;
  }

  /** The read models are then built anew. */
  removeReadModels(): void {
    for (const end of ['', '-wal', '-shm']) rmSync(`${this.#readModels}${end}`, { force: true });
  }

  /** Waits until something is so; what never is fails the test. */
  async until(what: string, isSo: () => boolean): Promise<void> {
    const giveUpAt = performance.now() + WITHIN_MS;
    while (!isSo()) {
      if (performance.now() > giveUpAt) expect.fail(`waited for ${what}: ${JSON.stringify(this.news.slice(-5))}`);
      await after(1);
    }
  }

  /** What the keeper told last of the log. */
  get kept(): KeeperNews | undefined {
    return this.news.findLast((news) => news._tag === 'LogSigned' || news._tag === 'LogLost');
  }

  /** Whether so many events are signed. */
  hasSigned(count: number): boolean {
    return this.kept?._tag === 'LogSigned' && this.kept.size === count;
  }

  /** All that were signed, one log has, as it was once. */
  expectOneLog(): void {
    const signed = readCheckpoints(this.folder.path, IDENTITY.origin);
    const has = this.store.logs.some((log) =>
      signed.every(({ size, root }) => size <= log.length && root.toString('base64') === rootOf(log.slice(0, size))),
    );
    expect(has, `checkpoints of ${signed.map(({ size }) => size).join()}`).to.equal(true);
  }

  async remove(): Promise<void> {
    await this.stop();
    this.folder.remove();
  }
}
