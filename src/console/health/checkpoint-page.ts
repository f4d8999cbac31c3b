import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { containsCheckpoint, type Contained } from '../../queries/proofs/contains-checkpoint.ts';
import type { QueryDependencies } from '../../queries/query-dependencies.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { tokenField } from '../frame.ts';
import { html, type Html } from '../html.ts';
import { CHECKPOINT_PATH } from '../links.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { soMany } from '../../domain/so-many.ts';

const verdict = (found: Contained): Html => {
  if (found._tag === 'Contained') {
    return html`<p class="all-well" role="status">
      The log still contains all of it: ${found.size === 1 ? 'its event is' : `its ${found.size} events are`} the first
      of the ${found.now} that are signed now.
    </p>`;
  }
  return found._tag === 'NotOfThisLog'
    ? html`<p class="concern" role="status">${found.detail}</p>`
    : html`<p class="concern" role="status">
        THE LOG DOES NOT CONTAIN IT. ${found.detail} Events before it were taken out, changed or put in between: run
        <code>ramp-ledger verify</code>.
      </p>`;
};

/** What the log is known by: its key, those before it, and the names that it had until events were lost. */
const identity = ({ verifierLines, formerLogs }: QueryDependencies['proofs']): Html => {
  const [now, ...before] = verifierLines();
  return html`
    <h2>What this log is known by</h2>
    <p>The line of its key, which <code>/v1/log/key</code> gives to anybody:</p>
    <pre class="letter" tabindex="0"><code>${now ?? 'none yet'}</code></pre>
    ${
      before.length === 0
        ? null
        : html`<p>Keys that have signed before it, and hold for what they have signed:</p>
            <ul>
              ${before.map((line) => html`<li><code>${line}</code></li>`)}
            </ul>`
    }
    ${formerLogs().map(
      ({ from, at, size, note }) =>
        html`<p>
          Until ${at} it was <code>${from}</code>, of ${soMany(size, 'event')}. That events were lost was accepted:
          ${note}
        </p>`,
    )}
  `;
};

const page = (
  { proofs }: QueryDependencies,
  found: Contained | null,
  written: string,
  { session }: ConsoleQuestion,
): PageAnswer =>
  showPage({
    title: 'Check a checkpoint',
    place: 'health',
    main: html`
      <div class="heading">
        <p class="crumbs"><a href="/console/health">Health</a></p>
        <h1>Check a checkpoint</h1>
        ${found === null ? null : verdict(found)}
      </div>
      <p>
        A checkpoint is a few lines, signed by this ledger, that somebody kept. Paste all of it, to see whether the log
        still contains what it says. <code>ramp-ledger checkpoint</code> and <code>/v1/log/checkpoint</code> give the
        newest one, to be kept by somebody who has no access here.
      </p>
      <form class="deed" method="post" action="${CHECKPOINT_PATH}">
        ${tokenField(session)}
        <label
          >Checkpoint<textarea name="checkpoint" rows="8" cols="80" maxlength="10000" spellcheck="false" required>
${written}</textarea>
        </label>
        <button type="submit">Check it</button>
      </form>
      ${identity(proofs)}
    `,
  });

/** A form to paste a checkpoint, and what is to be said of it. */
export const checkpointPages = (deps: QueryDependencies): readonly ConsoleRoute[] => [
  {
    method: 'get',
    path: CHECKPOINT_PATH,
    scopes: ['audit:read'],
    answer: (question) => TE.right(page(deps, null, '', question)),
  },
  {
    method: 'post',
    path: CHECKPOINT_PATH,
    scopes: ['audit:read'],
    answer: (question) => {
      // A browser sends a line break as two characters.
      const written = (question.form.get('checkpoint') ?? '').replaceAll('\r\n', '\n');
      return pipe(
        containsCheckpoint(deps, written),
        TE.map((found) => page(deps, found, written, question)),
      );
    },
  },
];
