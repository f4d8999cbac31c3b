import * as t from 'io-ts';
import { branded, type Brand } from './brand.ts';
import { BusinessDayText, type BusinessDay } from './business-day.ts';
import { DecimalText, type Decimal } from './decimal.ts';
import { guardedText, oneOf } from './guarded.ts';
import { isSha256, Sha256Text, type Sha256 } from './ids.ts';

/** What names an imported bank file: the SHA-256 of its bytes. */
export type StatementId = Sha256;

/**
 * What names a bank line: a digest with the log's key, 64 lower-case hex digits, over what it says and over how many equal
 * lines of its account are before it (docs/spec/statements.md, Equal lines); lines of the first ledgers have one without a
 * key. The same line in an overlapping file has the same id.
 */
export type LineId = Brand<string, 'LineId'>;

export const isLineId = (text: string): text is LineId => isSha256(text);

export const LineIdText = guardedText('line id', isLineId);

/** An account as the bank writes it (an IBAN, a number, `bank code/number`); never empty. */
export type AccountName = Brand<string, 'AccountName'>;

export const AccountNameText = guardedText('account', (text): text is AccountName => text !== '');

/** A currency as ISO 4217 writes it: three letters in upper case. */
export type CurrencyCode = Brand<string, 'CurrencyCode'>;

const isCurrencyCode = (text: string): text is CurrencyCode => /^[A-Z]{3}$/.test(text);

export const CurrencyCodeText = guardedText('currency', isCurrencyCode);

/** Three letters in any case; null for anything else. */
export const parseCurrencyCode = (text: string): CurrencyCode | null =>
  /^[A-Za-z]{3}$/.test(text) ? branded<CurrencyCode>(text.toUpperCase()) : null;

/** What an entry did to the account: money came in, or went out. */
export type Direction = 'in' | 'out';

export const DirectionText = oneOf<Direction>('direction', ['in', 'out']);

/** What a bank booked, as read from its file (docs/spec/statements.md, A line). */
export type BankLine = {
  readonly account: AccountName;
  readonly currency: CurrencyCode;
  /** The day of the booking; the value date where the bank names no other. As the bank wrote it: no zone moves it. */
  readonly bookedOn: BusinessDay;
  /** The value date; the day of the booking where the bank names no other. */
  readonly valueOn: BusinessDay;
  /** Never negative, with the decimals that came and no leading zeros: `300`, `25.00`. */
  readonly amount: Decimal;
  readonly direction: Direction;
  /** Whether it takes an earlier booking back. `direction` is then the direction of the taking back. */
  readonly reversal: boolean;
  /** What may name an order or a payout, each once, never empty; upper and lower case as they came. */
  readonly references: readonly string[];
  /** Those of them by which the bank names its own entry, and nobody else a payment; none where it is not there. */
  readonly ownReferences?: readonly string[];
  /** What the bank says of the booking, its pieces joined by one blank; may be empty. Personal data. */
  readonly text: string;
  /** The line as it stood in the file, kept as it came. Personal data. */
  readonly raw: string;
};

/** A line of a file, before it has the id by which the ledger counts it. */
export type UnnamedLine = BankLine & {
  readonly statementId: StatementId;
  /** Which line of that file it is, from 0. */
  readonly index: number;
};

/** A bank line in the ledger: of the file that brought it first, counted once however many files bring it. */
export type StatementLine = UnnamedLine & { readonly lineId: LineId };

const Booked: t.Type<BankLine> = t.intersection([
  t.type({
    account: AccountNameText,
    currency: CurrencyCodeText,
    bookedOn: BusinessDayText,
    valueOn: BusinessDayText,
    amount: DecimalText,
    direction: DirectionText,
    reversal: t.boolean,
    references: t.readonlyArray(t.string),
    text: t.string,
    raw: t.string,
  }),
  // Lines of the first ledgers have none.
  t.partial({ ownReferences: t.readonlyArray(t.string) }),
]);

const Line: { readonly is: t.Is<StatementLine> } = t.intersection([
  t.type({ lineId: LineIdText, statementId: Sha256Text, index: t.number }),
  Booked,
]);

/** Whether a value is what a bank booked; further members may be beside. */
export const isBankLine = (value: unknown): value is BankLine => Booked.is(value);

/** Whether a value is a line as events and read models keep it; further members may be beside. */
export const isStatementLine = (value: unknown): value is StatementLine => Line.is(value);
