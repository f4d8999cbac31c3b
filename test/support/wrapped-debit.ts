import { expect } from 'chai';
import { branded } from '../../src/domain/brand.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import type { LineId } from '../../src/domain/statement-line.ts';
import { wrappedLine, type WrappedLine } from '../../src/read-models/wrapped-line.ts';
import { boundedLine } from '../../src/statements/bounded-line.ts';
import { readStatementFile } from '../../src/statements/read-statement-file.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';

const READING = { format: 'mt940', profile: null, account: null, currency: null } as const;

/** A debit of MT940 whose field 86 has these lines, as the match has it. */
export const debitWith = async (entry: string, details: readonly string[]): Promise<WrappedLine> => {
  const file = [':20:X', ':25:ACC', ':28C:1/1', `:61:${entry}`, ...details, ':62F:C260310INR0,', '-', ''];
  const read = await readStatementFile(Buffer.from(file.join('\r\n')), READING);
  const [line] = isUnreadable(read) ? [] : (read[0]?.lines ?? []);
  if (line === undefined) return expect.fail('it was not read');
  const statementId = sha256('file');
  return wrappedLine({ ...boundedLine(line), statementId, index: 0, lineId: branded<LineId>(sha256('line')) });
};

/** A text in pieces of a width, the first of another one. */
export const wrapped = (text: string, first: number, width: number): readonly string[] => [
  text.slice(0, first),
  ...Array.from({ length: Math.ceil(Math.max(0, text.length - first) / width) }, (_, i) =>
    text.slice(first + i * width, first + (i + 1) * width),
  ),
];
