import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../domain/ids.ts';
import { comparePositions } from '../domain/position.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import { soMany } from '../domain/so-many.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import { AcceptanceWatch } from './acceptance-watch.ts';
import { CheckpointSigner, type SignerDeps } from './checkpoint-signer.ts';
import type { AcceptedLoss } from './files/accepted-losses.ts';
import type { KeptCheckpoint } from './files/kept-checkpoints.ts';
import { TreeFiles } from './files/tree-files.ts';
import { treeFolder } from './files/tree-folder.ts';
import { TreeWriter } from './files/tree-writer.ts';
import { HeldTree } from './held-tree.ts';
import { logFailed, logUnread } from './keeper-news.ts';
import { leafText } from './log-leaf.ts';
import type { Hash } from './merkle-tree.ts';
import { hasSignedEnds } from './signed-ends.ts';
import type { NoteSignature } from './signed-note.ts';
import { behindEnd, isEnd } from './tree-continued.ts';
import { TreeMender } from './tree-mender.ts';
import type { Offer } from './witness/ask-witness.ts';

export type KeeperDeps = SignerDeps & {
  readonly store: Pick<EventStore, 'readAll' | 'readAt'>;
  /** Awaited between two pieces of the log that is read: where it takes its time, others have theirs. */
  readonly giveWay?: () => Promise<void>;
  /**
   * Why the data directory may be another ledger's by now, null where it is not; asked before anything is written to it. A tree
   * that was kept there is then kept and signed no longer.
   */
  readonly lost?: () => string | null;
};

/** Events that are hashed and written at a time while the log is read. */
const AT_ONCE = 512;

/** How soon what a disk refused is tried again, whether or not an event comes. */
const TRY_AGAIN_MS = 10_000;

/**
 * Keeps the tree of a log level with it, and signs checkpoints. Leaves are in the order of positions. All up to the newest
 * checkpoint is durable before that is signed; what is behind it is read from the log again after a crash. A log never
 * gets two trees of one size: a tree is only ever appended to, and what signs it looks first.
 *
 * A store may be put back from a backup, or exchanged, between any two of its answers, and nobody is told. So nothing is
 * appended but what one and the same answer gave behind the tree's last event.
 */
export class LogKeeper {
  readonly #deps: KeeperDeps;
  readonly #files: TreeFiles;
  readonly #signer: CheckpointSigner;
  readonly #watch: AcceptanceWatch;
  readonly #mender: TreeMender;
  #tree: TreeWriter;
  #position: Position | null = null;
  /** The last position that is known of: events that come while the log is read are read then. */
  #seen: Position | null = null;
  /** Whether something failed to be written: the tree is then opened again, as after a crash. */
  #isBroken = false;
  #isLevel = false;
  /** Whether the log may have become another one since it was looked at last. */
  #isDoubted = false;
  #reading: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Set where a disk failed, which tells nobody that it works again. */
  #again: NodeJS.Timeout | null = null;
  #isClosed = false;

  /** Opens what is kept. Throws where the disk fails, and then leaves nothing open. */
  constructor(deps: KeeperDeps) {
    this.#deps = deps;
    this.#files = new TreeFiles(treeFolder(deps.dataDir), 'append');
    try {
      this.#signer = new CheckpointSigner(deps, this.#files);
      this.#watch = new AcceptanceWatch(deps.dataDir, (note) => this.acceptLoss(note) !== null, deps.tell);
      this.#tree = this.#opened();
      this.#mender = this.#mending();
    } catch (error) {
      this.#files.close();
      throw error;
    }
  }

