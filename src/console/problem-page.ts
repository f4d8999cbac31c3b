import type { RequestId } from '../domain/ids.ts';
import type { Problem } from '../http/problem.ts';
import type { ProblemCode } from '../openapi/problem-codes.ts';
import { html } from './html.ts';
import { nextStepAfter, type Page } from './page.ts';

/** A problem of the API, or one of a page's own. */
export type PageProblem = Omit<Problem, 'code'> & { readonly code: ProblemCode | 'stale-form' };

/** What is shown instead of a page: what is wrong, what to do next, and what operators find it by. */
export const problemPage = (problem: PageProblem, requestId: RequestId): Page => ({
  title: problem.title,
  place: 'none',
  status: problem.status,
  main: html`
    <section class="nothing">
      <h1>${problem.title}</h1>
      <p>${problem.detail}</p>
      <p>${nextStepAfter(problem)}</p>
      <p class="fine">Code <code>${problem.code}</code>, request <code>${requestId}</code></p>
    </section>
  `,
});
