import type * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { ArrivalsSeen } from '../../arrivals/arrivals-seen.ts';
import { epochMsOf } from '../../domain/instant.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { durationText } from '../duration-text.ts';
import { factList } from '../fact-list.ts';
import { filledParameters } from '../filled-parameters.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import { freshness } from '../overview/freshness.ts';
import { CHECKPOINT_PATH } from '../links.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { arrivalsTable, hintList, refusedLine } from './arrivals-table.ts';
import { healthChecks, quarantineCheck, type HealthCheck } from './health-checks.ts';
import type { LedgerHealth, SecretHealth } from './ledger-health.ts';

const STATE_WORDS = { well: 'OK', watch: 'Watch', wrong: 'Act now' } as const;

const badge = (state: HealthCheck['state']): Html =>
  html`<span class="badge ${state}"><span class="dot" aria-hidden="true"></span>${STATE_WORDS[state]}</span>`;

const checkList = (checks: readonly HealthCheck[]): Html => html`
  <dl class="checks">
    ${checks.map(
      ({ name, state, says, cure }) => html`
        <div>
          <dt>${name}</dt>
          <dd>
            ${badge(state)}
            <p>${says}</p>
            ${cure === null ? null : html`<p class="cure">${cure}</p>`}
          </dd>
        </div>
      `,
    )}
  </dl>
`;

const useOf = ({ lastUsedAt }: SecretHealth, { times, now }: ConsoleQuestion): Html =>
  lastUsedAt === null
    ? html`<span class="muted">not since this start</span>`
    : html`${times.time(lastUsedAt)}
        <span class="muted">${durationText(epochMsOf(now) - epochMsOf(lastUsedAt))} ago</span>`;

const secretTable = ({ secrets }: LedgerHealth, asked: ConsoleQuestion): Html => html`
  <section>
    <h2>Webhook secrets</h2>
    ${
      secrets.length === 0
        ? html`<p>None is configured: no delivery is accepted. Set WEBHOOK_SECRETS.</p>`
        : dataTable(
            { label: 'Webhook secrets', layout: 'secrets' },
            ['Id', 'For', 'Last used'],
            secrets.map(
              (secret) => html`
                <tr>
                  <th scope="row"><code>${secret.id}</code></th>
                  <td>
                    ${secret.accepted ? 'deliveries' : html`<span class="muted">retired: proves old events only</span>`}
                  </td>
                  <td>${useOf(secret, asked)}</td>
                </tr>
              `,
            ),
          )
    }
    <p class="fine">
      A secret is changed without a restart: add the new one to WEBHOOK_SECRETS, switch the provider to it, and move the
      old one to WEBHOOK_RETIRED_SECRETS once it is no longer used. The secrets themselves are never shown.
    </p>
  </section>
`;

const program = ({ version, node, startedAt }: LedgerHealth, { times, now }: ConsoleQuestion): Html => html`
  <section>
    <h2>Program</h2>
    ${factList(
      [
        ['Ramp Ledger', version],
        ['Node', node],
        [
          'Started',
          html`${times.time(startedAt)}
            <span class="muted">${durationText(epochMsOf(now) - epochMsOf(startedAt))} ago</span>`,
        ],
      ],
      'wide',
    )}
  </section>
`;

/** What arrives and what is refused, in the last hour and day; the refused ones one by one for those who may see the trail. */
const arrivals = (seen: ArrivalsSeen, { session, now }: ConsoleQuestion): Html => html`
  <section>
    <div class="section-head">
      <h2>What arrives</h2>
      ${session.key.scopes.has('audit:read') ? html`<a href="/console/refused">Refused deliveries</a>` : null}
    </div>
    ${hintList(seen, epochMsOf(now))} ${arrivalsTable(seen, epochMsOf(now))}
  </section>
`;

const headline = (checks: readonly HealthCheck[], refused: string | null): Html => {
  const bad = checks.filter(({ state }) => state !== 'well');
  return bad.length === 0
    ? refused === null
      ? html`<p class="all-well">All checks passed.</p>`
      : html`<p class="all-well">All checks passed. ${refused}: see below why.</p>`
    : html`<p class="concern" role="status">
        Needs attention:
        ${bad.map(({ name }) => name).join(', ')}.${refused === null ? null : ` ${refused}: see below why.`}
      </p>`;
};

const checkpointLink = ({ session }: ConsoleQuestion): Html | null =>
  session.key.scopes.has('audit:read')
    ? html`<p><a href="${CHECKPOINT_PATH}">Check a checkpoint that somebody kept</a></p>`
    : null;

const whole = (health: LedgerHealth, seen: ArrivalsSeen, quarantined: number | null, asked: ConsoleQuestion): Html => {
  const checks = [...healthChecks(health, asked.now), quarantineCheck(quarantined)];
  return html`
    <div class="heading">
      <h1>Health</h1>
      ${headline(checks, refusedLine(seen, epochMsOf(asked.now)))}
    </div>
    ${checkList(checks)} ${checkpointLink(asked)} ${arrivals(seen, asked)} ${secretTable(health, asked)}
    ${program(health, asked)}
  `;
};

/** What everybody may know: whether deliveries are accepted, and how far the figures are to be trusted. */
const outline = (health: LedgerHealth, asked: ConsoleQuestion): Html => html`
  <div class="heading">
    <h1>Health</h1>
    ${freshness(health, asked.now)}
  </div>
  <p>
    ${health.deliveries.ready ? 'Webhooks are accepted.' : 'Webhooks are refused now. The provider sends them again, and nothing is lost.'}
  </p>
  <p class="muted">Stores, disk, secrets and version are shown to keys with the scope admin.</p>
`;

/** How much waits in quarantine; null while the lists can't be asked. */
const inQuarantine = ({ readModels }: ConsoleDependencies, { now }: ConsoleQuestion): T.Task<number | null> =>
  pipe(
    readModels.tallies(now),
    TE.match(
      () => null,
      ({ quarantined }) => quarantined,
    ),
  );

/** How the ledger is, and what to do about what is wrong. The page works while the event store is away, too. */
export const healthPage = (deps: ConsoleDependencies): ConsoleRoute => ({
  method: 'get',
  path: '/console/health',
  scopes: [],
  answer: (asked) =>
    pipe(
      TE.fromEither(filledParameters(asked, {})),
      TE.bind('health', () => TE.fromTask(deps.health)),
      TE.bind('quarantined', () => TE.fromTask(inQuarantine(deps, asked))),
      TE.map(({ health, quarantined }): PageAnswer => {
        const all = (deps.openHealth && asked.isFromThisMachine) || asked.session.key.scopes.has('admin');
        return showPage({
          title: 'Health',
          place: 'health',
          main: all ? whole(health, deps.arrivals(), quarantined, asked) : outline(health, asked),
        });
      }),
    ),
});
