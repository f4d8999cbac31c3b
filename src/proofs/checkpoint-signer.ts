import type { Position } from '../domain/ids.ts';
import { epochMsOf, type Instant } from '../domain/instant.ts';
import { logVerifiers, signedCheckpoint, type LogIdentity } from './checkpoint.ts';
import { acceptLoss } from './files/accept-loss.ts';
import { endBegun } from './files/begun-here.ts';
import { originNow, type AcceptedLoss } from './files/accepted-losses.ts';
import { goneCheckpoints, goneKeys, otherGoneNames, unkeptKeysOfNow } from './files/gone-files.ts';
import { newestOfOtherNames } from './files/held-names.ts';
import { KeptCheckpoints, type KeptCheckpoint } from './files/kept-checkpoints.ts';
import { keepLogKeys } from './files/log-keys.ts';
import { endRestored } from './files/restored-log.ts';
import type { TreeFiles } from './files/tree-files.ts';
import type { TreeWriter } from './files/tree-writer.ts';
import { unknownPast } from './files/unknown-past.ts';
import { logFailed, type KeeperNews } from './keeper-news.ts';
import { noteText, parseNote, type NoteSignature } from './signed-note.ts';
import { signedNow } from './signed-now.ts';
import type { Offer } from './witness/ask-witness.ts';
import { soMany } from '../domain/so-many.ts';
import { anotherBeginning } from './another-beginning.ts';

export type SignerDeps = {
  readonly dataDir: string;
  readonly identity: LogIdentity;
  readonly now: () => Instant;
  readonly random: (count: number) => Buffer;
  readonly tell: (news: KeeperNews) => void;
};

/** Checkpoints are signed this far apart at least: each costs three waits for the disk. So is a loss looked at again. */
const BETWEEN_MS = 1_000;

/** Why a log does not contain what was signed. */
type Loss = {
  /** By what it is one: while events come the words for the same loss change, and it is told once. */
  readonly of: string;
  readonly detail: string;
};

/**
 * Signs checkpoints of the tree of a log, and keeps them. A log never gets two trees of one size: before anything is signed,
 * the newest checkpoint that was must be a part of the tree.
 */
export class CheckpointSigner {
  readonly #deps: SignerDeps;
  readonly #files: TreeFiles;
  #kept: KeptCheckpoints;
  #identity: LogIdentity;
  /** Why all that was signed is no longer kept; null where it is. */
  #gone: string | null;
  /** Why more may have been signed than is kept, which a log without events can't contradict; null where all is known. */
  #unknown: string | null;
  /** Whether the newest checkpoint, and those of other names, were found in the tree. */
  #isFound = false;
  /** The newest that was signed under each other name which has not ended: the tree must contain them too. */
  #others: readonly KeptCheckpoint[];
  /** Whether the keys are kept, and the newest checkpoint was found to be signed with them. */
  #isKeyKept = false;
  /** When a checkpoint was signed last, or the log was found to lack one. */
  #judgedMs = Number.NEGATIVE_INFINITY;
  /** What is lost, by what it is; null where nothing is. */
  #lost: string | null = null;
  /** What was told last of a checkpoint. */
  #signed: Extract<KeeperNews, { readonly _tag: 'LogSigned' }> | null = null;

