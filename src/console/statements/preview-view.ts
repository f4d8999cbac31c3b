import type { UnnamedLine } from '../../domain/statement-line.ts';
import { isWrongProfile } from '../../statements/table/parse-profile.ts';
import { STATEMENT_FORMATS, type StatementFormat } from '../../statements/statement-format.ts';
import type { StatementUnreadable } from '../../statements/unreadable.ts';
import type { ImportedBefore } from '../../queries/statements/imported-as.ts';
import type { FilledTexts } from '../filled-parameters.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { money } from '../amount.ts';
import { choiceField, textField } from '../fields.ts';
import { tokenField } from '../frame.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import type { Page } from '../page.ts';
import { RECONCILIATION_PATH } from '../reconciliation/reconciliation-path.ts';
import { columnTable } from './column-table.ts';
import type { Preview, PreviewedFile } from './previewed.ts';
import { repeatedNotice } from './repeated-notice.ts';
import { importPath, readingPath } from './upload-form.ts';

/** What is looked at. */
type PreviewSeen = {
  readonly statementId: string;
  /** What its sender calls it; may be empty. */
  readonly name: string;
  readonly seen: Preview;
  readonly texts: FilledTexts;
  /** What this file was imported as before; null: it was not, or whoever asks is not told. */
  readonly before: ImportedBefore | null;
};

const FORMAT_NAMES: Readonly<Record<StatementFormat, string>> = {
  'camt.053': 'camt.053',
  mt940: 'MT940',
  csv: 'CSV',
  xlsx: 'XLSX',
  ofx: 'OFX',
};

const textIn = (texts: FilledTexts, name: string): string => texts.get(name)?.trim() ?? '';

const lineRow = (line: UnnamedLine): Html => html`
  <tr>
    <td>${line.bookedOn}</td>
    <td>${line.valueOn}</td>
    <td>${line.direction === 'out' ? 'out' : 'in'}${line.reversal ? ', taking back' : ''}</td>
    <td class="figure">${money(line.amount, line.currency)} ${line.currency}</td>
    <td class="wide"><code>${line.references.join(' ')}</code></td>
    <td class="wide">${line.text}</td>
  </tr>
`;

const linesTable = (lines: readonly UnnamedLine[], all: number): Html => html`
  <h2>${lines.length < all ? `The first ${lines.length} of ${all} lines` : 'Its lines'}</h2>
  ${dataTable(
    { label: 'Lines of the file', layout: 'of-file' },
    ['Booked', 'Value date', 'Direction', { figure: 'Amount' }, 'References', 'Text'],
    lines.map(lineRow),
  )}
`;

const accountsTable = ({ facts }: Extract<PreviewedFile, { readonly _tag: 'Read' }>): Html =>
  dataTable(
    { label: 'Accounts in the file', layout: 'of-file' },
    ['Account', 'Currency', 'From', 'To', { figure: 'Opening' }, { figure: 'Closing' }, { figure: 'Lines' }],
    facts.accounts.map(
      ({ account, currency, from, to, opening, closing, lines }) =>
        html`<tr>
          <th scope="row">${account}</th>
          <td>${currency}</td>
          <td>${from}</td>
          <td>${to}</td>
          <td class="figure">${opening === null ? 'not said' : money(opening, currency)}</td>
          <td class="figure">${closing === null ? 'not said' : money(closing, currency)}</td>
          <td class="figure">${lines}</td>
        </tr>`,
    ),
  );

const refusedPart = ({ line, field, detail }: StatementUnreadable): Html => html`
  <div class="notice bad" role="alert">
    <p>
      <strong>This file would be refused whole</strong>${line === null ? null : html`, because of line ${line}`}, field
      <code>${field}</code>: ${detail}.
    </p>
  </div>
`;

const readPart = (file: Extract<PreviewedFile, { readonly _tag: 'Read' }>, isRepeat: boolean): Html => {
  const { facts, lines, newLines } = file;
  const balances = facts.accounts.every(({ opening, closing }) => opening !== null && closing !== null);
  return html`
    <p class="total">
      <span
        ><strong>${facts.lines}</strong> ${facts.lines === 1 ? 'line' : 'lines'}${
          newLines === null
            ? '; how many of them are new is told when they are imported'
            : html`, <strong>${isRepeat ? 0 : newLines}</strong> of them new`
        }${facts.pending === 0 ? null : html`; ${facts.pending} not booked yet and left out`}</span
      >
    </p>
    ${balances ? html`<p class="muted">Opening and lines come to the closing balance.</p>` : null}
    ${accountsTable(file)} ${linesTable(lines, facts.lines)}
  `;
};

