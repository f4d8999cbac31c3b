import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { instantOf } from '../../src/domain/instant.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import { isConsistent, isIncluded } from '../../src/proofs/check-proof.ts';
import { checkpointIn, type Checkpoint } from '../../src/proofs/checkpoint.ts';
import { TreeFiles } from '../../src/proofs/files/tree-files.ts';
import { treeFolder } from '../../src/proofs/files/tree-folder.ts';
import type { KeeperNews } from '../../src/proofs/keeper-news.ts';
import { noteLogBegun } from '../../src/proofs/files/begun-here.ts';
import { LogKeeper } from '../../src/proofs/log-keeper.ts';
import { eventLeafHash } from '../../src/proofs/log-leaf.ts';
import { HASH_BYTES } from '../../src/proofs/merkle-tree.ts';
import { serveLog, type ServedLog } from '../../src/proofs/serve-log.ts';
import { TreeFrontier } from '../../src/proofs/tree-frontier.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { eventsOf, IDENTITY } from './keeper-scene.ts';

/** Longer than what a keeper writes at a time, so that there are moments with a part of another log in the files. */
const MOST = 1_300;
const LOGS = ['a', 'b', 'c'].map((name) => eventsOf(MOST, name));
/** The first log has so many, and those behind it are longer or shorter. */
const FIRST = 400;
/** Between so many events something else happens. */
const PIECE = 96;

/** The store is put back to its first events, and goes on as another log: so many moments later. */
type Exchange = { readonly keep: number; readonly log: number; readonly length: number; later: number };
type Act = Exchange | 'accept' | 'restart';

const size = fc.integer({ min: 0, max: MOST });
const acts = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ keep: size, log: fc.nat(LOGS.length - 1), length: size, later: fc.nat(20) }) },
    { weight: 3, arbitrary: fc.constantFrom<Act>('accept', 'accept', 'restart') },
  ),
  { minLength: 3, maxLength: 8 },
);

/** A store that becomes another one at any moment, a keeper of its log, and who serves that and is told all a while later. */
class RebuiltScene {
  readonly #folder = temporaryFolder();
  readonly #lag: number;
  readonly #untold: KeeperNews[] = [];
  /** By name of the log: its leaves, and the root of each of its sizes. */
  readonly #logs = new Map<string, { readonly leaves: Buffer; readonly roots: readonly string[] }>();
  #log: readonly RecordedEvent[] = (LOGS[0] ?? []).slice(0, FIRST);
  #exchange: Exchange | null = null;
  #moments = 0;
  #nowMs = 0;
  #served: ServedLog;
  keeper: LogKeeper;
  /** How many notes of sizes that were not the newest were signed. */
  signedBefore = 0;

