import { branded } from '../domain/brand.ts';
import { normalised } from '../domain/decimal.ts';
import { sha256 } from '../domain/sha256.ts';
import type { BankLine, LineId } from '../domain/statement-line.ts';

/** What a line says, in one spelling: equal lines have equal texts. How the file wrote it is no part of it. */
const contentOf = (line: BankLine): string =>
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
  ]);

/**
 * Names the lines of a file (docs/spec/statements.md, A line): by what each says, and by how many equal ones came before it.
 * Call it with the lines of one file in their order.
 */
export const lineNamer = (): ((line: BankLine) => LineId) => {
  const seen = new Map<string, number>();
  return (line) => {
    const content = sha256(contentOf(line));
    const before = seen.get(content) ?? 0;
    seen.set(content, before + 1);
    return branded<LineId>(before === 0 ? content : sha256(JSON.stringify([content, before])));
  };
};
