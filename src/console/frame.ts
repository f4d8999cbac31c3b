import { EVENT_TYPES } from '../domain/event-type.ts';
import { asset } from './assets.ts';
import { html, type Html } from './html.ts';
import type { Times } from './local-time.ts';
import type { Page, Place } from './page.ts';
import { formToken, type Session } from './session.ts';

type Link = { readonly place: Place; readonly name: string; readonly href: string; readonly scope: string | null };

const LINKS: readonly Link[] = [
  { place: 'overview', name: 'Overview', href: '/', scope: null },
  { place: 'orders', name: 'Orders', href: '/console/orders', scope: 'orders:read' },
  { place: 'reports', name: 'Reports', href: '/console/reports/onramp', scope: 'reports:read' },
  { place: 'periods', name: 'Periods', href: '/console/periods', scope: 'reports:read' },
  { place: 'reconciliation', name: 'Reconciliation', href: '/console/reconciliation', scope: 'reports:read' },
  { place: 'audit', name: 'Audit', href: '/console/audit', scope: 'audit:read' },
  { place: 'quarantine', name: 'Quarantine', href: '/console/quarantine', scope: 'audit:read' },
  { place: 'health', name: 'Health', href: '/console/health', scope: null },
];

const navigation = (current: Place, { key }: Session): Html => html`
  <nav aria-label="Pages">
    <ul>
      ${LINKS.filter(({ scope }) => scope === null || key.scopes.has(scope)).map(({ place, name, href }) =>
        place === current
          ? html`<li><a href="${href}" aria-current="page">${name}</a></li>`
          : html`<li><a href="${href}">${name}</a></li>`,
      )}
    </ul>
  </nav>
`;

/** The hidden field that every form of a session has. */
export const tokenField = (session: Session): Html =>
  html`<input type="hidden" name="token" value="${formToken(session)}" />`;

/** Posted, since what is searched for may be an e-mail address, which belongs in no URL. */
const search = (session: Session, searched: string): Html => html`
  <form class="search" role="search" method="post" action="/console/search">
    ${tokenField(session)}
    <label class="unseen" for="search">Order id, UTR, hash, wallet, customer or e-mail</label>
    <input
      id="search"
      name="q"
      type="search"
      required
      maxlength="500"
      autocomplete="off"
      spellcheck="false"
      placeholder="Order, UTR, phone, reference…"
      value="${searched}"
    />
    <kbd aria-hidden="true">/</kbd>
  </form>
`;

const signedIn = ({ place, searched = '' }: Page, session: Session): Html => html`
  ${navigation(place, session)} ${session.key.scopes.has('orders:read') ? search(session, searched) : null}
  <form class="leave" method="post" action="/console/sign-out">
    ${tokenField(session)}
    <button class="quiet" type="submit" title="Signed in with the key ${session.key.id}">Sign out</button>
  </form>
`;

/** What a page is about, for those who may follow it: live events are for who may see orders. */
const followedBy = (session: Session | null, { live }: Page): string | null =>
  live !== undefined && session?.key.scopes.has('orders:read') === true ? live : null;

/** Shown where something came while somebody was busy with the page. */
const NEWS = html`<p id="news" class="news" role="status" hidden>
  <button type="button">New events: show them</button>
</p>`;

/** What a page is shown with. */
export type Surroundings = {
  /** What its scripts are known by. */
  readonly nonce: string;
  /** Null on the page where one signs in. */
  readonly session: Session | null;
  readonly times: Times;
  /** The last event that the page surely includes; empty before the first. */
  readonly after: string;
};

/** A whole document. */
export const frame = (page: Page, { nonce, session, times, after }: Surroundings): Html => {
  const { title, main } = page;
  const followed = followedBy(session, page);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Ramp Ledger</title>
        <link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml" />
        <link rel="stylesheet" href="${asset('uplot.css')}" />
        <link rel="stylesheet" href="${asset('console.css')}" />
        <script type="module" nonce="${nonce}" src="${asset('console.js')}"></script>
      </head>
      <body
        ${followed === null ? null : html`data-live="${followed}" data-after="${after}" data-events="${EVENT_TYPES.join(' ')}"`}
      >
        <a class="skip" href="#main">Skip to the content</a>
        <header class="top">
          <a class="brand" href="/">Ramp Ledger</a>
          ${session === null ? null : signedIn(page, session)}
        </header>
        <main id="main" tabindex="-1">${main}</main>
        ${followed === null ? null : NEWS}
        <footer class="bottom">
          <p>
            Times are in
            <strong>${times.timeZone}</strong>${times.timeZone === 'UTC' ? '.' : '; point at one for UTC.'}<span
              class="keys"
              hidden
            >
              <kbd>j</kbd> and <kbd>k</kbd> go through rows.</span
            >
          </p>
        </footer>
      </body>
    </html>`;
};
