import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { AGE_CLASSES } from '../../../projections/match/ageing.ts';
import { OPEN_STATES, type MatchState } from '../../../projections/match/match-item.ts';
import { FLOWS } from '../../domain/flow.ts';
import type { MatchItemResource } from '../../queries/reconciliation/match-item-resource.ts';
import { matchList, parseMatchList } from '../../queries/reconciliation/match-items.ts';
import { MATCH_LIST_PARAMETERS } from '../../queries/reconciliation/reconciliation-parameters.ts';
import { reconciliation, type ReconciliationResource } from '../../queries/reconciliation/reconciliation.ts';
import { FLOW_WORDS } from '../../queries/words/flow-words.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { filledParameters, type FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import { withParameters } from '../links.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { pager } from '../pager.ts';
import { money, moneyWidth } from '../amount.ts';
import { matchEntry, STATE_WORDS } from './match-entry.ts';

/** The page of the match. */
export const RECONCILIATION_PATH = '/console/reconciliation';

const { position: _position, ...PARAMETERS } = MATCH_LIST_PARAMETERS;

const LIMIT = 20;

const PAGES = { further: 'Further items', next: 'Later items', none: 'No later items' } as const;

/** Which of the rows is listed below. */
type Chosen = { readonly state: MatchState; readonly currency: string | null; readonly flow: string | null };

const isListed = (row: ReconciliationResource['rows'][number], { state, currency, flow }: Chosen): boolean =>
  row.state === state &&
  (currency === null || row.currency === currency.toUpperCase()) &&
  (flow === null || row.flow === flow);

const summaryTable = ({ rows }: ReconciliationResource, chosen: Chosen): Html => {
  if (rows.length === 0)
    return html`<p class="muted">No order is due at the bank, and no bank line or transfer was brought in.</p>`;
  const width = moneyWidth(rows.map(({ fiat, currency }) => [fiat, currency ?? ''] as const));
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Items by state and age">
    <table class="cells ageing">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col" class="figure">Amount</th>
          <th scope="col"><span class="unseen">Currency</span></th>
          <th scope="col" class="figure">Items</th>
          ${AGE_CLASSES.map((age) => html`<th scope="col" class="figure">${ageWords(age)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => {
          const { flow, currency, state, items, fiat, ageing } = row;
          const href = withParameters(RECONCILIATION_PATH, { state, currency, flow });
          return html`<tr>
            <th scope="row">
              ${isListed(row, chosen) ? html`<a href="${href}" aria-current="true">${STATE_WORDS[state]}</a>` : html`<a href="${href}">${STATE_WORDS[state]}</a>`}
              ${flow === null ? null : html`<span class="code">${FLOW_WORDS[flow]}</span>`}
            </th>
            <td class="figure">${money(fiat, currency ?? '', width)}</td>
            <td class="unit">${currency ?? '–'}</td>
            <td class="figure">${items}</td>
            ${AGE_CLASSES.map((age) => html`<td class="figure ${ageing[age] === 0 ? 'muted' : ''}">${ageing[age]}</td>`)}
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
};

/** `2 to 3 days` for the class `2-3`, `over 30 days` for `30+`. */
const ageWords = (age: string): string =>
  age.endsWith('+') ? `over ${age.slice(0, -1)} days` : `${age.replace('-', ' to ')} days`;

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
      <section>
        ${summaryTable(summary, { state, currency: texts.get('currency') ?? null, flow: texts.get('flow') ?? null })}
      </section>
      <section>
        <h2>${listHeading(state, texts)}</h2>
        ${
          items.length === 0
            ? html`<p class="muted">Nothing is here.</p>`
            : html`<ol class="entries">
                  ${items.map((item) => matchEntry(item, asked, { state }))}
                </ol>
                ${pager(RECONCILIATION_PATH, texts, next, PAGES)}`
        }
      </section>
    `,
  });

/** What the list below the summary is of. */
const listHeading = (state: MatchState, texts: FilledTexts): string => {
  const flow = FLOWS.find((one) => one === texts.get('flow'));
  return [STATE_WORDS[state], ...(flow === undefined ? [] : [FLOW_WORDS[flow]]), texts.get('currency') ?? '']
    .filter((part) => part !== '')
    .join(', ');
};

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
