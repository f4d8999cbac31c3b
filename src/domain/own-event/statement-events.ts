import * as t from 'io-ts';
import { BusinessDayText, type BusinessDay } from '../business-day.ts';
import { DecimalText, type Decimal } from '../decimal.ts';
import { Sha256Text, type Sha256 } from '../ids.ts';
import {
  AccountNameText,
  CurrencyCodeText,
  isStatementLine,
  type AccountName,
  type CurrencyCode,
  type StatementId,
  type StatementLine,
} from '../statement-line.ts';
import { StatementPageData, type StatementPage } from '../statement-page.ts';
import type { OwnKind } from './own-kind.ts';

/** What a file says of one of its accounts. */
export type StatementAccount = {
  readonly account: AccountName;
  readonly currency: CurrencyCode;
  readonly from: BusinessDay | null;
  readonly to: BusinessDay | null;
  readonly opening: Decimal | null;
  readonly closing: Decimal | null;
  readonly lines: number;
  /** The first and the last day that the file is of: what it says itself, else the days of its lines. */
  readonly coveredFrom: BusinessDay | null;
  readonly coveredTo: BusinessDay | null;
  /** Where it is one statement that says to be a page of several. Imports of older versions have none. */
  readonly page?: StatementPage;
};

/** What an import came to. It is the last event of its file: without it none of the file's lines counts. */
export type StatementImportedData = {
  /** SHA-256 of the file. */
  readonly statementId: StatementId;
  /** Names the lines that belong to it: a digest over the ids of all of them. */
  readonly reading: Sha256;
  /** What the file was called. */
  readonly name: string | null;
  readonly format: string;
  /** The profile that a table was read by. */
  readonly profile: string | null;
  /** Size of the file. */
  readonly bytes: number;
  /** Null where the file is of several accounts. */
  readonly account: AccountName | null;
  readonly currency: CurrencyCode | null;
  readonly from: BusinessDay | null;
  readonly to: BusinessDay | null;
  readonly opening: Decimal | null;
  readonly closing: Decimal | null;
  readonly lines: number;
  readonly newLines: number;
  readonly duplicateLines: number;
  /** Entries that were not booked yet, and were left out. */
  readonly pending: number;
  readonly accounts: readonly StatementAccount[];
};

/** A line of a file as it was read. */
export type StatementLineData = StatementLine & { readonly reading: Sha256 };

const orNull = <A>(codec: t.Type<A>): t.Type<A | null> => t.union([codec, t.null]);

const ofAccount = {
  from: orNull(BusinessDayText),
  to: orNull(BusinessDayText),
  opening: orNull(DecimalText),
  closing: orNull(DecimalText),
  lines: t.number,
};

const Imported: { readonly is: t.Is<StatementImportedData> } = t.type({
  statementId: Sha256Text,
  reading: Sha256Text,
  name: orNull(t.string),
  format: t.string,
  profile: orNull(t.string),
  bytes: t.number,
  account: orNull(AccountNameText),
  currency: orNull(CurrencyCodeText),
  ...ofAccount,
  newLines: t.number,
  duplicateLines: t.number,
  pending: t.number,
  accounts: t.readonlyArray(
    t.intersection([
      t.type({
        account: AccountNameText,
        currency: CurrencyCodeText,
        ...ofAccount,
        coveredFrom: orNull(BusinessDayText),
        coveredTo: orNull(BusinessDayText),
      }),
      t.partial({ page: StatementPageData }),
    ]),
  ),
});

const OfReading = t.type({ reading: Sha256Text });

const isLineOfReading = (value: unknown): value is StatementLineData => isStatementLine(value) && OfReading.is(value);

export const STATEMENT_IMPORTED: OwnKind<'StatementImported', StatementImportedData> = {
  type: 'StatementImported',
  data: Imported,
  stream: 'statement',
  about: ({ statementId }) => statementId,
  parts: () => [],
};

export const STATEMENT_LINE: OwnKind<'StatementLine', StatementLineData> = {
  type: 'StatementLine',
  data: { is: isLineOfReading },
  stream: 'statement',
  about: ({ statementId }) => statementId,
  parts: ({ reading, index }) => [reading, String(index)],
};
