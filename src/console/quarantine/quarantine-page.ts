import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Position } from '../../domain/ids.ts';
import { signedBytes, type RecordedEvent } from '../../domain/recorded-event.ts';
import { oneOf, parameter } from '../../queries/parameters/parameters.ts';
import {
  QUARANTINE_LIST_PARAMETERS,
  parseQuarantineList,
  quarantinePage,
} from '../../queries/quarantine/quarantine-list.ts';
import type { Quarantined } from '../../read-models/read-models.ts';
import { bytesText } from '../bytes-text.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { filledParameters, type FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import { quarantinedPath } from '../links.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { pager } from '../pager.ts';
import { sizeText } from '../size-text.ts';
import { namedOrder, reasonList, releaseBadge, releaseForm } from './quarantined-entry.ts';

const PATH = '/console/quarantine';
const { position: _position, ...LIST_PARAMETERS } = QUARANTINE_LIST_PARAMETERS;
const PARAMETERS = {
  ...LIST_PARAMETERS,
  show: parameter('Only those that wait for a release.', oneOf(['waiting'])),
} as const;

/** Fewer than in other lists, since each is shown with the beginning of its body. */
const LIMIT = 20;
const PREVIEW_CHARACTERS = 600;
const MOST_REASONS = 3;

type Seen = {
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
  return html`
    <li>
      <div class="line">
        ${releaseBadge(releasedAs)}
        <a class="id" href="${quarantinedPath(eventId)}">${eventId}</a>
        <span class="when">${asked.times.time(receivedAt)}</span>
      </div>
      ${reasonList(delivery, asked, MOST_REASONS)}
      <p class="fine">
        ${event === undefined ? null : html`${sizeText(signedBytes(event).length)} · `}verified with secret
        <code>${secretId}</code> · order ${namedOrder(orderId, releasedAs !== null, asked)}
      </p>
      ${body(delivery, event, asked)} ${releaseForm(delivery, asked)}
    </li>
  `;
};

const tabs = (waiting: boolean): Html => html`
  <nav class="tabs" aria-label="Which">
    ${waiting ? html`<a href="${PATH}">All</a><a href="${PATH}?show=waiting" aria-current="page">Waiting</a>` : html`<a href="${PATH}" aria-current="page">All</a><a href="${PATH}?show=waiting">Waiting</a>`}
  </nav>
`;

const nothing = (waiting: boolean): Html => html`
  <section class="nothing">
    <h2>${waiting ? 'Nothing is waiting in quarantine' : 'Quarantine is empty'}</h2>
    <p>
      A webhook that the provider signed and that cannot be read as an order is kept here, with every byte of it.
      ${waiting ? html`<a href="${PATH}">Show all, the ones that could be read later too</a>, or go` : 'Go'}
      <a href="/">back to the overview</a>.
    </p>
  </section>
`;

const PAGES = { further: 'Further deliveries', next: 'Later deliveries', none: 'No later deliveries' } as const;

const page = ({ deliveries, bodies, next }: Seen, texts: FilledTexts, asked: ConsoleQuestion): PageAnswer => {
  const waiting = texts.get('show') === 'waiting';
  return showPage({
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
      ${tabs(waiting)}
      ${
        deliveries.length === 0
          ? nothing(waiting)
          : html`<ol class="entries">
                ${deliveries.map((delivery) => entry(delivery, bodies.get(delivery.position), asked))}
              </ol>
              ${pager(PATH, texts, next, PAGES)}`
      }
    `,
  });
};

/** What could not be read, why, and the beginning of each body. */
export const quarantineListPage = (deps: ConsoleDependencies): ConsoleRoute => ({
  method: 'get',
  path: PATH,
  scopes: ['audit:read'],
  answer: (asked) =>
    pipe(
      TE.fromEither(filledParameters(asked, PARAMETERS)),
      TE.bind('found', ({ query: { show, limit, cursor } }) =>
        pipe(
          parseQuarantineList(deps, show === 'waiting')({ limit: limit ?? LIMIT, cursor, position: null }),
          TE.chain(quarantinePage(deps)),
        ),
      ),
      TE.bindW('events', ({ found: { deliveries } }) => deps.store.readAt(deliveries.map(({ position }) => position))),
      TE.map(({ texts, found, events }) =>
        page({ ...found, bodies: new Map(events.map((event) => [event.position, event])) }, texts, asked),
      ),
    ),
});
