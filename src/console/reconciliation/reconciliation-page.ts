import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { AGE_CLASSES } from '../../../projections/match/ageing.ts';
import { OPEN_STATES, type MatchState } from '../../../projections/match/match-item.ts';
import type { MatchItemResource } from '../../queries/reconciliation/match-item-resource.ts';
import { matchList, parseMatchList } from '../../queries/reconciliation/match-items.ts';
import { MATCH_LIST_PARAMETERS } from '../../queries/reconciliation/reconciliation-parameters.ts';
import { reconciliation, type ReconciliationResource } from '../../queries/reconciliation/reconciliation.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { filledParameters, type FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import { withParameters } from '../links.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { pager } from '../pager.ts';
import { matchEntry, STATE_WORDS } from './match-entry.ts';

/** The page of the match. */
export const RECONCILIATION_PATH = '/console/reconciliation';

const { position: _position, ...PARAMETERS } = MATCH_LIST_PARAMETERS;

const LIMIT = 20;

const PAGES = { further: 'Further items', next: 'Later items', none: 'No later items' } as const;

const summaryTable = ({ rows }: ReconciliationResource): Html =>
  rows.length === 0
    ? html`<p class="muted">No order is due at the bank, and no bank line or transfer was brought in.</p>`
    : html`<div class="scroll" tabindex="0" role="group" aria-label="Items by state and age">
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Flow</th>
              <th scope="col">Currency</th>
              <th scope="col">Items</th>
              <th scope="col">Amount</th>
              ${AGE_CLASSES.map((age) => html`<th scope="col">${age} days</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              ({ flow, currency, state, items, fiat, ageing }) =>
                html`<tr>
                  <th scope="row">
                    <a href="${withParameters(RECONCILIATION_PATH, { state, currency, flow })}"
                      >${STATE_WORDS[state]}</a
                    >
                  </th>
                  <td>${flow}</td>
                  <td>${currency}</td>
                  <td>${items}</td>
                  <td>${fiat}</td>
                  ${AGE_CLASSES.map((age) => html`<td>${ageing[age]}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;

type Seen = {
  readonly summary: ReconciliationResource;
  readonly items: readonly MatchItemResource[];
  readonly next: string | null;
  readonly state: MatchState;
};

const page = ({ summary, items, next, state }: Seen, texts: FilledTexts, asked: ConsoleQuestion): PageAnswer =>
  showPage({
    title: 'Reconciliation',
    place: 'reconciliation',
    main: html`
      <div class="heading">
        <h1>Reconciliation</h1>
        <p class="muted">
          Orders of the provider against the lines of the bank and the transfers on chain. The oldest first.
        </p>
      </div>
      ${summaryTable(summary)}
      <h2>${STATE_WORDS[state]}</h2>
      ${
        items.length === 0
          ? html`<section class="nothing"><h2>Nothing is here</h2></section>`
          : html`<ol class="entries">
                ${items.map((item) => matchEntry(item, asked, { state }))}
              </ol>
              ${pager(RECONCILIATION_PATH, texts, next, PAGES)}`
      }
    `,
  });

/** What is shown first: the open state that most has to be done for. */
const firstOpen = ({ rows }: ReconciliationResource): MatchState =>
  ['break' as const, ...OPEN_STATES].find((state) => rows.some((row) => row.state === state)) ?? 'break';

/** What is open, since when and how much, and the items one by one (docs/spec/match.md). */
export const reconciliationPage = (deps: ConsoleDependencies): ConsoleRoute => ({
  method: 'get',
  path: RECONCILIATION_PATH,
  scopes: ['reports:read'],
  answer: (asked) =>
    pipe(
      TE.fromEither(filledParameters(asked, PARAMETERS)),
      TE.bindW('summary', () =>
        reconciliation(deps)({
          filter: { from: null, to: null, currency: null, flow: null, account: null },
          included: null,
        }),
      ),
      TE.let('state', ({ summary, query }) => query.state ?? firstOpen(summary)),
      TE.bindW('found', ({ query, state }) =>
        pipe(
          parseMatchList(deps)({ ...query, state, limit: query.limit ?? LIMIT, position: null }),
          TE.chain(matchList(deps, asked.personal)),
        ),
      ),
      TE.map(({ summary, state, found, texts }) =>
        page({ summary, items: found.data, next: found.next, state }, texts, asked),
      ),
    ),
});
