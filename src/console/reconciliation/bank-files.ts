import type { BusinessDay } from '../../domain/business-day.ts';
import type { StatementAccount } from '../../domain/own-event/statement-events.ts';
import { shownText } from '../../queries/masking/shown-text.ts';
import type { ImportedStatement } from '../../read-models/bank-questions.ts';
import type { Page } from '../../read-models/read-models.ts';
import { money } from '../amount.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import { namedAccounts } from './named-accounts.ts';
import { listButton } from './posted-list.ts';

/** So many files at the most are looked through for accounts, and so many of them are listed. */
export const MOST_FILES = 500;
const MOST_LISTED = 50;
/** So many accounts are shown, each of them a form: the files of one page may be of ten thousand. */
const MOST_SHOWN = 100;

/** An account of imported files in one currency, and how far they reach. */
type BankAccount = Pick<StatementAccount, 'account' | 'currency'> & {
  readonly coveredTo: BusinessDay | null;
  /** Of the file that reaches furthest, where it says one. */
  readonly closing: StatementAccount['closing'];
  readonly files: number;
};

/** Accounts that are shown, and how many others the files are of. */
export type BankAccounts = { readonly shown: readonly BankAccount[]; readonly more: number };

const reachesFurther = (day: BusinessDay | null, than: BusinessDay | null): boolean =>
  day !== null && (than === null || day > than);

/** Those that reach furthest first. */
const byReach = ([, { coveredTo: a }]: [string, BankAccount], [, { coveredTo: b }]: [string, BankAccount]): number =>
  Number(reachesFurther(b, a)) - Number(reachesFurther(a, b));

/**
 * The accounts of some files, in the order of their currencies and names: of many those that reach furthest, and of these the ones
 * that came last.
 *
 * @param files the newest first
 */
export const bankAccounts = (files: readonly Pick<ImportedStatement, 'accounts'>[]): BankAccounts => {
  const found = new Map<string, BankAccount>();
  for (const { account, currency, coveredTo, closing } of files.flatMap(({ accounts }) => accounts)) {
    const key = JSON.stringify([currency, account]);
    const known = found.get(key);
    const furthest =
      known !== undefined && !reachesFurther(coveredTo, known.coveredTo)
        ? { coveredTo: known.coveredTo, closing: known.closing }
        : { coveredTo, closing };
    found.set(key, { account, currency, ...furthest, files: (known?.files ?? 0) + 1 });
  }
  const furthest = [...found].toSorted(byReach).slice(0, MOST_SHOWN);
  return {
    shown: furthest.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, account]) => account),
    more: found.size - furthest.length,
  };
};

const accountRow = (
  { account, currency, coveredTo, closing, files }: BankAccount,
  asked: Pick<ConsoleQuestion, 'session'>,
): Html => html`
  <tr>
    <th scope="row">${listButton(account, new Map([['account', account]]), asked)}</th>
    <td data-label="Currency">${currency}</td>
    <td class="moment" data-label="Up to">${coveredTo ?? 'not said'}</td>
    <td class="figure" data-label="Closing balance then">
      ${closing === null ? 'not said' : html`${money(closing, currency)} ${currency}`}
    </td>
    <td class="figure" data-label="Files">${files}</td>
  </tr>
`;

const fileRow = (
  { name, format, accounts, lines, newLines, by, at }: ImportedStatement,
  { personal, times }: ConsoleQuestion,
): Html => html`
  <tr>
    <th scope="row" class="wide">${name === null ? 'without a name' : shownText(name, personal)}</th>
    <td class="moment" data-label="Imported">${times.time(at)}</td>
    <td data-label="By">${by}</td>
    <td data-label="Format">${format}</td>
    <td data-label="Account">${namedAccounts(accounts)}</td>
    <td class="figure" data-label="Lines">${lines}</td>
    <td class="figure" data-label="New">${newLines}</td>
  </tr>
`;

const othersNote = ({ shown, more }: BankAccounts): Html => html`
  <p class="fine">
    The ${shown.length} that reach furthest, and ${more} more: <code>GET /v1/statements</code> and
    <code>ramp-ledger statement list --json</code> have all.
  </p>
`;

/**
 * Which accounts have come in and up to which day, and the files one by one: what is missing at the bank may only not have come yet.
 *
 * @param files imported ones, the newest first, and whether there are others behind them
 */
export const bankFiles = ({ data: files, more }: Page<ImportedStatement>, asked: ConsoleQuestion): Html => {
  if (files.length === 0) return html``;
  const listed = files.slice(0, MOST_LISTED);
  const accounts = bankAccounts(files);
  return html`<details>
    <summary>Bank files: which accounts have come in, and up to which day</summary>
    ${dataTable(
      { label: 'Accounts, and up to which day their files reach', layout: 'of-file labelled' },
      ['Account', 'Currency', 'Up to', { figure: 'Closing balance then' }, { figure: 'Files' }],
      accounts.shown.map((account) => accountRow(account, asked)),
    )}
    ${accounts.more === 0 ? null : othersNote(accounts)}
    ${more ? html`<p class="fine">Accounts are those of the last ${files.length} files.</p>` : null}
    ${dataTable(
      { label: 'The files that were imported last', layout: 'of-file labelled' },
      ['File', 'Imported', 'By', 'Format', 'Account', { figure: 'Lines' }, { figure: 'New' }],
      listed.map((file) => fileRow(file, asked)),
    )}
    ${
      more || files.length > listed.length
        ? html`<p class="fine">The last ${listed.length}; <code>ramp-ledger statement list</code> has all.</p>`
        : null
    }
  </details>`;
};
