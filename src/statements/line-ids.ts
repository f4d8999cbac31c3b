import { branded } from '../domain/brand.ts';
import { normalised } from '../domain/decimal.ts';
import type { Sha256 } from '../domain/ids.ts';
import { sha256 } from '../domain/sha256.ts';
import type { BankLine, LineId } from '../domain/statement-line.ts';

/** A digest over what a line says, in one spelling: equal lines have equal ones. How the file wrote it is no part of it. */
export const contentDigest = (line: BankLine): Sha256 =>
  sha256(
    JSON.stringify([
      line.account,
      line.currency,
      line.bookedOn,
      line.valueOn,
      normalised(line.amount),
      line.direction,
      line.reversal,
      line.references,
      line.text,
    ]),
  );

/** The id of the line that says this and has so many equal ones before it. */
export const lineIdOf = (content: Sha256, before: number): LineId =>
  branded<LineId>(before === 0 ? content : sha256(JSON.stringify([content, before])));

/**
 * Names the lines of a file as if it were the only one (docs/spec/statements.md, A line): by what each says, and by how many
 * equal ones came before it. Call it with the lines of one file in their order.
 */
export const lineNamer = (): ((line: BankLine) => LineId) => {
  const seen = new Map<string, number>();
  return (line) => {
    const content = contentDigest(line);
    const before = seen.get(content) ?? 0;
    seen.set(content, before + 1);
    return lineIdOf(content, before);
  };
};
