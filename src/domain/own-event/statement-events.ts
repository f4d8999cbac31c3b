import * as t from 'io-ts';
import { Sha256Text, type Sha256 } from '../ids.ts';
import type { OwnKind } from './own-kind.ts';

/** Data of a `StatementImported`; the id of a statement is the SHA-256 of its file. */
export type StatementImportedData = { readonly statementId: Sha256 };

/** Data of a `StatementLine`. */
export type StatementLineData = {
  readonly statementId: Sha256;
  /** Its place in the file, from 0. */
  readonly index: number;
};

export const STATEMENT_IMPORTED: OwnKind<'StatementImported', StatementImportedData> = {
  type: 'StatementImported',
  data: t.type({ statementId: Sha256Text }),
  stream: 'statement',
  about: ({ statementId }) => statementId,
  parts: () => [],
};

export const STATEMENT_LINE: OwnKind<'StatementLine', StatementLineData> = {
  type: 'StatementLine',
  data: t.type({ statementId: Sha256Text, index: t.number }),
  stream: 'statement',
  about: ({ statementId }) => statementId,
  parts: ({ index }) => [String(index)],
};
