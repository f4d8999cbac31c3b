import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EventMetadata } from '../../domain/event-metadata.ts';
import type { OrderId } from '../../domain/ids.ts';
import { readLedgerEvent } from '../../domain/ledger-event.ts';
import { signedBytes, type RecordedEvent } from '../../domain/recorded-event.ts';
import { metadataOf, type UnreadableEvent } from '../../domain/unreadable-event.ts';
import { verifyEvent } from '../../ledger/verify-event.ts';
import { masked } from '../../queries/masking/masking.ts';
import { recordedEvent } from '../../queries/orders/one-event.ts';
import { logPlace, type LogPlace } from '../../queries/proofs/log-place.ts';
import { readPath } from '../../queries/parameters/path-parameters.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { bytesText } from '../bytes-text.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { factList } from '../fact-list.ts';
import { html, type Html } from '../html.ts';
import { orderPath } from '../links.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { logPlaceSection } from './log-place-section.ts';
import { proof, proofCommands } from './proof.ts';
import { verdictBadge } from './timeline.ts';

type Found = { readonly orderId: OrderId; readonly event: RecordedEvent; readonly metadata: EventMetadata };

/** The signed bytes hold personal data: without `pii:read` there is only what the API shows of them (docs/spec/http.md, Signed bytes). */
const content = (event: RecordedEvent, { personal }: ConsoleQuestion): E.Either<UnreadableEvent, Html> => {
  if (personal === 'shown') {
    return E.right(html`
      <section>
        <h2>Signed bytes</h2>
        ${bytesText(signedBytes(event))}
      </section>
    `);
  }
  return pipe(
    readLedgerEvent(event),
    E.map(
      ({ payload }) => html`
        <section>
          <h2>Payload, masked</h2>
          <p class="muted">The signed bytes themselves need a key with the scope pii:read.</p>
          <pre class="bytes" tabindex="0"><code>${JSON.stringify(masked(payload), null, 2)}</code></pre>
        </section>
      `,
    ),
  );
};

const page =
  (deps: LargePageDependencies, origin: string, question: ConsoleQuestion) =>
  ({
    orderId,
    event,
    metadata,
    shown,
    place,
  }: Found & { readonly shown: Html; readonly place: LogPlace }): PageAnswer => {
    const { times } = question;
    const bytesPath = `/v1/orders/${encodeURIComponent(orderId)}/events/${event.revision}/body`;
    return showPage({
      title: `Event ${event.revision} of order ${orderId}`,
      place: 'orders',
      main: html`
        <div class="heading">
          <p class="crumbs"><a href="/console/orders">Orders</a> / <a href="${orderPath(orderId)}">${orderId}</a></p>
          <h1>Event ${event.revision}, ${event.type}</h1>
          <p class="headline">
            ${verdictBadge(verifyEvent(event, deps.secretKey))}
            <span class="muted">checked now, from the stored bytes</span>
          </p>
        </div>
        ${factList(
          [
            ['Received', times.time(metadata.receivedAt)],
            ['Recorded', times.time(event.recordedAt)],
            ['Event id', html`<code>${event.id}</code>`],
            ['Stream', html`<code>${event.stream}</code>`],
            ['Position', html`<code>${event.position}</code>`],
          ],
          'wide',
        )}
        ${shown} ${logPlaceSection(place, event.recordedAt, times)}
        ${proof(proofCommands(origin, bytesPath, metadata.bodySha256), metadata)}
      `,
    });
  };

const PATH = '/console/orders/{orderId}/events/{revision}';

/** One event with the bytes that the provider signed, and how to prove them. */
export const eventDetailPage = (deps: LargePageDependencies): ConsoleRoute => ({
  method: 'get',
  path: PATH,
  scopes: ['orders:read', 'audit:read'],
  answer: (question) =>
    pipe(
      TE.fromEither(readPath(PATH, question.path)),
      TE.bindW('event', ({ orderId, revision }) => recordedEvent(deps.store, orderId, revision)),
      TE.bindW('metadata', ({ event }) => TE.fromEither(metadataOf(event))),
      TE.bindW('shown', ({ event }) => TE.fromEither(content(event, question))),
      TE.bindW('place', ({ event }) => logPlace(deps, event)),
      TE.map(page(deps, question.origin, question)),
    ),
});
