import type { Included } from './read-models.ts';

/** The read models as another process finds them. */
export type ReadModelsSeen =
  /** Nothing serves. `building`: a build is under way. */
  | { readonly _tag: 'None'; readonly building: boolean }
  | { readonly _tag: 'Foreign' }
  /** A ledger of another data directory serves from the file. */
  | { readonly _tag: 'OfAnotherLedger' }
  /** There can be none where the configuration has them. */
  | { readonly _tag: 'Misplaced'; readonly problem: string; readonly cure: string }
  /** No database, or one whose pages don't fit together. `registry`: it is the file that says which generation serves. */
  | { readonly _tag: 'Damaged'; readonly file: string; readonly registry: boolean; readonly found: string }
  | {
      readonly _tag: 'Unusable';
      readonly file: string;
      readonly found: string;
      /** There is nothing wrong with it: its disk has no room, which who reads needs too. */
      readonly noRoom?: true;
    }
  /** Made by another version of the projections or their tables. */
  | { readonly _tag: 'OfOtherVersion'; readonly generation: number; readonly version: string; readonly wanted: string }
  | {
      readonly _tag: 'Serving';
      readonly generation: number;
      readonly timeZone: string;
      readonly checkpoint: Included | null;
      /** Deliveries in quarantine that were neither released nor closed. */
      readonly quarantined: number;
    };
