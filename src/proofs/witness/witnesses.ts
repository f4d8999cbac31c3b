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

/** When a witness has cosigned a checkpoint; null where it has not. */
const cosigned = (note: string, { verifier }: Witness): Instant | null => {
  const parsed = parseNote(note);
  return parsed === null ? null : cosignedAt(parsed, verifier);
};

/** Offers each checkpoint to all witnesses, side by side. */
export class Witnesses {
  readonly #witnesses: readonly (readonly [Witness, AskedWitness])[];

  constructor(witnesses: readonly Witness[], { log, post, onState, now }: WitnessesDeps) {
    this.#witnesses = witnesses.map((witness) => {
      const last = log.checkpoints().findLast(({ note }) => cosigned(note, witness) !== null);
      const known = last?.size ?? 0;
      const at = last === undefined ? null : cosigned(last.note, witness);
      // One that has cosigned the newest checkpoint before the ledger was started again is not asked about it.
      if (at !== null) {
        onState({ name: witness.verifier.name, state: 'cosigned', size: known, at, detail: null });
      }
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
    for (const [witness, asked] of this.#witnesses) if (cosigned(offer.note, witness) === null) asked.offer(offer);
  }

  close(): void {
    for (const [, asked] of this.#witnesses) asked.close();
  }
}
