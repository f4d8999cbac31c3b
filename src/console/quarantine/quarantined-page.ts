import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EventMetadata } from '../../domain/event-metadata.ts';
import { parseReleaseData, type ReleaseData } from '../../domain/quarantine-data.ts';
import { signedBytes, type RecordedEvent } from '../../domain/recorded-event.ts';
import { metadataOf } from '../../domain/unreadable-event.ts';
import { verifyEvent } from '../../ledger/verify-event.ts';
import { shownText } from '../../queries/masking/shown-text.ts';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import { oneOf, parameter } from '../../queries/parameters/parameters.ts';
import { readPath } from '../../queries/parameters/path-parameters.ts';
import { NOT_IN_QUARANTINE, quarantinedById } from '../../queries/quarantine/quarantined-by-id.ts';
import { quarantineState } from '../../queries/quarantine/quarantine-resource.ts';
import type { Quarantined } from '../../read-models/read-models.ts';
import { bytesText } from '../bytes-text.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { factList } from '../fact-list.ts';
import { filledParameters } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import { withParameters } from '../links.ts';
import type { Times } from '../local-time.ts';
import { proof, proofCommands } from '../order/proof.ts';
import { verdictBadge } from '../order/timeline.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { sizeText } from '../size-text.ts';
import { textForProvider } from './reason-words.ts';
import { closingNote, deeds } from './deeds.ts';
import { namedOrder, reasonList, shownPath, stateBadge } from './quarantined-entry.ts';

/** A delivery in quarantine with what its stream holds now, which may be more than the read models know. */
type Found = {
  readonly quarantined: Quarantined;
  readonly event: RecordedEvent;
  readonly metadata: EventMetadata;
  readonly release: { readonly event: RecordedEvent; readonly data: ReleaseData } | null;
};

const foundIn = (quarantined: Quarantined, events: readonly RecordedEvent[]): E.Either<QueryFailure, Found> => {
  const event = events.find(({ id }) => id === quarantined.eventId);
  if (event === undefined) return E.left(NOT_IN_QUARANTINE);
  const [, second] = events;
  const data = second === undefined ? null : parseReleaseData(second.data);
  const release = second === undefined || data === null ? null : { event: second, data };
  return E.map((metadata: EventMetadata) => ({ quarantined, event, metadata, release }))(metadataOf(event));
};

const OUTCOME_SENTENCES: Readonly<Record<ReleaseData['outcome'], string>> = {
  recorded: 'It is now part of its order, with its original bytes, signature and time of receipt.',
  duplicate: 'Its order already had this event. Nothing was added.',
  conflict:
    'Its order already had this event with different content. It is kept there as a contradicting webhook and is not counted.',
};

/** What became of it, and what somebody who has just had it decided again must know. */
const result = ({ release }: Found, { time }: Times, decided: boolean): Html | null => {
  if (release !== null) {
    const { outcome, eventId } = release.data;
    return html`<p class="notice" role="status">
      <strong>Read again: ${outcome}.</strong> ${OUTCOME_SENTENCES[outcome]} Read ${time(release.event.recordedAt)}, as
      <a href="${withParameters('/console/audit', { q: eventId })}">event ${eventId}</a>.
    </p>`;
  }
  return decided
    ? html`<p class="notice" role="status">
        <strong>Tried again just now: it still cannot be read.</strong> Nothing was changed. It stays here until a
        version of the ledger can read it.
      </p>`
    : null;
};

const facts = ({ quarantined, event, release }: Found, asked: ConsoleQuestion): Html =>
  factList(
    [
      ['Received', asked.times.time(quarantined.receivedAt)],
      ['Order', namedOrder(release?.data.orderId ?? quarantined.orderId, release !== null, asked)],
      ['Size', sizeText(signedBytes(event).length)],
      ['Stream', html`<code>${event.stream}</code>`],
      ['Position', html`<code>${event.position}</code>`],
    ],
    'wide',
  );

/** A text to send to the provider, which alone can say what its webhook means. */
const forProvider = ({ quarantined }: Found, { personal }: ConsoleQuestion): Html => {
  const { orderId, reasons } = quarantined;
  const shown = reasons.map((reason) => ({ ...reason, path: shownPath(reason, personal) }));
  const named = orderId === null || shownText(orderId, personal) === orderId ? orderId : null;
  const text = textForProvider({ ...quarantined, orderId: named }, shown);
  return html`
    <section>
      <h2>Text for the provider</h2>
      <pre class="letter" tabindex="0"><code>${text}</code></pre>
      <button class="copy" type="button" data-copy="${text}" hidden>Copy the text</button>
    </section>
  `;
};

const page = (deps: ConsoleDependencies, found: Found, asked: ConsoleQuestion, decided: boolean): PageAnswer => {
  const { event, metadata, release } = found;
  const quarantined = { ...found.quarantined, releasedAs: release?.data.eventId ?? found.quarantined.releasedAs };
  const state = quarantineState(quarantined);
  const bytesPath = `/v1/quarantine/${quarantined.eventId}/body`;
  return showPage({
    title: `Quarantined delivery ${quarantined.eventId}`,
    place: 'quarantine',
    main: html`
      <div class="heading">
        <p class="crumbs"><a href="/console/quarantine">Quarantine</a></p>
        <h1 class="id">${quarantined.eventId}</h1>
        <p class="headline">
          ${stateBadge(state)} ${verdictBadge(verifyEvent(event, deps.secretKey))}
          <span class="muted">checked now, from the stored bytes</span>
        </p>
      </div>
      ${result(found, asked.times, decided)}
      <section>
        <h2>Why it could not be read</h2>
        ${reasonList(quarantined, asked)} ${state === 'closed' ? closingNote(quarantined, asked) : null}
      </section>
      ${state === 'open' ? forProvider(found, asked) : null} ${deeds(quarantined, asked)} ${facts(found, asked)}
      <section>
        <h2>Signed bytes</h2>
        ${asked.personal === 'shown' ? bytesText(signedBytes(event)) : html`<p class="muted">They may hold personal data: they are shown to keys with the scope pii:read.</p>`}
      </section>
      ${proof(proofCommands(asked.origin, bytesPath, metadata.bodySha256), metadata)}
    `,
  });
};

const PATH = '/console/quarantine/{eventId}';
const PARAMETERS = { decided: parameter('It was decided just now.', oneOf(['again'])) } as const;

/** One delivery that could not be read, with all its bytes, and what became of it. */
export const quarantinedPage = (deps: ConsoleDependencies): ConsoleRoute => ({
  method: 'get',
  path: PATH,
  scopes: ['audit:read'],
  answer: (asked) =>
    pipe(
      TE.fromEither(readPath(PATH, asked.path)),
      TE.bindW('filled', () => TE.fromEither(filledParameters(asked, PARAMETERS))),
      TE.bindW('quarantined', ({ eventId }) => quarantinedById(deps, eventId)),
      TE.bindW('events', ({ quarantined }) => deps.store.readStream(quarantined.stream)),
      TE.bindW('found', ({ quarantined, events }) => TE.fromEither(foundIn(quarantined, events))),
      TE.map(({ found, filled: { query } }) => page(deps, found, asked, query.decided !== null)),
    ),
});
