import type { BusinessDay } from '../../domain/business-day.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { NumberMark } from './number-mark.ts';

/** A cell: its text, and what it is where the file itself says so. */
export type TableCell = {
  readonly text: string;
  readonly number: Decimal | null;
  readonly day: BusinessDay | null;
  /** The day that its text is by ISO 8601, in which workbooks write dates; null also in CSV, whose dates are as the profile says. */
  readonly isoDay: BusinessDay | null;
  /** Whether it is computed by the spreadsheet, and says nothing of its own. */
  readonly formula: boolean;
  /** Whether it is a number of more digits than a workbook holds: those that were written are lost. */
  readonly rounded: boolean;
  /** What its format writes beside a number, which the number itself does not say. */
  readonly mark: NumberMark;
  /** The currencies that its format writes beside a number, as it writes them. */
  readonly currencies: readonly string[];
};

/** A row of a bank's table. */
export type TableRow = {
  /** Line of the file, or row of the sheet, from 1. */
  readonly line: number;
  readonly cells: readonly TableCell[];
  /** As it stood in the file. */
  readonly raw: string;
};

/** A cell that is nothing but its text. */
export const textCell = (text: string): TableCell => ({
  text,
  number: null,
  day: null,
  isoDay: null,
  formula: false,
  rounded: false,
  mark: null,
  currencies: [],
});