const filePart = ({ seen: { file, columns }, texts, before }: PreviewSeen): Html => {
  if (file._tag === 'Read')
    return html`${before === null ? null : repeatedNotice(before, file.facts, texts)} ${readPart(file, before !== null)}`;
  if (file._tag === 'Refused') return refusedPart(file.refusal);
  const profile = columns?.profile;
  const lacking = profile !== undefined && isWrongProfile(profile) ? `${profile.member}: ${profile.detail}` : '';
  return html`<div class="notice">
    <p>Say what the columns are: at least the booking day, and one figure or two. ${lacking}</p>
  </div>`;
};

/** How the file is read, to be changed and looked at again. It is posted: an account is somebody's, and belongs in no URL. */
const readingForm = ({ statementId, seen, texts }: PreviewSeen, { session }: ConsoleQuestion): Html => html`
  <form class="reading" method="post" action="${readingPath(statementId)}">
    ${tokenField(session)}
    <div class="fields">
      ${choiceField(
        'Format',
        'format',
        STATEMENT_FORMATS.map((value) => ({ value, name: FORMAT_NAMES[value] })),
        seen.format,
      )}
      ${textField('Account, where the file names none', 'account', textIn(texts, 'account'))}
      ${textField('Currency, where it names none', 'currency', textIn(texts, 'currency'), 'INR')}
    </div>
    ${
      seen.columns === null
        ? null
        : html`<div class="fields">
            ${textField('Columns as in the profile', 'profile', textIn(texts, 'profile'), 'none yet')}
          </div>`
    }
    ${
      seen.columns === null
        ? null
        : html`<details open>
            <summary>What the columns are</summary>
            ${columnTable(seen.columns)}
          </details>`
    }
    <div class="actions">
      <button class="second" type="submit">Read it like this</button>
      ${seen.columns === null ? null : html`<button class="quiet" type="submit" name="by" value="profile">Take the profile's columns</button>`}
    </div>
  </form>
`;

/** A name for a profile: the one that was taken, else the words of the file's name, without its end and its dates. */
const suggested = ({ texts, name }: PreviewSeen): string => {
  const profile = textIn(texts, 'profile');
  const words = name.match(/[A-Za-z]+/g) ?? [];
  return profile === '' ? words.slice(0, -1).join('-').slice(0, 40) : profile;
};

const confirmForm = (all: PreviewSeen, { session }: ConsoleQuestion): Html => {
  const { statementId, seen, texts } = all;
  if (seen.file._tag !== 'Read') return html``;
  const profile = seen.columns?.profile;
  return html`<form class="deed confirm" method="post" action="${importPath(statementId)}">
    ${tokenField(session)}
    <input type="hidden" name="format" value="${seen.format}" />
    ${['account', 'currency'].map(
      (name) => html`<input type="hidden" name="${name}" value="${textIn(texts, name)}" />`,
    )}
    ${
      profile === undefined || isWrongProfile(profile)
        ? null
        : html`<input type="hidden" name="columns" value="${JSON.stringify(profile)}" />
            <label
              >Keep these columns as the profile<input
                name="profile"
                value="${suggested(all)}"
                required
                pattern="[A-Za-z0-9_.\\-]{1,64}"
                maxlength="64"
                autocomplete="off"
            /></label>`
    }
    <button type="submit">Import ${seen.file.facts.lines} ${seen.file.facts.lines === 1 ? 'line' : 'lines'}</button>
    <a class="quiet" href="${RECONCILIATION_PATH}">Leave it</a>
  </form>`;
};

/** Whether the page says that the file was imported before: of one that can't be read so it does not. */
const isTold = ({ seen: { file }, before }: PreviewSeen): boolean => file._tag === 'Read' && before !== null;

/** The page of a file that was handed in and not imported. */
export const previewView = (all: PreviewSeen, asked: ConsoleQuestion): Page => {
  const name = all.name.trim();
  return {
    title: 'Preview of a bank file',
    place: 'reconciliation',
    main: html`
      <div class="heading">
        <p class="crumbs"><a href="${RECONCILIATION_PATH}">Reconciliation</a></p>
        <h1>${name === '' ? 'Bank file' : name}</h1>
        <p class="muted">
          Read as ${FORMAT_NAMES[all.seen.format]}.${isTold(all) ? null : ' Nothing is imported yet.'}
        </p>
      </div>
      ${filePart(all)} ${confirmForm(all, asked)}
      <section>
        <h2>How it is read</h2>
        ${readingForm(all, asked)}
      </section>
      <p class="fine">SHA-256 <code>${all.statementId}</code></p>
    `,
  };
};
