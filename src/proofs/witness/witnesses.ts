import type { Instant } from '../../domain/instant.ts';
import type { LogKeeper } from '../log-keeper.ts';
import { parseNote } from '../signed-note.ts';
import type { Witness } from './add-checkpoint.ts';
import { AskedWitness, type Offer, type WitnessDeps } from './ask-witness.ts';
import { cosignedAt } from './cosignature.ts';

/** What witnesses need of the log that they are offered. */
type WitnessedLog = Pick<LogKeeper, 'consistency' | 'addCosignature' | 'checkpoints'>;

export type WitnessesDeps = Pick<WitnessDeps, 'post' | 'onState'> & {
  readonly log: WitnessedLog;
  readonly now: () => Instant;
};

/** A witness that refused or failed is asked again so much later. */
const AGAIN_MS = 10_000;

const isCosigned = (note: string, { verifier }: Witness): boolean => {
  const parsed = parseNote(note);
  return parsed !== null && cosignedAt(parsed, verifier) !== null;
};

/** Offers each checkpoint to all witnesses, side by side. */
export class Witnesses {
  readonly #witnesses: readonly (readonly [Witness, AskedWitness])[];

  constructor(witnesses: readonly Witness[], { log, post, onState, now }: WitnessesDeps) {
    this.#witnesses = witnesses.map((witness) => {
      const known = log.checkpoints().findLast(({ note }) => isCosigned(note, witness))?.size ?? 0;
      const asked = new AskedWitness(witness, known, {
        post,
        onState,
        now,
        consistency: log.consistency,
        onCosigned: log.addCosignature,
        againMs: AGAIN_MS,
      });
      return [witness, asked] as const;
    });
  }

  /** Offers a checkpoint to those that have not cosigned it yet. */
  offer(offer: Offer): void {
    for (const [witness, asked] of this.#witnesses) if (!isCosigned(offer.note, witness)) asked.offer(offer);
  }

  close(): void {
    for (const [, asked] of this.#witnesses) asked.close();
  }
}
