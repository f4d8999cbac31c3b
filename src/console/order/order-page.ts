import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { orderStream, type EventId, type OrderId, type Revision } from '../../domain/ids.ts';
import type { LedgerEvent } from '../../domain/ledger-event.ts';
import { verifyEvent } from '../../ledger/verify-event.ts';
import { ORDER_PARAMETERS, orderFrom, readEvents, recordedEvents } from '../../queries/orders/one-order.ts';
import { oneOf, parameter } from '../../queries/parameters/parameters.ts';
import { readPath } from '../../queries/parameters/path-parameters.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { amount, money } from '../amount.ts';
import { namedInAudit } from '../audit/named-in-audit.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { filledParameters } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import { orderPath } from '../links.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { shownOrder, type ShownOrder } from '../shown-order.ts';
import { statusBadge } from '../status-badge.ts';
import { anomalies } from './anomalies.ts';
import { conflictLine, contradictionsAmong } from './conflicts.ts';
import { orderFacts } from './order-facts.ts';
import { itemOfOrder, orderMatch, type OrderMatch } from './order-match.ts';
import { payouts } from './payouts.ts';
import { evidenceLink, mayHaveEvidence } from './order-evidence.ts';
import { HISTORY_ORDERS, historyTabs, type HistoryOrder } from './history-order.ts';
import { timeline } from './timeline.ts';

type Seen = {
  readonly orderId: OrderId;
  readonly order: ShownOrder;
  readonly events: readonly LedgerEvent[];
  /** As of which event the order is shown; null: as it is now. */
  readonly revision: number | null;
  /** By which time its history is read. */
  readonly by: HistoryOrder;
  /** What it is matched with. Of an earlier moment nothing is said. */
  readonly match: OrderMatch | null;
};

const asOf = ({ orderId, revision, events }: Seen): Html | null =>
  revision === null
    ? null
    : html`<p class="notice" role="status">
        The order as it was after event ${revision} of ${events.length - 1}. What came later is left out.
        <a href="${orderPath(orderId)}">Show it as it is now</a>
      </p>`;

const headline = ({ status, phase, fiat, token, flow }: ShownOrder): Html => html`
  <p class="headline">
    ${statusBadge(flow, status, phase)}
    <span class="sum">${money(fiat.amount, fiat.currency)} ${fiat.currency}</span>
    <span class="muted">${flow === 'onramp' ? 'for' : 'against'}</span>
    <span class="sum">${token.amount === null ? '–' : amount(token.amount)} ${token.symbol}</span>
  </p>
`;

const page = (
  deps: LargePageDependencies,
  seen: Seen,
  { personal, times, session, now }: ConsoleQuestion,
): PageAnswer => {
  const { orderId, order, events, revision, by, match } = seen;
  const revisions = new Map<EventId, Revision>(events.map(({ recorded }) => [recorded.id, recorded.revision]));
  const shown = revision === null ? events : events.slice(0, revision + 1);
  const among = contradictionsAmong(shown);
  const verify = session.key.scopes.has('audit:read')
    ? (event: LedgerEvent) => verifyEvent(event.recorded, deps.secretKey)
    : null;
  return showPage({
    title: `Order ${orderId}`,
    place: 'orders',
    ...(revision === null ? { live: orderStream(orderId) } : {}),
    main: html`
      <div class="heading">
        <p class="crumbs"><a href="/console/orders">Orders</a></p>
        <h1 class="id">${orderId}</h1>
        ${headline(order)}
      </div>
      ${asOf(seen)}
      ${anomalies(
        order,
        (eventId) => revisions.get(eventId) ?? null,
        (eventId) => conflictLine(eventId, among, personal),
      )}
      ${payouts(order, shown, { times, at: revision === null ? now : (shown.at(-1)?.receivedAt ?? now) })}
      ${orderMatch(orderId, match)} ${orderFacts(order, times)}
      <section>
        <h2>History</h2>
        ${historyTabs(orderId, revision, by)} ${timeline(shown, among, { personal, times, verify, by })}
        ${mayHaveEvidence(session) ? evidenceLink(orderId) : null}
      </section>
    `,
  });
};

const PATH = '/console/orders/{orderId}';

const PARAMETERS = {
  ...ORDER_PARAMETERS,
  history: parameter<HistoryOrder>('By which time the history is read.', oneOf(HISTORY_ORDERS)),
} as const;

/** A delivery that can't be read still names its order: whoever follows its id here finds it in the audit. */
const deliveriesThatNameIt = (question: ConsoleQuestion): Html | null =>
  pipe(
    readPath(PATH, question.path),
    E.match(
      () => null,
      ({ orderId }) => namedInAudit(orderId, question),
    ),
  );

/** The whole story of an order, now or as of one of its events. */
export const orderDetailPage = (deps: LargePageDependencies): ConsoleRoute => ({
  method: 'get',
  path: PATH,
  scopes: ['orders:read'],
  elsewhere: deliveriesThatNameIt,
  answer: (question) =>
    pipe(
      TE.fromEither(readPath(PATH, question.path)),
      TE.bindW('filled', () => TE.fromEither(filledParameters(question, PARAMETERS))),
      TE.let('revision', ({ filled }) => filled.query.revision),
      TE.let('by', ({ filled }): HistoryOrder => filled.query.history ?? 'arrival'),
      TE.bindW('recorded', ({ orderId }) => recordedEvents(deps.store, orderId)),
      TE.bindW('events', ({ recorded }) => TE.fromEither(readEvents(recorded))),
      TE.bindW('order', ({ recorded, revision }) => TE.fromEither(orderFrom(recorded, revision, question.now))),
      TE.bindW('match', ({ orderId, revision }) =>
        revision === null ? itemOfOrder(deps, orderId, { ...question, key: question.session.key }) : TE.right(null),
      ),
      TE.map(({ order, ...seen }) => page(deps, { ...seen, order: shownOrder(order, question.personal) }, question)),
    ),
});
