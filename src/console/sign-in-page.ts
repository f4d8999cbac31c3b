import { html } from './html.ts';
import type { Page } from './page.ts';

/** What was wrong with the last try to sign in, and the status that says so. */
export type WrongTry = { readonly status: 400 | 401 | 413 | 429; readonly text: string };

/** Where a form that signs in is sent. `next`: the page that comes after it, a path of this console. */
const signInAddress = (next: string): string =>
  next === '/' ? '/console/sign-in' : `/console/sign-in?next=${encodeURIComponent(next)}`;

/** Where one signs in. `next`: the page that was asked for. */
export const signInPage = (token: string, next: string, wrong: WrongTry | null): Page => ({
  title: 'Sign in',
  place: 'none',
  status: wrong?.status ?? 200,
  main: html`
    <section class="sign-in">
      <h1>Sign in</h1>
      <p>Orders, money and history, each figure with the signed bytes behind it.</p>
      <form method="post" action="${signInAddress(next)}">
        <input type="hidden" name="token" value="${token}" />
        <label for="key">API key</label>
        <input
          id="key"
          name="key"
          type="password"
          required
          autofocus
          autocomplete="current-password"
          spellcheck="false"
          ${wrong === null ? '' : html`aria-invalid="true" aria-describedby="wrong"`}
        />
        ${wrong === null ? null : html`<p id="wrong" class="wrong" role="alert">${wrong.text}</p>`}
        <button type="submit">Sign in</button>
      </form>
      <p class="fine">
        The key decides what you see. With nothing configured it is in the file <code>api-key</code> of the data
        directory. A session lasts eight hours, and ends at the sign-out or when its key is withdrawn.
      </p>
    </section>
  `,
});
