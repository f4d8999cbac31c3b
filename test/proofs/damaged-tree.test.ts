import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { TreeFiles } from '../../src/proofs/files/tree-files.ts';
import { treeFolder } from '../../src/proofs/files/tree-folder.ts';
import type { LogKeeper } from '../../src/proofs/log-keeper.ts';
import { eventLeafHash } from '../../src/proofs/log-leaf.ts';
import { serveLog, type ServedLog } from '../../src/proofs/serve-log.ts';
import { right } from '../support/right.ts';
import { until } from '../support/until.ts';
import { eventAt, eventsOf, IDENTITY, KeeperScene } from './keeper-scene.ts';

const SIZE = 700;

describe('files of the tree that are damaged though the log is whole', () => {
  let scene: KeeperScene;
  let keeper: LogKeeper;
  let served: ServedLog;
  let told: number;
  beforeEach(async () => {
    scene = new KeeperScene();
    scene.log = [...eventsOf(SIZE)];
    await scene.keptUp();
    told = 0;
  });
  afterEach(async () => {
    await keeper.close();
    served.close();
    scene.remove();
  });

  const spoil = (name: string, change: (bytes: Buffer) => void): void => {
    const file = join(treeFolder(scene.path), name);
    const bytes = readFileSync(file);
    change(bytes);
    writeFileSync(file, bytes);
  };
  /** In tiles that are full: a start looks at none of them but by what is above. */
  const flipBits = (): void =>
    spoil('hashes-0', (bytes) => {
      for (const leaf of [7, 263]) bytes.writeUInt8(bytes.readUInt8(leaf * 32) ^ 1, leaf * 32);
    });
  const swapPositions = (): void =>
    spoil('positions', (bytes) => {
      const first = Buffer.from(bytes.subarray(300 * 8, 301 * 8));
      bytes.copy(bytes, 300 * 8, 301 * 8, 302 * 8);
      first.copy(bytes, 301 * 8);
    });

  const serve = async (): Promise<void> => {
    keeper = scene.open();
    served = serveLog(scene.path, IDENTITY, [], () => {
      told += 1;
      keeper.suspectTree();
    });
    await keeper.start();
    hear();
  };
  const hear = (): void => {
    for (const news of scene.news.splice(0)) served.onNews(news);
  };
  const readingAgain = async (readings: number): Promise<void> =>
    until(5_000, 'the log to be read for the tree', async () => {
      await Promise.resolve();
      return scene.readings >= readings ? undefined : null;
    });
  const newsOf = async (tag: string): Promise<void> =>
    until(5_000, tag, async () => {
      await Promise.resolve();
      return scene.news.some(({ _tag }) => _tag === tag) ? undefined : null;
    });

  it('are written over where bits were flipped in full tiles, once a tile is asked for, and are proven from again', async () => {
    flipBits();
    await serve();
    const tile = { index: 0, width: 256 };
    const failed = await served.tile(0, tile)();
    expect(E.isLeft(failed) && failed.left._tag).to.equal('ProofsBehind');
    expect(right(await served.tile(0, { index: 2, width: SIZE - 512 })()).length).to.equal((SIZE - 512) * 32);
    await newsOf('LogTreeMended');
    expect(scene.news).to.deep.include({ _tag: 'LogTreeMended', pieces: 2 });
    hear();
    expect(right(await served.tile(0, tile)()).equals(Buffer.concat(eventsOf(256).map(eventLeafHash)))).to.equal(true);
    right(await served.inclusion(eventLeafHash(eventAt(263)), 263, SIZE)());
    // What comes is appended to it and signed as ever.
    const more = eventsOf(SIZE + 300).slice(SIZE);
    scene.log.push(...more);
    keeper.take(eventAt(SIZE - 1), more);
    scene.expectSigned(scene.news.at(-1), scene.log);
  });

  it('are written over where positions were exchanged, and nothing is called lost meanwhile', async () => {
    swapPositions();
    await serve();
    const event = eventAt(300);
    const index = await served.indexOf(event.position, SIZE)();
    const failed = E.isLeft(index) ? index : await served.inclusion(eventLeafHash(event), index.right ?? 0, SIZE)();
    expect(E.isLeft(failed) && failed.left._tag).to.equal('ProofsBehind');
    await newsOf('LogTreeMended');
    hear();
    expect(right(await served.indexOf(event.position, SIZE)())).to.equal(300);
    right(await served.inclusion(eventLeafHash(event), 300, SIZE)());
  });

  it('are written over where one was cut off under the ledger', async () => {
    await serve();
    truncateSync(join(treeFolder(scene.path), 'positions'), 8 * 100);
    expect(E.isLeft(await served.positions(200, 1)())).to.equal(true);
    await newsOf('LogTreeMended');
    hear();
    expect(right(await served.positions(200, 1)())).to.deep.equal([eventAt(200).position]);
  });

  it('have the log read once, however often somebody asks meanwhile', async () => {
    scene.stepMs = 0;
    await serve();
    const before = scene.readings;
    for (let times = 0; times < 3; times += 1) {
      flipBits();
      for (let i = 0; i < 20; i += 1) await served.tile(0, { index: 0, width: 256 })();
      if (times === 0) {
        await newsOf('LogTreeMended');
        await readingAgain(before + 2);
      }
    }
    expect(told).to.be.above(20);
    // Once for the tree, and once from its end on.
    expect(scene.readings).to.equal(before + 2);
  });

  it('are no excuse: where an event is another than was signed, history is lost, for all that ask', async () => {
    const changed = { ...eventAt(300, 'changed'), position: eventAt(300).position };
    scene.log[300] = changed;
    await serve();
    const failed = await served.inclusion(eventLeafHash(changed), 300, SIZE)();
    expect(E.isLeft(failed) && failed.left._tag).to.equal('ProofsBehind');
    await newsOf('LogLost');
    hear();
    const newest = await served.newest()();
    expect(E.isLeft(newest) && newest.left._tag).to.equal('HistoryLost');
  });

  it('are durable before a size that is signed already is told again', async () => {
    const order: string[] = [];
    const { sync } = Object.getOwnPropertyDescriptors(TreeFiles.prototype);
    scene.news = [];
    truncateSync(join(treeFolder(scene.path), 'hashes-0'), 0);
    TreeFiles.prototype.sync = function (this: TreeFiles): void {
      order.push(`synced, ${scene.news.length} told`);
      sync.value?.call(this);
    };
    try {
      await serve();
    } finally {
      Object.defineProperty(TreeFiles.prototype, 'sync', sync);
    }
    expect(order.at(0)).to.equal('synced, 0 told');
  });
});
