import * as t from 'io-ts';
import { InstantText, type Instant } from '../domain/instant.ts';
import { parseOwnData } from '../domain/own-event/own-kind.ts';
import { STATEMENT_IMPORTED, STATEMENT_LINE } from '../domain/own-event/statement-events.ts';
import { TRANSFER_OBSERVED } from '../domain/own-event/transfer-events.ts';
import type { Position } from '../domain/ids.ts';
import type { StatementLine } from '../domain/statement-line.ts';
import type { ImportedStatement, SeenTransfer } from './bank-questions.ts';

const Noted: { readonly is: t.Is<{ readonly by: string; readonly at: Instant }> } = t.type({
  by: t.string,
  at: InstantText,
});

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Reads a bank line from its row; null for what is none. */
export const readLine = (text: string): StatementLine | null => {
  const data = parseOwnData(STATEMENT_LINE, text);
  if (data === null) return null;
  const { reading: _its, ...line } = data;
  return line;
};

/** Reads an imported file from its row. */
export const readStatement = (text: string, noted: string, position: Position): ImportedStatement | null => {
  const data = parseOwnData(STATEMENT_IMPORTED, text);
  const by = parsed(noted);
  return data === null || !Noted.is(by) ? null : { ...data, position, by: by.by, at: by.at };
};

/** Reads a transfer from its row. */
export const readTransfer = (text: string, position: Position): SeenTransfer | null => {
  const data = parseOwnData(TRANSFER_OBSERVED, text);
  return data === null ? null : { ...data, position };
};
