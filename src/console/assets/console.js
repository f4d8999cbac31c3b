import { followEvents } from './live.js';

// What scripts add to pages that work without them: keyboard search and rows, copy buttons, charts to read off, news.

/** @param {KeyboardEvent} event */
const isTyping = ({ target }) =>
  target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null;

/**
 * The link that each row of a list is opened by.
 * @returns {HTMLAnchorElement[]}
 */
const rowLinks = () =>
  [
    ...document.querySelectorAll('main .orders tbody th a, main .trail tbody th a, main .entries > li > .line a'),
  ].filter((link) => link instanceof HTMLAnchorElement);

/**
 * Moves from row to row; from elsewhere, to the first or the last one. Says whether there was a row.
 * @param {number} step
 */
const moveRow = (step) => {
  const links = rowLinks();
  const row = document.activeElement?.closest('tr, .entries > li') ?? null;
  const at = row === null ? -1 : links.findIndex((link) => row.contains(link));
  const from = at === -1 && step < 0 ? links.length : at;
  const link = links[Math.min(links.length - 1, Math.max(0, from + step))];
  link?.focus();
  return link !== undefined;
};

const search = () => {
  const field = document.querySelector('#search');
  if (!(field instanceof HTMLInputElement)) return false;
  field.focus();
  field.select();
  return true;
};

/** What was searched for, on the page that the search leads to; it never stands in an address. */
const SEARCHED = 'searched';

/** The term stays in its box on the next page, whichever that is. */
const keepSearched = () => {
  const field = document.querySelector('#search');
  if (!(field instanceof HTMLInputElement)) return;
  const searched = sessionStorage.getItem(SEARCHED);
  sessionStorage.removeItem(SEARCHED);
  if (searched !== null && field.value === '') field.value = searched;
  field.form?.addEventListener('submit', () => sessionStorage.setItem(SEARCHED, field.value));
};

keepSearched();

const SHORTCUTS = new Map([
  ['/', search],
  ['j', () => moveRow(1)],
  ['k', () => moveRow(-1)],
]);

document.addEventListener('keydown', (event) => {
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (SHORTCUTS.get(event.key)?.() === true) event.preventDefault();
});

const SHOWN_MS = 1_500;

/**
 * Copies what a button stands for, and says whether that went well.
 * @param {HTMLButtonElement} button
 */
const copy = async ({ dataset }) => {
  try {
    await navigator.clipboard.writeText(dataset['copy'] ?? '');
    return 'Copied';
  } catch {
    // Without TLS, or leave to write, there is no clipboard: what is to be copied can be marked by hand.
    return 'Not allowed here';
  }
};

/** @param {HTMLButtonElement} button */
const readyCopy = (button) => {
  const name = button.textContent;
  button.hidden = false;
  const say = async () => {
    button.textContent = await copy(button);
    setTimeout(() => {
      button.textContent = name;
    }, SHOWN_MS);
  };
  button.addEventListener('click', () => void say());
};

/** What draws charts formats numbers in the browser's language as it is loaded, and fails where that is none. */
const ensureLanguage = () => {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
  }
};

/** Gives what stands in the page what only scripts can give; again when other content stands there. */
const enhance = () => {
  for (const hint of document.querySelectorAll('.keys')) hint.toggleAttribute('hidden', rowLinks().length === 0);
  for (const button of document.querySelectorAll('button[data-copy]')) {
    if (button instanceof HTMLButtonElement) readyCopy(button);
  }
  if (document.querySelector('figure[data-table]') !== null) {
    ensureLanguage();
    void import('./charts.js').then(({ drawCharts }) => drawCharts());
  }
};

enhance();
followEvents(enhance);
