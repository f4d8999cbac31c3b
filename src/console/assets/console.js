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

/** The item of the match that somebody is at. */
const currentItem = () => document.activeElement?.closest('.entries.match > li') ?? null;

/**
 * Does what a key stands for in the item that somebody is at; taking back works for what was just decided too. Says whether
 * there is such a thing to do.
 * @param {string} key
 */
const decide = (key) => {
  const within = currentItem()?.querySelector(`[data-key='${key}']`);
  const target = within ?? (key === 'u' ? document.querySelector(`.decided [data-key='u']`) : null);
  if (target instanceof HTMLInputElement) target.focus();
  else if (target instanceof HTMLButtonElement) target.click();
  else return false;
  return true;
};

/** From a field of an item back to the item, so that its keys work again. */
const leaveField = () => {
  const link = currentItem()?.querySelector('.line a');
  if (!(link instanceof HTMLElement)) return false;
  link.focus();
  return true;
};

const SHORTCUTS = new Map([
  ['/', search],
  ['j', () => moveRow(1)],
  ['k', () => moveRow(-1)],
  .../** @type {[string, () => boolean][]} */ (['n', 'e', 'a', 'p', 'u'].map((key) => [key, () => decide(key)])),
]);

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && isTyping(event)) leaveField();
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (SHORTCUTS.get(event.key)?.() === true) event.preventDefault();
});

/** A bank file may be dropped anywhere on a page that takes one; its preview comes next. */
const takeDroppedFiles = () => {
  const form = document.querySelector('form.upload');
  const field = form?.querySelector('input[type=file]');
  if (!(form instanceof HTMLFormElement) || !(field instanceof HTMLInputElement)) return;
  form.querySelector('.drops')?.removeAttribute('hidden');
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    form.classList.add('over');
  });
  document.addEventListener('dragleave', () => form.classList.remove('over'));
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    form.classList.remove('over');
    const files = event.dataTransfer?.files;
    if (files === undefined || files.length === 0) return;
    field.files = files;
    form.requestSubmit();
  });
};

takeDroppedFiles();

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
