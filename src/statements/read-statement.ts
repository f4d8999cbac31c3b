import type { BusinessDay } from '../domain/business-day.ts';
import type { Decimal } from '../domain/decimal.ts';
import type { StatementPage } from '../domain/statement-page.ts';
import type { AccountName, CurrencyCode } from '../domain/statement-line.ts';
import type { BookedLines } from './booked-lines.ts';

/** One statement of a bank file, its balances checked. */
export type ReadStatement = {
  readonly account: AccountName;
  readonly currency: CurrencyCode;
  /** The days that the bank says it is of; null where it says none. */
  readonly from: BusinessDay | null;
  readonly to: BusinessDay | null;
  /** Negative when overdrawn; null where the file has none. */
  readonly opening: Decimal | null;
  readonly closing: Decimal | null;
  /** Whether the opening balance is that with which a page before ended (60M, ITBD), and the closing one that of a page behind. */
  readonly isFollowing: boolean;
  readonly isFollowed: boolean;
  /** The number of the statement, and that of the page; null where the bank does not write both. */
  readonly numbered: StatementPage['numbered'];
  readonly lines: BookedLines;
  /** How many entries are not booked yet, and were left out. */
  readonly pending: number;
};
