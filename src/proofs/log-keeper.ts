import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../domain/ids.ts';
import { epochMsOf, type Instant } from '../domain/instant.ts';
import { comparePositions } from '../domain/position.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import { logVerifiers, signedCheckpoint, type LogIdentity } from './checkpoint.ts';
import { acceptLoss, endRequest, originNow, requestedAcceptance, type AcceptedLoss } from './files/accepted-losses.ts';
import { KeptCheckpoints, type KeptCheckpoint } from './files/kept-checkpoints.ts';
import { keepLogKeys } from './files/log-keys.ts';
import { TreeFiles } from './files/tree-files.ts';
import { TreeWriter } from './files/tree-writer.ts';
import { eventLeafHash, leafText } from './log-leaf.ts';
import { consistencyProof, type Hash } from './merkle-tree.ts';
import { noteText, parseNote, type NoteSignature } from './signed-note.ts';
import { signedNow } from './signed-now.ts';
import { nodesInTiles } from './tile.ts';
import type { WitnessState } from './witness/witness-state.ts';

/** The folder of the tree's files in a data directory. */
export const treeFolder = (dataDir: string): string => join(dataDir, 'log-tree');

/** What a keeper tells. */
export type KeeperNews =
  /** A checkpoint is signed and durable; `position` is that of its last event, null for a log without any. */
  | {
      readonly _tag: 'LogSigned';
      /** The name of the log, which is another one after a loss was accepted. */
      readonly origin: string;
      readonly note: string;
      readonly size: number;
      readonly position: Position | null;
      readonly signedAt: Instant;
    }
  /** The log does not contain a checkpoint that was signed: nothing is signed any more. */
  | { readonly _tag: 'LogLost'; readonly detail: string }
  /** How it stands with a witness now. */
  | { readonly _tag: 'Witnessed'; readonly witness: WitnessState }
  /** It could not be kept up; the next event, or the next start, tries again. */
  | { readonly _tag: 'LogFailed'; readonly detail: string };

/** Whether it is a keeper that tells this, among all else that a thread tells. */
export const isKeeperNews = (news: KeeperNews | { readonly _tag: string }): news is KeeperNews =>
  news._tag === 'LogSigned' || news._tag === 'LogLost' || news._tag === 'LogFailed' || news._tag === 'Witnessed';

export type KeeperDeps = {
  readonly dataDir: string;
  readonly identity: LogIdentity;
  readonly store: Pick<EventStore, 'readAll' | 'readAt'>;
  readonly now: () => Instant;
  readonly random: (count: number) => Buffer;
  readonly tell: (news: KeeperNews) => void;
  /** Awaited between two pieces of the log that is read: where it takes its time, others have theirs. */
  readonly giveWay?: () => Promise<void>;
};

/** Checkpoints are signed this far apart at least: each costs three waits for the disk. */
const BETWEEN_MS = 1_000;

/** How often a keeper whose history is lost looks whether somebody accepts that. */
const LOOK_EVERY_MS = 500;

/** Events that are hashed and written at a time while the log is read. */
const AT_ONCE = 512;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Keeps the tree of a log level with it, and signs checkpoints. Leaves are in the order of positions. All up to the newest
 * checkpoint is durable before that is signed; what is behind it is read from the log again after a crash. A log never
 * gets two trees of one size: a tree is only ever appended to, and before anything is signed the newest checkpoint that
 * was must be a part of it.
 */
export class LogKeeper {
  readonly #deps: KeeperDeps;
  readonly #files: TreeFiles;
  #kept: KeptCheckpoints;
  #identity: LogIdentity;
  #tree: TreeWriter;
  #position: Position | null = null;
  /** The last position that is known of: events that come while the log is read are read then. */
  #seen: Position | null = null;
  /** Whether the newest checkpoint was found in the tree. */
  #isFound = false;
  /** Whether something failed to be written: the tree is then opened again, as after a crash. */
  #isBroken = false;
  /** Whether the keys are kept, and the newest checkpoint was found to be signed with them. */
  #isKeyKept = false;
  #isLevel = false;
  #reading: Promise<void> | null = null;
  #signedMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;
  #lost: string | null = null;
  /** What was told last of a checkpoint. */
  #signed: Extract<KeeperNews, { readonly _tag: 'LogSigned' }> | null = null;
  #looking: NodeJS.Timeout | null = null;

  /** Opens what is kept. Throws where the disk fails. */
  constructor(deps: KeeperDeps) {
    this.#deps = deps;
    // A keeper that is opened anew may have been told a name that has ended since.
    this.#identity = { ...deps.identity, origin: originNow(deps.dataDir, deps.identity.origin) };
    this.#kept = new KeptCheckpoints(deps.dataDir, this.#identity.origin);
    this.#files = new TreeFiles(treeFolder(deps.dataDir), 'append');
    this.#tree = this.#opened();
  }

