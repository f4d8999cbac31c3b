import type { Closed } from '../../../projections/periods/index.ts';
import { shownText } from '../../queries/masking/shown-text.ts';
import { openAtClose } from '../../queries/words/open-at-close.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { factList } from '../fact-list.ts';
import { tokenField } from '../frame.ts';
import { html, type Html } from '../html.ts';
import { CHECKPOINT_PATH } from '../links.ts';

const checkpointPart = (note: string): Html => html`
  <summary>The newest signed checkpoint then</summary>
  <pre tabindex="0"><code>${note}</code></pre>
`;

/** Asks whether the log still contains what was signed then. */
const checkForm = (note: string, { session }: ConsoleQuestion): Html | null =>
  session.key.scopes.has('audit:read')
    ? html`<form class="deed" method="post" action="${CHECKPOINT_PATH}">
        ${tokenField(session)}<input type="hidden" name="checkpoint" value="${note}" />
        <button type="submit">Check that the log still contains it</button>
      </form>`
    : null;

/** How a month was closed: by whom, when, as of which position, and the digests of its reports. */
export const closedFacts = (
  { data, at, by }: Closed,
  asked: ConsoleQuestion,
  checkpoint: 'open' | 'folded' = 'folded',
): Html => html`
  ${factList(
    [
      ['Closed', asked.times.time(at)],
      ['By', by],
      ['Note', shownText(data.note, asked.personal)],
      ['Days in', data.timeZone],
      ['Position', data.asOf === null ? null : html`<code>${data.asOf.position}</code>`],
      ['On-ramp SHA-256', html`<code>${data.reports.onramp.sha256}</code>`],
      ['Off-ramp SHA-256', html`<code>${data.reports.offramp.sha256}</code>`],
      ['Closed with these open', openAtClose(data.checks).join('; ')],
    ],
    'wide',
  )}
  ${
    data.checkpoint === null
      ? null
      : checkpoint === 'open'
        ? html`<details open>${checkpointPart(data.checkpoint)}</details>`
        : html`<details>${checkpointPart(data.checkpoint)} ${checkForm(data.checkpoint, asked)}</details>`
  }
`;