  /** Opens the checkpoints that are kept. Throws where the disk fails. */
  constructor(deps: SignerDeps, files: TreeFiles) {
    this.#deps = deps;
    this.#files = files;
    // A keeper that is opened anew may have been told a name that has ended since.
    this.#identity = { ...deps.identity, origin: originNow(deps.dataDir, deps.identity.origin) };
    this.#gone = goneCheckpoints(deps.dataDir, this.#identity.origin);
    this.#unknown = unknownPast(deps.dataDir, this.#identity)?.detail ?? null;
    this.#kept = new KeptCheckpoints(deps.dataDir, this.#identity.origin);
    this.#others = newestOfOtherNames(deps.dataDir, this.#identity.origin);
    keepLogKeys(deps.dataDir, unkeptKeysOfNow(deps.dataDir, this.#identity, this.#kept.all));
    const keys = goneKeys(deps.dataDir, this.#identity.origin, this.#kept.all, this.#identity);
    if (keys.length > 0) deps.tell({ _tag: 'LogKeysGone', keys });
  }

  /** All that were signed and are kept, by size. */
  get checkpoints(): readonly KeptCheckpoint[] {
    return this.#kept.all;
  }

  /** How many leaves of the files were durable when the newest checkpoint was signed; 0 where the files lack them. */
  durableSize(): number {
    const newest = this.#kept.newest;
    const size = newest?.size ?? 0;
    const isHeld = newest === null || (this.#files.holds(size) && this.#files.rootOf(size).equals(newest.root));
    this.#isFound = isHeld && this.#others.length === 0;
    return isHeld ? size : 0;
  }

  /** To be called when the tree begins anew: the newest checkpoint must then be found in it again. */
  beginAnew(): void {
    this.#isFound = this.#kept.newest === null && this.#others.length === 0;
  }

  /** In how many milliseconds the next checkpoint may be signed, or looked for, a second at the most; 0 or less: now. */
  waitMs(): number {
    return Math.min(this.#judgedMs + BETWEEN_MS - epochMsOf(this.#deps.now()), BETWEEN_MS);
  }

  /** Whether a tree that is written contains the newest checkpoint; where it does not, that is told once. */
  holds(tree: TreeWriter): boolean {
    const loss = this.#loss(tree);
    if (loss !== null && loss.of !== this.#lost) this.#deps.tell({ _tag: 'LogLost', detail: loss.detail });
    this.#lost = loss?.of ?? null;
    if (loss !== null) this.#judgedMs = epochMsOf(this.#deps.now());
    return loss === null;
  }

  /**
   * Signs a tree that is written and holds the newest checkpoint, and tells it; one that is signed already is told only.
   * Throws where the disk fails.
   *
   * @param position that of the tree's last event
   */
  sign(size: number, position: Position | null): void {
    const kept = this.#kept.newest;
    const newest = kept === null || this.#isKeyKept ? kept : signedNow(kept, this.#identity);
    if (newest !== null && newest !== kept) this.#kept.add(newest);
    // A tree that was made anew of what is signed already is to outlast a power cut too.
    this.#files.sync();
    if (newest?.size === size) {
      this.#keepKeys();
      this.#tell(newest.note, size, position, newest.signedAt);
      return;
    }
    const root = this.#files.rootOf(size);
    const note = signedCheckpoint(this.#identity, size, root);
    const signedAt = this.#deps.now();
    this.#kept.add({ origin: this.#identity.origin, size, root, note, signedAt });
    this.#judgedMs = epochMsOf(signedAt);
    this.#keepKeys();
    this.#tell(note, size, position, signedAt);
  }

  /**
   * Keeps what a witness has cosigned behind the ledger's own signature, and tells it where it is of the newest checkpoint. What
   * it cosigned of a log that has ended meanwhile says nothing of this one, which may have a checkpoint of the same size.
   */
  addCosignature({ size, note: offered }: Offer, signature: NoteSignature): void {
    const kept = this.#kept.all.find((checkpoint) => checkpoint.size === size);
    const note = kept === undefined ? null : parseNote(kept.note);
    if (kept === undefined || note === null || note.text !== parseNote(offered)?.text) return;
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
      this.#deps.tell(logFailed(error));
    }
  }

  /**
   * Takes another name where the log does not contain a checkpoint that was signed; the checkpoints of the old name stay
   * where they are. Former names end with it where the log lacks what was signed under them, or that is no longer kept. Its
   * answer is what was accepted; null where nothing is lost. Throws where the disk fails.
   */
  acceptLoss(note: string, treeSize: number): AcceptedLoss | null {
    if (this.#lost === null) return null;
    const { dataDir, now, random } = this.#deps;
    const { origin } = this.#identity;
    const lacking = this.#others.filter((other) => this.#lossOf(other, treeSize) !== null);
    const gone = otherGoneNames(dataDir, origin).map((name) => ({ origin: name, size: 0 }));
    const loss = { at: now(), note, from: origin, size: this.#kept.newest?.size ?? 0 };
    const accepted = acceptLoss(dataDir, loss, random, [...lacking, ...gone]);
    this.#identity = { ...this.#identity, origin: accepted.to };
    this.#kept = new KeptCheckpoints(dataDir, accepted.to);
    this.#others = newestOfOtherNames(dataDir, accepted.to);
    endRestored(dataDir);
    [this.#gone, this.#unknown, this.#isFound, this.#isKeyKept] = [null, null, true, false];
    return accepted;
  }

  /** Why the log does not contain the newest checkpoint, or one of another name; null where it does. */
  #loss({ size }: Pick<TreeWriter, 'size'>): Loss | null {
    const newest = this.#kept.newest;
    if (this.#gone !== null) return { of: 'gone', detail: this.#gone };
    if (this.#unknown !== null && size > 0) return { of: 'unknown', detail: this.#unknown };
    if (this.#isFound) return null;
    for (const checkpoint of [...(newest === null ? [] : [newest]), ...this.#others]) {
      const loss = this.#lossOf(checkpoint, size);
      if (loss !== null) return loss;
    }
    this.#isFound = true;
    return null;
  }

  /** Why a tree of a size does not contain a checkpoint; null where it does. */
  #lossOf({ origin, size, root }: KeptCheckpoint, treeSize: number): Loss | null {
    const under = origin === this.#identity.origin ? '' : ` under ${origin}`;
    if (treeSize < size) {
      const detail = `a checkpoint of ${soMany(size, 'event')} was signed${under}, and the log has ${treeSize}`;
      return { of: `short of ${size} under ${origin}`, detail };
    }
    if (this.#files.rootOf(size).equals(root)) return null;
    const detail = anotherBeginning(size, `the checkpoint that was signed${under}`);
    return { of: `not the ${size} under ${origin}`, detail };
  }

  /** Once a checkpoint that they signed is durable, and before it is told: a kept key says that there is one. */
  #keepKeys(): void {
    if (this.#isKeyKept) return;
    const { dataDir } = this.#deps;
    keepLogKeys(dataDir, logVerifiers(this.#identity).toReversed());
    // A log without events may be signed while more than that is unknown; what it gets then may contradict that.
    if (this.#unknown === null) endRestored(dataDir);
    else this.#unknown = unknownPast(dataDir, this.#identity)?.detail ?? null;
    endBegun(dataDir);
    this.#isKeyKept = true;
  }

  #tell(note: string, size: number, position: Position | null, signedAt: Instant): void {
    const { origin } = this.#identity;
    this.#signed = { _tag: 'LogSigned', origin, note, size, position, signedAt };
    this.#deps.tell(this.#signed);
  }
}