  /** Brings the tree level with the log, and signs it. */
  start(): Promise<void> {
    return (this.#reading ??= this.#readLog()
      .catch((error: unknown) => this.#broke(error))
      .finally(() => {
        this.#reading = null;
      }));
  }

  /** The log goes to a position at least, and nobody will hand its events over: what is missing up to there is read. */
  reach(position: Position | null): void {
    if (this.#isClosed || comparePositions(position, this.#position) <= 0) return;
    if (comparePositions(position, this.#seen) > 0) this.#seen = position;
    void this.start();
  }

  /** Takes events that follow each other in the log behind a position, as they are read for the projections. */
  take(after: Position | null, events: readonly RecordedEvent[]): void {
    if (this.#isClosed) return;
    const last = events.at(-1)?.position ?? null;
    if (comparePositions(last, this.#position) <= 0) return;
    this.#seen = last;
    if (!this.#isLevel || this.#reading !== null || comparePositions(after, this.#position) > 0) {
      void this.start();
      return;
    }
    const isNew = ({ position }: RecordedEvent): boolean => comparePositions(position, this.#position) > 0;
    try {
      this.#append(after === this.#position ? events : events.filter(isNew));
      this.#signSoon();
    } catch (error) {
      this.#broke(error);
    }
  }

  /** Signs what was taken, and lets go of the files. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#signNoMore();
    if (this.#looking !== null) clearInterval(this.#looking);
    await this.#reading;
    if (this.#isLevel) this.#trySign();
    this.#files.close();
  }

  /** All that were signed and are kept, by size. */
  readonly checkpoints = (): readonly KeptCheckpoint[] => this.#kept.all;

  /** The hashes that show that a smaller tree is the beginning of a larger one. Throws where the files can't be read. */
  readonly consistency = (from: number, to: number): readonly Hash[] =>
    consistencyProof(nodesInTiles(this.#files.readHashes), from, to);

  /** Keeps what a witness has cosigned behind the ledger's own signature, and tells it where it is of the newest checkpoint. */
  readonly addCosignature = (size: number, signature: NoteSignature): void => {
    const kept = this.#kept.all.find((checkpoint) => checkpoint.size === size);
    const note = kept === undefined ? null : parseNote(kept.note);
    if (kept === undefined || note === null || this.#isClosed) return;
    const others = note.signatures.filter(
      ({ name, keyId }) => name !== signature.name || !keyId.equals(signature.keyId),
    );
    try {
      const cosigned = noteText({ ...note, signatures: [...others, signature] });
      this.#kept.add({ ...kept, note: cosigned });
      if (this.#lost === null && this.#kept.newest?.size === size && this.#signed !== null) {
        this.#deps.tell({ ...this.#signed, note: cosigned });
      }
    } catch (error) {
      this.#deps.tell({ _tag: 'LogFailed', detail: textOf(error) });
    }
  };

  /**
   * Goes on under another name where the log does not contain a checkpoint that was signed; the checkpoints of the old
   * name stay where they are. Its answer is what was accepted; null where nothing is lost. Throws where the disk fails.
   */
  acceptLoss(note: string): AcceptedLoss | null {
    if (this.#lost === null || !this.#isLevel) return null;
    const { dataDir, now, random } = this.#deps;
    const size = this.#kept.newest?.size ?? 0;
    const accepted = acceptLoss(dataDir, { at: now(), note, from: this.#identity.origin, size }, random);
    this.#identity = { ...this.#identity, origin: accepted.to };
    this.#kept = new KeptCheckpoints(dataDir, accepted.to);
    this.#isFound = true;
    this.#isKeyKept = false;
    this.#trySign();
    return accepted;
  }

  /** While history is lost it is looked whether somebody asks to go on; commands ask by a file, since a ledger alone writes. */
  #lookForAcceptance(): void {
    this.#looking ??= setInterval(() => {
      try {
        const note = requestedAcceptance(this.#deps.dataDir);
        if (note === null || this.acceptLoss(note) === null) return;
        endRequest(this.#deps.dataDir);
      } catch (error) {
        this.#deps.tell({ _tag: 'LogFailed', detail: textOf(error) });
      }
    }, LOOK_EVERY_MS).unref();
  }

  /** The tree as it was when the newest checkpoint was signed, which is durable; an empty one where the files lack that. */
  #opened(): TreeWriter {
    const newest = this.#kept.newest;
    const size = newest?.size ?? 0;
    this.#isFound = newest === null || (this.#files.holds(size) && this.#files.rootOf(size).equals(newest.root));
    const tree = new TreeWriter(this.#files, this.#isFound ? size : 0);
    this.#position = tree.size > 0 ? this.#files.positionOf(tree.size - 1) : null;
    return tree;
  }

  /** Nothing that was not durable is relied on behind a failure: the next event, or the next start, begins there again. */
  #broke(error: unknown): void {
    this.#signNoMore();
    this.#isBroken = true;
    this.#isLevel = false;
    this.#deps.tell({ _tag: 'LogFailed', detail: textOf(error) });
  }

  #append(events: readonly RecordedEvent[]): void {
    for (const event of events) this.#tree.append(leafText(event), event.position);
    this.#position = events.at(-1)?.position ?? this.#position;
  }

  async #readLog(): Promise<void> {
    this.#signNoMore();
    if (this.#isBroken) this.#tree = this.#opened();
    this.#isBroken = false;
    const isSame = await this.#isSameLog();
    if (E.isLeft(isSame)) {
      this.#deps.tell({ _tag: 'LogFailed', detail: isSame.left.detail });
      return;
    }
    if (!isSame.right) this.#beginAnew();
    let isMore = true;
    while (isMore) {
      const [from, told] = [this.#position, this.#seen];
      const failed = await this.#readOn();
      if (failed !== null) {
        this.#isLevel = false;
        this.#deps.tell({ _tag: 'LogFailed', detail: failed });
        return;
      }
      // Read models of a longer log tell of positions that this one never gets: what was told before and is not read is not there.
      const isRead = from !== this.#position || told !== this.#seen;
      isMore = isRead && !this.#isClosed && comparePositions(this.#seen, this.#position) > 0;
    }
    this.#isLevel = !this.#isClosed;
    if (this.#isLevel) this.#trySign();
  }

  /** Reads what is behind the tree's last event up to the head of now; what kept it from that is the answer. */
  async #readOn(): Promise<string | null> {
    let gathered: RecordedEvent[] = [];
    for await (const event of this.#deps.store.readAll(this.#position)) {
      if (this.#isClosed) return null;
      if (E.isLeft(event)) return event.left.detail;
      if (gathered.push(event.right) < AT_ONCE) continue;
      this.#append(gathered);
      gathered = [];
      await this.#deps.giveWay?.();
    }
    this.#append(gathered);
    return null;
  }

  /** Whether the log still has, at its place, the last event that the tree has: else the tree is one of another log. */
  async #isSameLog(): Promise<E.Either<StoreUnavailable, boolean>> {
    if (this.#position === null || this.#isLevel) return E.right(true);
    const events = await this.#deps.store.readAt([this.#position])();
    this.#tree.flush();
    const hash = this.#files.readHashes(0, this.#tree.size - 1, 1);
    return E.map(([event]: readonly RecordedEvent[]) => event !== undefined && eventLeafHash(event).equals(hash))(
      events,
    );
  }

  /** The whole tree follows from the log; the newest checkpoint must then be found in it again. */
  #beginAnew(): void {
    this.#tree = new TreeWriter(this.#files, 0);
    this.#position = null;
    this.#isFound = this.#kept.newest === null;
  }

  #signSoon(): void {
    if (this.#timer !== null) return;
    const wait = this.#signedMs + BETWEEN_MS - epochMsOf(this.#deps.now());
    if (wait <= 0) {
      this.#sign();
      return;
    }
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.#trySign();
      },
      Math.min(wait, BETWEEN_MS),
    ).unref();
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

  /** Why the log does not contain the newest checkpoint; null where it does. */
  #loss(): string | null {
    const newest = this.#kept.newest;
    if (newest === null || this.#isFound) return null;
    if (this.#tree.size < newest.size) {
      return `a checkpoint of ${newest.size} events was signed, and the log has ${this.#tree.size}`;
    }
    if (!this.#files.rootOf(newest.size).equals(newest.root)) {
      return `the first ${newest.size} events of the log are not those of the checkpoint that was signed`;
    }
    this.#isFound = true;
    return null;
  }

  #sign(): void {
    this.#tree.flush();
    const loss = this.#loss();
    if (loss !== null) {
      if (loss !== this.#lost) this.#deps.tell({ _tag: 'LogLost', detail: loss });
      this.#lost = loss;
      this.#lookForAcceptance();
      return;
    }
    this.#lost = null;
    if (this.#looking !== null) clearInterval(this.#looking);
    this.#looking = null;
    const { size } = this.#tree;
    if (!this.#isKeyKept) keepLogKeys(this.#deps.dataDir, logVerifiers(this.#identity).toReversed());
    const kept = this.#kept.newest;
    const newest = kept === null || this.#isKeyKept ? kept : signedNow(kept, this.#identity);
    if (newest !== null && newest !== kept) this.#kept.add(newest);
    this.#isKeyKept = true;
    if (newest?.size === size) {
      this.#tell(newest.note, size, newest.signedAt);
      return;
    }
    this.#files.sync();
    const root = this.#files.rootOf(size);
    const note = signedCheckpoint(this.#identity, size, root);
    const signedAt = this.#deps.now();
    this.#kept.add({ origin: this.#identity.origin, size, root, note, signedAt });
    this.#signedMs = epochMsOf(signedAt);
    this.#tell(note, size, signedAt);
  }

  #tell(note: string, size: number, signedAt: Instant): void {
    const { origin } = this.#identity;
    this.#signed = { _tag: 'LogSigned', origin, note, size, position: this.#position, signedAt };
    this.#deps.tell(this.#signed);
  }
}
