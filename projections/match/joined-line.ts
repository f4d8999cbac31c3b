import type { BankLine } from '../../src/domain/statement-line.ts';

type Noted = Pick<BankLine, 'ownReferences'>;

/**
 * A line that came again, by another file: what the two say is the same, but for which references are the bank's own. One
 * is only where every file says so, in whatever order they come; else it may name a payment, and the line is left open.
 *
 * @returns the known line itself where the other one changes nothing
 */
export const joinedLine = <L extends Noted>(known: L, again: Noted): L => {
  const { ownReferences } = known;
  if (ownReferences === undefined) return known;
  const others = new Set(again.ownReferences);
  const shared = ownReferences.filter((reference) => others.has(reference));
  return shared.length === ownReferences.length ? known : { ...known, ownReferences: shared };
};
