import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { OPEN_STATES, type MatchState } from '../../../projections/match/match-item.ts';
import { nodeOf } from '../../../projections/match/node.ts';
import type { OrderId } from '../../domain/ids.ts';
import { matchItemResource, type MatchItemResource } from '../../queries/reconciliation/match-item-resource.ts';
import { amount, money } from '../amount.ts';
import { chain } from '../chain.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { html, type Html } from '../html.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { withParameters } from '../links.ts';
import { breakList } from '../reconciliation/match-entry.ts';
import { MOVED_WORDS, RULE_WORDS, STATE_WORDS } from '../reconciliation/match-words.ts';
import { RECONCILIATION_PATH } from '../reconciliation/reconciliation-path.ts';
import type { Session } from '../session.ts';
import { copied } from './order-facts.ts';

/** An item that is ambiguous may have thousands: of each kind so many are read. */
const MOST_SHOWN = 10;

const NO_FILTER = { from: null, to: null, currency: null, flow: null, account: null } as const;

/** What an order is matched with: the first of it, and how many lines and transfers there are besides; or that it can't be told now. */
export type OrderMatch = { readonly item: MatchItemResource; readonly more: number } | 'unknown';

/**
 * The item of the match that an order is in; null: nothing is due for it, no bank file was imported that could have it, or the reader may
 * not see the match. An order is shown while its lists can't be asked: then this is unknown.
 */
export const itemOfOrder = (
  { readModels, calendar, matchDueDays }: Pick<LargePageDependencies, 'readModels' | 'calendar' | 'matchDueDays'>,
  orderId: OrderId,
  { key, personal, now }: Pick<ConsoleQuestion, 'personal' | 'now'> & Pick<Session, 'key'>,
): TE.TaskEither<never, OrderMatch | null> => {
  if (!key.scopes.has('reports:read')) return TE.right(null);
  const of = { filter: NO_FILTER, state: null, rule: null, code: null, orderId, lineId: null } as const;
  const day = { today: calendar.dayOf(now), dueDays: matchDueDays };
  return pipe(
    readModels.statements({ after: null, limit: 1 }),
    TE.bindTo('files'),
    TE.bind('items', () => readModels.matchItems({ ...of, day, after: null, limit: 1, mostOfEach: MOST_SHOWN })),
    TE.map(({ files, items: { data } }): OrderMatch | null => {
      const [item] = data;
      if (item === undefined) return null;
      const isKnown = files.data.length > 0 || item.lines.length > 0 || item.transfers.length > 0;
      if (!isKnown) return null;
      const inItem = item.members.filter((name) => nodeOf(name).kind !== 'order').length;
      return { item: matchItemResource(item, personal), more: inItem - item.lines.length - item.transfers.length };
    }),
    TE.orElse(() => TE.right<never, OrderMatch | null>('unknown')),
  );
};

const stateClass = (state: MatchState): string =>
  state === 'expected' ? 'open' : OPEN_STATES.has(state) ? 'watch' : 'well';

const line = ({ bookedOn, amount: moved, currency, direction, reversal, account, references }: Line): Html => html`
  <li>
    <span>Bank line of <span class="moment">${bookedOn}</span></span>
    <span>${money(moved, currency)} ${currency}</span>
    <span>${reversal ? 'taken back' : (MOVED_WORDS[direction] ?? direction)}</span>
    <span class="muted">account ${account}</span>
    ${references.slice(0, 3).map(copied)}
  </li>
`;
type Line = MatchItemResource['lines'][number];

const transfer = ({ chainId, block, status, baseUnits, amount: tokens }: Transfer): Html => html`
  <li>
    <span>Transfer on ${chain(String(chainId))}${block === null ? null : html`, block ${block}`}</span>
    <span>${status}</span>
    ${
      baseUnits === null
        ? tokens === null
          ? null
          : html`<span>${amount(tokens)} tokens</span>`
        : html`<span>${amount(baseUnits)} base units</span>`
    }
  </li>
`;
type Transfer = MatchItemResource['transfers'][number];

const UNKNOWN = html`
  <section>
    <h2>At the bank and on chain</h2>
    <p class="muted">It can't be told now what there is: the match is not at hand. Load the page again.</p>
  </section>
`;

/** What the bank and the chain have for an order, and where its sides are seen next to each other. */
export const orderMatch = (orderId: OrderId, match: OrderMatch | null): Html | null => {
  if (match === null) return null;
  if (match === 'unknown') return UNKNOWN;
  const { item, more } = match;
  const { state, rule, lines, transfers } = item;
  return html`
    <section>
      <h2>At the bank and on chain</h2>
      <p>
        <span class="badge ${stateClass(state)}"
          ><span class="dot" aria-hidden="true"></span><span>${STATE_WORDS[state]}</span></span
        >
        ${rule === null ? null : html`<span class="muted">${RULE_WORDS[rule]}</span>`}
        <a href="${withParameters(RECONCILIATION_PATH, { orderId })}">Side by side</a>
      </p>
      ${breakList(item)}
      <ul class="payouts">
        ${lines.map(line)} ${transfers.map(transfer)}
      </ul>
      ${more > 0 ? html`<p class="fine">And ${more} more, side by side.</p>` : null}
    </section>
  `;
};