  constructor(lag: number) {
    this.#lag = lag;
    noteLogBegun(this.#folder.path, IDENTITY);
    this.keeper = this.#open();
    this.#served = serveLog(this.#folder.path, IDENTITY, [], () => this.keeper.suspectTree());
  }

  #open(): LogKeeper {
    return new LogKeeper({
      dataDir: this.#folder.path,
      identity: IDENTITY,
      store: {
        readAll: (after) => this.#readAll(after === null ? 0 : this.#log.findIndex((e) => e.position === after) + 1),
        readAt: (positions) => () =>
          Promise.resolve(E.right(this.#log.filter(({ position }) => positions.includes(position)))),
      },
      now: () => instantOf((this.#nowMs += 2_000)),
      random: randomBytes,
      tell: (news) => {
        if (news._tag === 'LogSigned') this.#signed(news.note);
        this.#untold.push(news);
      },
      giveWay: () => this.moment(),
    });
  }

  async *#readAll(from: number): AsyncGenerator<E.Either<never, RecordedEvent>> {
    for (let i = from; i < this.#log.length; i += 1) {
      if (i % PIECE === 0) await this.moment();
      const event = this.#log[i];
      if (event !== undefined) yield E.right(event);
    }
  }

  /** The keeper has signed a tree, which its files hold: one that goes on from all that was signed under that name. */
  #signed(note: string): void {
    const { origin, size: count } = this.#read(note);
    const files = new TreeFiles(treeFolder(this.#folder.path), 'read');
    const leaves = files.readHashes(0, 0, count);
    files.close();
    const before = this.#logs.get(origin)?.leaves ?? Buffer.alloc(0);
    const both = Math.min(before.length, leaves.length);
    expect(leaves.subarray(0, both).equals(before.subarray(0, both)), 'two trees were signed').to.equal(true);
    if (leaves.length < before.length) return;
    const tree = new TreeFrontier();
    const roots = [tree.root().toString('base64')];
    for (let at = 0; at < leaves.length; at += HASH_BYTES) {
      tree.append(leaves.subarray(at, at + HASH_BYTES));
      roots.push(tree.root().toString('base64'));
    }
    this.#logs.set(origin, { leaves, roots });
    this.#expectOf(this.#read(note));
  }

  #read(note: string): Checkpoint {
    return checkpointIn(note) ?? expect.fail(note);
  }

  /** A root is that of the log of its name. */
  #expectOf({ origin, size: count, root }: Checkpoint): void {
    const { roots } = this.#logs.get(origin) ?? expect.fail(`nothing was signed under ${origin}`);
    expect(root.toString('base64'), `two roots of size ${count} under ${origin}`).to.equal(roots[count]);
  }

  /** Between any two steps of the keeper: the store may become another one, what was told comes, and all is asked. */
  async moment(): Promise<void> {
    this.#moments += 1;
    if (this.#exchange !== null && (this.#exchange.later -= 1) < 0) this.#exchanged(this.#exchange);
    if (this.#moments % this.#lag === 0) for (const news of this.#untold.splice(0)) this.#served.onNews(news);
    const newest = await this.#served.newest()();
    if (E.isRight(newest)) await this.#ask(this.#read(newest.right.note));
  }

  async #ask({ origin, size: most }: Checkpoint): Promise<void> {
    const served = this.#served;
    const { leaves } = this.#logs.get(origin) ?? expect.fail(origin);
    const some = Math.floor((most * ((this.#moments * 7) % 11)) / 11);
    const note = await served.noteOf(some)();
    if (E.isRight(note)) {
      this.#expectOf(this.#read(note.right));
      if (some < most) this.signedBefore += 1;
    }
    /** Whether the log still had its name when it answered: another step of the keeper may have come between two questions. */
    const isStill = async (): Promise<boolean> => {
      const now = await served.newest()();
      return E.isRight(now) && this.#read(now.right.note).origin === origin;
    };
    const continued = await served.consistency(some, most)();
    if (E.isRight(continued) && (await isStill())) {
      const { fromRoot, toRoot, hashes } = continued.right;
      this.#expectOf({ origin, size: some, root: fromRoot });
      this.#expectOf({ origin, size: most, root: toRoot });
      expect(isConsistent({ size: some, root: fromRoot }, { size: most, root: toRoot }, hashes)).to.equal(true);
    }
    const event = this.#log[some];
    if (event !== undefined && some < most) {
      const included = await served.inclusion(eventLeafHash(event), some, most)();
      if (E.isRight(included) && (await isStill())) {
        const { root, hashes } = included.right;
        this.#expectOf({ origin, size: most, root });
        expect(isIncluded(eventLeafHash(event), some, { size: most, root }, hashes)).to.equal(true);
      }
    }
    const width = Math.min(256, most - (some - (some % 256)));
    const tile = await served.tile(0, { index: Math.floor(some / 256), width })();
    const at = (some - (some % 256)) * HASH_BYTES;
    if (E.isRight(tile) && (await isStill())) {
      expect(tile.right.equals(leaves.subarray(at, at + width * HASH_BYTES)), 'another tile').to.equal(true);
    }
  }

  #exchanged({ keep, log, length }: Exchange): void {
    this.#exchange = null;
    this.#log = [...this.#log.slice(0, keep), ...(LOGS[log] ?? []).slice(Math.min(keep, this.#log.length), length)];
    this.keeper.doubt();
    this.keeper.reach(this.#log.at(-1)?.position ?? null);
  }

  async do(act: Act): Promise<void> {
    if (act === 'accept') this.keeper.acceptLoss('put back');
    else if (act === 'restart') {
      await this.keeper.close();
      this.keeper = this.#open();
    } else {
      this.#exchange = { ...act };
      this.keeper.doubt();
    }
    await this.keeper.start();
    if (this.#exchange !== null) this.#exchanged(this.#exchange);
    await this.keeper.start();
    await this.moment();
  }

  async end(): Promise<void> {
    await this.keeper.close();
    this.#served.close();
    this.#folder.remove();
  }
}

describe('a log that is served while its tree is made anew of another one', () => {
  it('never has two roots of one size under one name, nor two that contradict each other, whatever is asked when', async () => {
    let signedBefore = 0;
    await fc.assert(
      fc.asyncProperty(acts, fc.integer({ min: 1, max: 30 }), async (all, lag) => {
        const scene = new RebuiltScene(lag);
        try {
          await scene.keeper.start();
          for (const act of all) await scene.do(act);
          signedBefore += scene.signedBefore;
        } finally {
          await scene.end();
        }
      }),
      { numRuns: 20 },
    );
    expect(signedBefore, 'notes of former sizes').to.be.above(0);
  });
});
