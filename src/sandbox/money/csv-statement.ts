import { amountText, type BankEntry } from './bank-entry.ts';
import type { BankStatement } from './bank-statements.ts';

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** Day first, as most banks that write CSV do. */
const writtenDay = (day: string): string => day.split('-').toReversed().join('/');

/** Groups of three digits, which stand in quotes because of their commas. */
const grouped = (amount: string): string => {
  const [whole = '', decimals = ''] = amount.split('.');
  const first = ((whole.length + 2) % 3) + 1;
  const groups = Array.from({ length: Math.ceil((whole.length - first) / 3) }, (_, i) =>
    whole.slice(first + 3 * i, first + 3 * i + 3),
  );
  return `${[whole.slice(0, first), ...groups].join(',')}.${decimals}`;
};

const row = ({ bookedOn, text, reference, currency, direction, amount }: BankEntry, account: string): string => {
  const figure = grouped(amountText(amount));
  const cells = [
    writtenDay(bookedOn),
    account,
    text,
    reference ?? '',
    currency,
    direction === 'out' ? figure : '',
    direction === 'in' ? figure : '',
  ];
  return cells.map(quoted).join(',');
};

const HEADER = ['Date', 'Account', 'Narration', 'Reference', 'Currency', 'Withdrawal', 'Deposit'];

/** Which column of the sandbox's CSV is what (docs/spec/statements.md, Profiles). */
export const CSV_PROFILE = {
  date: 'Date',
  dateFormat: 'dd/mm/yyyy',
  credit: 'Deposit',
  debit: 'Withdrawal',
  currency: 'Currency',
  account: 'Account',
  reference: ['Reference'],
  text: ['Narration'],
  decimal: '.',
  delimiter: ',',
  skipRows: 2,
} as const;

/** A statement as a bank's CSV: two lines before the header, and no balances. */
export const csvStatement = ({ account, from, to, lines }: BankStatement): string =>
  [
    'Sandbox Bank',
    `Statement of account ${account} from ${writtenDay(from)} to ${writtenDay(to)}`,
    HEADER.map(quoted).join(','),
    ...lines.map((line) => row(line, account)),
    '',
  ].join('\r\n');
