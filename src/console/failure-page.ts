import type { RequestId } from '../domain/ids.ts';
import { html } from './html.ts';
import type { Page } from './page.ts';
import type { ShownFailure } from './shown-failure.ts';

/** What is shown instead of a page: what is wrong, what to do next, and what operators find it by. */
export const failurePage = ({ status, code, title, detail, nextStep }: ShownFailure, requestId: RequestId): Page => ({
  title,
  place: 'none',
  status,
  main: html`
    <section class="nothing">
      <h1>${title}</h1>
      <p>${detail}</p>
      <p>${nextStep}</p>
      <p class="fine">Code <code>${code}</code>, request <code>${requestId}</code></p>
    </section>
  `,
});
