import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { readUrlEncoded } from '../../http/url-encoded.ts';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import { readParameters, type ParameterTable, type ParameterTexts } from '../../queries/parameters/parameters.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { downloads } from '../downloads.ts';
import type { Filled, FilledTexts } from '../filled-parameters.ts';
import { tokenField } from '../frame.ts';
import { html, type Html } from '../html.ts';
import { pager, type PagerWords } from '../pager.ts';
import { CHOOSING_IN_ADDRESS, LIST_NAMES } from './list-parameters.ts';
import { ITEMS_FILE_PATH, RECONCILIATION_PATH, RECONCILIATION_SEARCH_PATH } from './reconciliation-path.ts';

/** Whether a list is chosen by what may stand in no URL: whatever leads to it is posted. */
export const isPosted = (texts: FilledTexts): boolean =>
  LIST_NAMES.some((name) => texts.has(name) && !Object.hasOwn(CHOOSING_IN_ADDRESS, name));

const filledOnly = (texts: ParameterTexts): ParameterTexts => texts.filter(([, text]) => text.trim() !== '');

/** What chooses a list, as its query says it in a form that is sent from it; names that no list has are left out. */
export const listIn = (query: string): ParameterTexts =>
  filledOnly([...(readUrlEncoded(query) ?? [])].filter(([name]) => LIST_NAMES.includes(name)));

/** What chooses the list that was posted for: by fields of their own, or, behind a decision, as the form of the decision says it. */
export const postedTexts = ({ form }: Pick<ConsoleQuestion, 'form'>): ParameterTexts => {
  const back = form.get('back');
  return back === undefined ? filledOnly([...form].filter(([name]) => LIST_NAMES.includes(name))) : listIn(back);
};

/** The parameters of a list that was posted for. */
export const postedParameters = <T extends ParameterTable>(
  texts: ParameterTexts,
  { session }: Pick<ConsoleQuestion, 'session'>,
  table: T,
): E.Either<QueryFailure, Filled<T>> =>
  pipe(
    readParameters(texts, table, (scope) => session.key.scopes.has(scope)),
    E.map((query) => ({ texts: new Map(texts), query })),
  );

const hiddenTexts = (texts: FilledTexts, { session }: Pick<ConsoleQuestion, 'session'>): Html => html`
  ${tokenField(session)}
  ${[...texts].flatMap(([name, text]) =>
    name === 'cursor' ? [] : [html`<input type="hidden" name="${name}" value="${text}" />`],
  )}
`;

/** Leads to a list that is chosen by what may stand in no URL. */
export const listButton = (words: string, texts: FilledTexts, asked: Pick<ConsoleQuestion, 'session'>): Html =>
  html`<form method="post" action="${RECONCILIATION_SEARCH_PATH}">
    ${hiddenTexts(texts, asked)}<button class="link" type="submit">${words}</button>
  </form>`;

/** The way to the next page of the list, and back to the first. */
export const listPager = (
  texts: FilledTexts,
  next: string | null,
  words: PagerWords,
  asked: Pick<ConsoleQuestion, 'session'>,
): Html =>
  isPosted(texts)
    ? html`
        <nav aria-label="${words.further}">
          <form class="pager" method="post" action="${RECONCILIATION_SEARCH_PATH}">
            ${hiddenTexts(texts, asked)}
            ${texts.has('cursor') ? html`<button class="link" type="submit" name="cursor" value="">First page</button>` : null}
            ${
              next === null
                ? html`<span class="muted">${words.none}</span>`
                : html`<button class="link" type="submit" name="cursor" value="${next}">${words.next}</button>`
            }
          </form>
        </nav>
      `
    : pager(RECONCILIATION_PATH, texts, next, words);

/** The list as files. */
export const listDownloads = (
  texts: FilledTexts,
  formats: readonly (readonly [format: string, name: string])[],
  asked: Pick<ConsoleQuestion, 'session'>,
): Html =>
  isPosted(texts)
    ? html`
        <form class="downloads" method="post" action="${ITEMS_FILE_PATH}">
          ${hiddenTexts(texts, asked)}
          <span class="muted">Download</span>
          ${formats.map(([format, name]) => html`<button class="link" type="submit" name="format" value="${format}">${name}</button>`)}
        </form>
      `
    : downloads(ITEMS_FILE_PATH, texts, formats);
