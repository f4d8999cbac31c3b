import type { Config } from '../config/index.ts';
import type { Generations } from '../read-models/sqlite/generations.ts';
import { isSameName } from '../read-models/sqlite/ledger-names.ts';
import { ledgerNameOf, servingNameOf } from './ledger-name.ts';

/**
 * Names a generation by the id of its ledger that was noted under the place of its data directory, as it is before there is
 * an id, so that it is believed in a copy too.
 */
export const heldUnderId = (places: Pick<Config, 'dataDir' | 'eventStore'>, generations: Generations): void => {
  try {
    if (isSameName(generations.heldFor(), servingNameOf(places))) {
      generations.hold(generations.serving(), ledgerNameOf(places));
    }
  } catch {
    // Whoever follows the log notes it again, or says why not.
  }
};
