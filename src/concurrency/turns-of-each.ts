import { FairTurns } from './fair-turns.ts';

/**
 * Turns of one kind of work, for each thing that it is done to by itself: what is done one by one to a store never stands
 * beside another one on that store, however long it takes, and each who does so has their turn. For what has to be decided
 * over all that the others have done; whoever can be decided again by an expected revision uses `behindOthers`, which waits
 * for nobody for ever.
 */
export const turnsOfEach = (atOnce: number): ((of: object) => FairTurns) => {
  const turns = new WeakMap<object, FairTurns>();
  return (of) => {
    const known = turns.get(of);
    if (known !== undefined) return known;
    const made = new FairTurns(atOnce);
    turns.set(of, made);
    return made;
  };
};
