import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Position } from '../../domain/ids.ts';
import { QUARANTINE_STATES, type QuarantineState } from '../../domain/quarantine-state.ts';
import { signedBytes, type RecordedEvent } from '../../domain/recorded-event.ts';
import { oneOf, parameter } from '../../queries/parameters/parameters.ts';
import {
  QUARANTINE_LIST_PARAMETERS,
  parseQuarantineList,
  quarantinePage,
} from '../../queries/quarantine/quarantine-list.ts';
import { quarantineState } from '../../queries/quarantine/quarantine-resource.ts';
import type { Quarantined } from '../../read-models/read-models.ts';
import { bytesText } from '../bytes-text.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { filledParameters, type FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { quarantinedPath } from '../links.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { pager } from '../pager.ts';
import { sizeText } from '../size-text.ts';
import { closingNote, deeds } from './deeds.ts';
import { namedOrder, reasonList, stateBadge } from './quarantined-entry.ts';

/** What a list shows: all, or those of one state. */
type Shown = QuarantineState | 'all';

const PATH = '/console/quarantine';
const { position: _position, state: _state, ...LIST_PARAMETERS } = QUARANTINE_LIST_PARAMETERS;
const PARAMETERS = {
  ...LIST_PARAMETERS,
  state: parameter(
    'What became of them; those that wait where nothing is said.',
    oneOf<Shown>([...QUARANTINE_STATES, 'all']),
  ),
} as const;

/** Fewer than in other lists, since each is shown with the beginning of its body. */
const LIMIT = 20;
const PREVIEW_CHARACTERS = 600;
const MOST_REASONS = 3;

type Seen = {
  readonly shown: Shown;
  readonly deliveries: readonly Quarantined[];
  readonly bodies: ReadonlyMap<Position, RecordedEvent>;
  readonly next: string | null;
};

const body = (delivery: Quarantined, event: RecordedEvent | undefined, { personal }: ConsoleQuestion): Html => {
  if (event === undefined) return html`<p class="muted">Its bytes cannot be had from the event store now.</p>`;
  if (personal !== 'shown') return html``;
  const whole = html`<a href="${quarantinedPath(delivery.eventId)}">see all of it</a>`;
  return bytesText(signedBytes(event), whole, PREVIEW_CHARACTERS);
};

const entry = (delivery: Quarantined, event: RecordedEvent | undefined, asked: ConsoleQuestion): Html => {
  const { eventId, receivedAt, secretId, orderId, releasedAs } = delivery;
  const state = quarantineState(delivery);
  return html`
    <li>
      <div class="line">
        ${stateBadge(state)}
        <a class="id" href="${quarantinedPath(eventId)}">${eventId}</a>
        <span class="when">${asked.times.time(receivedAt)}</span>
      </div>
      ${reasonList(delivery, asked, MOST_REASONS)}
      <p class="fine">
        ${event === undefined ? null : html`${sizeText(signedBytes(event).length)} · `}verified with secret
        <code>${secretId}</code> · order ${namedOrder(orderId, releasedAs !== null, asked)}
      </p>
      ${state === 'closed' ? closingNote(delivery, asked) : null} ${body(delivery, event, asked)}
      ${deeds(delivery, asked)}
    </li>
  `;
};

const TABS: readonly (readonly [Shown, string])[] = [
  ['open', 'Open'],
  ['closed', 'Closed'],
  ['released', 'Read later'],
  ['all', 'All'],
];

const hrefOf = (state: Shown): string => (state === 'open' ? PATH : `${PATH}?state=${state}`);

const tabs = (shown: Shown): Html => html`
  <nav class="tabs" aria-label="Which">
    ${TABS.map(([state, name]) =>
      state === shown
        ? html`<a href="${hrefOf(state)}" aria-current="page">${name}</a>`
        : html`<a href="${hrefOf(state)}">${name}</a>`,
    )}
  </nav>
`;

const NOTHING: Readonly<Record<Shown, string>> = {
  open: 'Nothing is waiting in quarantine',
  closed: 'Nothing was closed',
  released: 'Nothing that was in quarantine could be read later',
  all: 'Quarantine is empty',
};

const nothing = (shown: Shown): Html => html`
  <section class="nothing">
    <h2>${NOTHING[shown]}</h2>
    <p>
      A webhook that the provider signed and that cannot be read as an order is kept here, with every byte of it.
      ${shown === 'all' ? 'Go' : html`<a href="${hrefOf('all')}">Show all that ever came</a>, or go`}
      <a href="/">back to the overview</a>.
    </p>
  </section>
`;

const PAGES = { further: 'Further deliveries', next: 'Later deliveries', none: 'No later deliveries' } as const;

const page = ({ shown, deliveries, bodies, next }: Seen, texts: FilledTexts, asked: ConsoleQuestion): PageAnswer =>
  showPage({
    title: 'Quarantine',
    place: 'quarantine',
    main: html`
      <div class="heading">
        <h1>Quarantine</h1>
        <p class="muted">
          Webhooks that the provider signed and that cannot be read as an order. No figure includes them. Oldest first.
        </p>
        ${asked.personal !== 'shown' ? html`<p class="fine">Bodies are shown to keys with the scope pii:read.</p>` : null}
      </div>
      ${tabs(shown)}
      ${
        deliveries.length === 0
          ? nothing(shown)
          : html`<ol class="entries">
                ${deliveries.map((delivery) => entry(delivery, bodies.get(delivery.position), asked))}
              </ol>
              ${pager(PATH, texts, next, PAGES)}`
      }
    `,
  });

/** What could not be read, why, and the beginning of each body. */
export const quarantineListPage = (deps: LargePageDependencies): ConsoleRoute => ({
  method: 'get',
  path: PATH,
  scopes: ['audit:read'],
  answer: (asked) =>
    pipe(
      TE.fromEither(filledParameters(asked, PARAMETERS)),
      TE.bind('found', ({ query: { state, limit, cursor } }) => {
        const shown = state ?? 'open';
        const wanted = shown === 'all' ? null : shown;
        return pipe(
          parseQuarantineList(deps)({ state: wanted, limit: limit ?? LIMIT, cursor, position: null }),
          TE.chain(quarantinePage(deps)),
          TE.map((found) => ({ ...found, shown })),
        );
      }),
      TE.bindW('events', ({ found: { deliveries } }) => deps.store.readAt(deliveries.map(({ position }) => position))),
      TE.map(({ texts, found, events }) =>
        page({ ...found, bodies: new Map(events.map((event) => [event.position, event])) }, texts, asked),
      ),
    ),
});
