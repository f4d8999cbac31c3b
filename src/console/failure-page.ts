import { html, type Html } from './html.ts';
import type { Page } from './page.ts';
/** What is wrong, in words for people. */
type Shown = {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  /** What a person can do about it. */
  readonly nextStep: string;
};

/** Details are words for a line of a log or a problem; on a page they are a sentence. */
const asSentence = (detail: string): string =>
  `${detail.charAt(0).toUpperCase()}${detail.slice(1)}${/[.!?]$/.test(detail) ? '' : '.'}`;

/**
 * What is shown instead of a page: what is wrong, what to do next, and what operators find it by.
 *
 * @param below the form of the page, filled with what was typed, where mending it is the way on; or where else to look
 */
export const failurePage = (
  { status, code, title, detail, nextStep }: Shown,
  requestId: string,
  below: Html | null = null,
): Page => ({
  title,
  place: 'none',
  status,
  main: html`
    <section class="nothing">
      <h1>${title}</h1>
      <p>${asSentence(detail)}</p>
      <p>${nextStep} <a href="/">Go to the overview</a></p>
      <p class="fine">Code <code>${code}</code>, request <code>${requestId}</code></p>
    </section>
    ${below}
  `,
});
