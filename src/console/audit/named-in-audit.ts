import type { ConsoleQuestion } from '../console-question.ts';
import { html, type Html } from '../html.ts';
import { withParameters } from '../links.ts';

/**
 * Where to look for a name that no order has: a delivery that can't be read names its order all the same, and the audit finds
 * it by that. Null for who may not see the audit.
 */
export const namedInAudit = (name: string, { session }: Pick<ConsoleQuestion, 'session'>): Html | null =>
  session.key.scopes.has('audit:read')
    ? html`<p>
        A delivery that could not be read may name it all the same:
        <a href="${withParameters('/console/audit', { q: name })}">look for what came in its name</a>
      </p>`
    : null;