  /** Brings the tree level with the log, and signs it. */
  start(): Promise<void> {
    this.#tryNoMore();
    if (this.#isLost()) return Promise.resolve();
    return (this.#reading ??= this.#readLog()
      .catch((error: unknown) => this.#broke(error))
      .finally(() => {
        this.#reading = null;
      }));
  }

  /** The log goes to a position at least, and nobody will hand its events over: what is missing up to there is read. */
  reach(position: Position | null): void {
    if (this.#isClosed || (this.#isLevel && comparePositions(position, this.#position) <= 0)) return;
    if (comparePositions(position, this.#seen) > 0) this.#seen = position;
    void this.start();
  }

  /**
   * Takes events that follow each other in the log, as they are read for the projections.
   *
   * @param before the event that the same subscription gave before them; null: it gave none yet
   */
  take(before: RecordedEvent | null, events: readonly RecordedEvent[]): void {
    if (this.#isClosed || this.#isLost()) return;
    const last = events.at(-1)?.position ?? null;
    if (comparePositions(last, this.#position) <= 0) return;
    this.#seen = last;
    try {
      const isReady = this.#isLevel && this.#reading === null;
      const more = isReady ? behindEnd(this.#tree.end(), before, events) : null;
      if (more === null) {
        void this.start();
        return;
      }
      this.#append(more);
      this.#signSoon();
    } catch (error) {
      this.#broke(error);
    }
  }

  /** The log may be another one: whether it still has what the tree has is looked at before more is signed. */
  doubt(): void {
    this.#signNoMore();
    this.#isLevel = false;
    this.#isDoubted = true;
  }

  /** Somebody found that the files of the tree do not lead to what was signed: they are made right from the log. */
  suspectTree(): void {
    if (this.#isLevel) this.#mender.suspect();
  }

  /** Signs what was taken, and lets go of the files. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#signNoMore();
    this.#tryNoMore();
    this.#watch.stop();
    await this.#mender.close();
    await this.#reading;
    if (this.#isLevel) this.#trySign();
    this.#files.close();
  }

  /** All that were signed and are kept, by size. */
  readonly checkpoints = (): readonly KeptCheckpoint[] => this.#signer.checkpoints;

  /**
   * The hashes that show that a smaller tree is the beginning of a larger one, of which a checkpoint is kept. Throws where the
   * files can't be read, or are made of another log: a witness would take a wrong proof for a log that has two trees.
   */
  readonly consistency = (from: number, to: number): readonly Hash[] => {
    const signed = this.checkpoints().findLast(({ size }) => size === to);
    if (signed === undefined) throw new Error(`no checkpoint of ${soMany(to, 'event')} is kept`);
    return new HeldTree(this.#files.readHashes, signed).consistency(from, to).hashes;
  };

  /** Keeps what a witness has cosigned behind the ledger's own signature, and tells it where it is of the newest checkpoint. */
  readonly addCosignature = (offered: Offer, signature: NoteSignature): void => {
    if (!this.#isClosed && !this.#isLost()) this.#signer.addCosignature(offered, signature);
  };

  /**
   * Goes on under another name where the log does not contain a checkpoint that was signed; the checkpoints of the old
   * name stay where they are. Its answer is what was accepted; null where nothing is lost. Throws where the disk fails.
   */
  acceptLoss(note: string): AcceptedLoss | null {
    const accepted = this.#isLevel && !this.#isLost() ? this.#signer.acceptLoss(note, this.#tree.size) : null;
    if (accepted !== null) this.#trySign();
    return accepted;
  }

  #mending(): TreeMender {
    const { store, now, giveWay = () => Promise.resolve(), tell } = this.#deps;
    return new TreeMender({
      store,
      now,
      giveWay,
      files: this.#files,
      level: () => (this.#isLevel && !this.#isBroken && !this.#isLost() ? this.#tree : null),
      onRead: async (mended, isWhole) => {
        if (mended > 0) tell({ _tag: 'LogTreeMended', pieces: mended });
        if (mended === 0 && isWhole) return;
        // What is appended goes on from what the files hold now.
        this.#tree.flush();
        this.#tree = new TreeWriter(this.#files, this.#tree.size);
        // Only now is it known whether the log still leads to what was signed.
        this.#signer.beginAnew();
        this.doubt();
        await this.start();
      },
      onFailure: (error) => this.#broke(error),
    });
  }

  /** The tree as it was when the newest checkpoint was signed, which is durable; an empty one where the files lack that. */
  #opened(): TreeWriter {
    const tree = new TreeWriter(this.#files, this.#signer.durableSize());
    this.#position = tree.end()?.position ?? null;
    return tree;
  }

  /** Nothing that was not durable is relied on behind a failure: the next event, or the next try, begins there again. */
  #broke(error: unknown): void {
    this.#signNoMore();
    this.#isBroken = true;
    this.#isLevel = false;
    this.#deps.tell(logFailed(error));
    if (this.#isClosed) return;
    this.#again ??= setTimeout(() => void this.start(), TRY_AGAIN_MS).unref();
  }

  #tryNoMore(): void {
    if (this.#again !== null) clearTimeout(this.#again);
    this.#again = null;
  }

  #append(events: readonly RecordedEvent[]): void {
    for (const event of events) this.#tree.append(leafText(event), event.position);
    this.#position = events.at(-1)?.position ?? this.#position;
  }

  async #readLog(): Promise<void> {
    this.#signNoMore();
    if (this.#isBroken) this.#tree = this.#opened();
    this.#isBroken = false;
    let isMore = true;
    while (isMore) {
      const [from, told] = [this.#position, this.#seen];
      this.#isDoubted = false;
      const read = await this.#readOn();
      if (E.isLeft(read)) {
        this.#isLevel = false;
        // Whoever closes it may close the store under it: what is not read then is read by the next start.
        if (!this.#isClosed) this.#deps.tell(logUnread(read.left));
        return;
      }
      if (this.#isLost()) return;
      if (read.right === 'another log' && !this.#isClosed) this.#beginAnew();
      // Read models of a longer log tell of positions that this one never gets: what was told before and is not read is not there.
      const isRead = from !== this.#position || told !== this.#seen;
      const isBehind = isRead && comparePositions(this.#seen, this.#position) > 0;
      isMore = !this.#isClosed && (read.right === 'another log' || this.#isDoubted || isBehind);
    }
    this.#isLevel = !this.#isClosed;
    if (this.#isLevel) this.#trySign();
  }

  /**
   * Reads what is behind the tree's last event up to the head of now. That event is read with it: where the log does not
   * have it there, the tree is one of another log, and nothing is appended.
   */
  async #readOn(): Promise<E.Either<StoreUnavailable, 'read' | 'another log'>> {
    this.#tree.flush();
    const has = await hasSignedEnds(this.#deps.store, this.#files, this.#signer.checkpoints, this.#tree.size);
    if (E.isLeft(has) || !has.right) return E.map(() => 'another log' as const)(has);
    const end = this.#tree.end();
    let isContinued = end === null;
    let gathered: RecordedEvent[] = [];
    for await (const event of this.#deps.store.readAll(end?.before ?? null)) {
      if (this.#isClosed) return E.right('read');
      if (E.isLeft(event)) return event;
      if (!isContinued) {
        if (end === null || !isEnd(end, event.right)) return E.right('another log');
        isContinued = true;
        continue;
      }
      if (gathered.push(event.right) < AT_ONCE) continue;
      if (this.#isLost()) return E.right('read');
      this.#append(gathered);
      gathered = [];
      await this.#deps.giveWay?.();
    }
    if (!isContinued) return E.right('another log');
    this.#append(gathered);
    return E.right('read');
  }

  /** The whole tree follows from the log; the newest checkpoint must then be found in it again. */
  #beginAnew(): void {
    this.#tree = new TreeWriter(this.#files, 0);
    this.#position = null;
    this.#isLevel = false;
    this.#signer.beginAnew();
  }

  #signSoon(): void {
    if (this.#timer !== null) return;
    const wait = this.#signer.waitMs();
    if (wait <= 0) {
      this.#sign();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#trySign();
    }, wait).unref();
  }

  /** Nothing is signed of a tree that is read again before it is level: it would look like a log that was cut off. */
  #signNoMore(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #trySign(): void {
    try {
      this.#sign();
    } catch (error) {
      this.#broke(error);
    }
  }

  #isLost(): boolean {
    return (this.#deps.lost?.() ?? null) !== null;
  }

  #sign(): void {
    if (this.#isLost()) return;
    this.#tree.flush();
    if (!this.#signer.holds(this.#tree)) {
      if (!this.#isClosed) this.#watch.start();
      return;
    }
    this.#watch.stop();
    this.#signer.sign(this.#tree.size, this.#position);
  }
}
