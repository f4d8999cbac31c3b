import type { Instant } from '../../domain/instant.ts';
import type { Hash } from '../merkle-tree.ts';
import type { NoteSignature } from '../signed-note.ts';
import {
  addCheckpointBody,
  addCheckpointUrl,
  readAnswer,
  type Witness,
  type WitnessAnswer,
  type WitnessVerdict,
} from './add-checkpoint.ts';
import type { WitnessState } from './witness-state.ts';

/** A checkpoint as it is offered. */
export type Offer = { readonly note: string; readonly size: number };

export type WitnessDeps = {
  /** Rejects where nothing was answered. */
  readonly post: (url: string, body: string) => Promise<WitnessAnswer>;
  /** The hashes that show that a smaller tree is the beginning of a larger one. Throws where the files can't be read. */
  readonly consistency: (from: number, to: number) => readonly Hash[];
  readonly now: () => Instant;
  readonly onState: (state: WitnessState) => void;
  readonly onCosigned: (offered: Offer, signature: NoteSignature) => void;
  /** How soon a witness is asked again that refused or failed. */
  readonly againMs: number;
};

/** How often a witness may name another size before it counts as failed. */
const MOST_TRIES = 3;

/**
 * Offers checkpoints to one witness, one at a time: while it is asked the newest of those that come waits. One that refuses
 * or fails is asked again after a while.
 */
export class AskedWitness {
  readonly #witness: Witness;
  readonly #deps: WitnessDeps;
  /** The size that it is thought to know. */
  #known: number;
  #waiting: Offer | null = null;
  #isAsked = false;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  /** @param known the size of the newest checkpoint that it has cosigned */
  constructor(witness: Witness, known: number, deps: WitnessDeps) {
    this.#witness = witness;
    this.#known = known;
    this.#deps = deps;
  }

  offer(offer: Offer): void {
    // An older one is not asked about again: a witness that has seen a newer one would have to refuse it.
    this.#stopWaiting();
    this.#waiting = offer;
    if (!this.#isAsked && !this.#isClosed) void this.#askAll();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWaiting();
  }

  #stopWaiting(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #askAll(): Promise<void> {
    this.#isAsked = true;
    for (let offer = this.#next(); offer !== null; offer = this.#next()) {
      this.#tell(offer, await this.#ask(offer));
    }
    this.#isAsked = false;
  }

  /** What is to be offered now. */
  #next(): Offer | null {
    const offer = this.#isClosed ? null : this.#waiting;
    this.#waiting = null;
    return offer;
  }

  async #ask(offer: Offer): Promise<WitnessVerdict> {
    const { post, consistency } = this.#deps;
    const { note, size } = offer;
    try {
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const old = Math.min(this.#known, size);
        const proof = old === 0 ? [] : consistency(old, size);
        const answer = await post(addCheckpointUrl(this.#witness), addCheckpointBody(old, proof, note));
        const verdict = readAnswer(this.#witness, { note, size, old }, answer);
        if (verdict._tag !== 'Knows') return verdict;
        this.#known = verdict.size;
      }
      return { _tag: 'Failed', detail: 'it names another size each time' };
    } catch (error) {
      return { _tag: 'Failed', detail: error instanceof Error ? error.message : String(error) };
    }
  }

  #tell(offer: Offer, verdict: WitnessVerdict): void {
    const { now, onState, onCosigned, againMs } = this.#deps;
    const { name } = this.#witness.verifier;
    if (this.#isClosed) return;
    if (verdict._tag === 'Cosigned') {
      this.#known = offer.size;
      onCosigned(offer, verdict.signature);
      onState({ name, state: 'cosigned', size: offer.size, at: verdict.at, detail: null });
      return;
    }
    const isRefused = verdict._tag === 'Refused';
    const detail = verdict._tag === 'Knows' ? null : verdict.detail;
    onState({ name, state: isRefused ? 'refused' : 'failed', size: offer.size, at: now(), detail });
    // The newer one that waits is asked about now.
    if (this.#waiting === null) this.#timer = setTimeout(() => this.offer(offer), againMs).unref();
  }
}
