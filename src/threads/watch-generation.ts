import { keptPlace } from '../event-store/kept-place.ts';
import { stampUnder } from '../read-models/sqlite/generation.ts';
import { damageIn } from '../read-models/sqlite/damage-of.ts';
import type { Generations } from '../read-models/sqlite/generations.ts';
import type { OpenTarget } from '../read-models/sqlite/open-target.ts';

/** Why what serves is followed no further: another one does, or its files are no longer those that were opened. */
export type GenerationChange =
  | { readonly _tag: 'Replaced' }
  | { readonly _tag: 'Removed'; readonly generation: number; readonly detail: string };

const LOOK_EVERY_MS = 250;

const REPLACED: GenerationChange = { _tag: 'Replaced' };

/**
 * Looks again and again at the generation that is followed, and tells once when it serves no longer: that of a replay of
 * another process, or of somebody who removed the files, which may be done while the ledger is stopped
 * (docs/operating.md, Backup). SQLite would go on writing where no question finds it. What is left of such a generation
 * serves no longer, so that it is built anew.
 *
 * @param followed what is open; another one may be under its name by now, for a number comes again where all files were removed
 * @returns ends the looking
 */
export const watchGeneration = (
  generations: Generations,
  { generation, stamp }: Pick<OpenTarget, 'generation' | 'stamp'>,
  changed: (change: GenerationChange) => void,
): (() => void) => {
  const file = generations.fileOf(generation);
  const lost = keptPlace(file);
  let isKnown = false;
  /** Whether the file that is looked at is the one that is open. */
  const isExchanged = (): boolean => {
    isKnown ||= stampUnder(file) === stamp;
    return !isKnown;
  };
  const look = (): GenerationChange | null => {
    try {
      const serving = generations.serving();
      // What was replaced is removed by whoever replaced it.
      if (serving !== generation && serving !== 0) return REPLACED;
      const detail =
        lost() ??
        (serving === 0 ? (damageIn(file) ?? 'the file that says which of them serves was removed') : null) ??
        (isExchanged() ? `${file} was exchanged before it was looked at` : null);
      if (detail === null) return null;
      generations.swap(generation, 0);
      return { _tag: 'Removed', generation, detail };
    } catch {
      // Whoever opens what serves meets the same, and says it.
      return REPLACED;
    }
  };
  const timer = setInterval(() => {
    const change = look();
    if (change === null) return;
    clearInterval(timer);
    changed(change);
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
};
