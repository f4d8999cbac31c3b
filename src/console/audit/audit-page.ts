import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { BusinessDay } from '../../domain/business-day.ts';
import { AUDIT_LIST_PARAMETERS, auditPage, parseAuditList, type AuditPage } from '../../queries/trail/audit-list.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { downloads } from '../downloads.ts';
import { filledParameters, type FilledTexts } from '../filled-parameters.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { html, type Html } from '../html.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { pager } from '../pager.ts';
import { auditFilterForm } from './audit-filter-form.ts';
import { auditTable } from './audit-table.ts';

const PATH = '/console/audit';
const { position: _position, ...PARAMETERS } = AUDIT_LIST_PARAMETERS;

const FILES = [
  ['csv', 'CSV'],
  ['ndjson', 'NDJSON'],
] as const;

const nothing = (texts: FilledTexts): Html => html`
  <section class="nothing">
    <h2>No entry fits</h2>
    <p>
      ${texts.has('q') ? 'A search finds an order id, event id, UTR, body digest or request id, whole and as it was sent.' : 'Nothing of this kind was received then.'}
      <a href="${PATH}">Show the whole trail</a>.
    </p>
  </section>
`;

const PAGES = { further: 'Further entries', next: 'Later entries', none: 'No later entries' } as const;

const page = (
  { entries, next }: AuditPage,
  texts: FilledTexts,
  today: BusinessDay,
  asked: ConsoleQuestion,
): PageAnswer =>
  showPage({
    title: 'Audit',
    place: 'audit',
    main: html`
      <div class="heading">
        <h1>Audit</h1>
        <p class="muted">Every event of the log, in its order: who signed what, and when it came. Oldest first.</p>
        ${downloads('/console/files/audit', texts, FILES)}
      </div>
      ${auditFilterForm(texts, today)}
      ${
        entries.length === 0
          ? nothing(texts)
          : html`${auditTable(entries, asked, texts.get('verify') === 'true')} ${pager(PATH, texts, next, PAGES)}`
      }
    `,
  });

/** The audit trail of all orders and of the quarantine, by the filters of `GET /v1/audit`. */
export const auditTrailPage = (deps: LargePageDependencies): ConsoleRoute => ({
  method: 'get',
  path: PATH,
  scopes: ['audit:read'],
  form: (texts, { now }) => auditFilterForm(texts, deps.calendar.dayOf(now)),
  answer: (asked) =>
    pipe(
      TE.fromEither(filledParameters(asked, PARAMETERS)),
      TE.chain(({ texts, query }) =>
        pipe(
          parseAuditList(deps)({ ...query, position: null }),
          TE.chain(auditPage(deps)),
          TE.map((found) => page(found, texts, deps.calendar.dayOf(asked.now), asked)),
        ),
      ),
    ),
});
