// Shows a page anew as events arrive that it is about. Who is busy with it, is offered that instead.

const AT_MOST_EVERY_MS = 3_000;

/**
 * Whether replacing what is shown would take something from under somebody's hands.
 * @param {HTMLElement} main
 */
const isInUse = (main) =>
  main.contains(document.activeElement?.closest('a, button, input, select, textarea, summary') ?? null) ||
  main.querySelector('details[open]') !== null ||
  document.getSelection()?.isCollapsed === false;

/**
 * The stream that an event is of.
 * @param {unknown} data
 */
const streamOf = (data) => {
  /** @type {unknown} */
  const told = JSON.parse(String(data));
  return typeof told === 'object' && told !== null && 'stream' in told ? told.stream : null;
};

/** A page about a place in the log, and what is known to have come after it. */
class LivePage {
  /** @type {EventSource | null} */
  #source = null;
  #shownAt = performance.now();
  #isDue = false;
  #last;
  #live;
  #types;
  #onShown;

  /**
   * @param {{ live: string, types: string[], after: string, onShown: () => void }} page `live`: a stream, or `all`
   */
  constructor({ live, types, after, onShown }) {
    this.#live = live;
    this.#types = types;
    this.#last = after;
    this.#onShown = onShown;
  }

  /** A page that nobody looks at holds no connection: browsers have few of them for one host. */
  follow() {
    const turn = () => (document.hidden ? this.#close() : this.#open());
    document.addEventListener('visibilitychange', turn);
    document.querySelector('#news button')?.addEventListener('click', () => location.reload());
    turn();
  }

  #open() {
    if (this.#source !== null) return;
    const source = new EventSource(`/console/live?${new URLSearchParams({ after: this.#last }).toString()}`);
    for (const type of this.#types) source.addEventListener(type, (event) => this.#came(event));
    this.#source = source;
  }

  #close() {
    this.#source?.close();
    this.#source = null;
  }

  /** @param {MessageEvent<unknown>} event */
  #came({ lastEventId, data }) {
    this.#last = lastEventId;
    if (this.#live !== 'all' && streamOf(data) !== this.#live) return;
    if (this.#isDue) return;
    this.#isDue = true;
    const wait = Math.max(0, this.#shownAt + AT_MOST_EVERY_MS - performance.now());
    setTimeout(() => void this.#showOrOffer(), wait);
  }

  async #showOrOffer() {
    this.#isDue = false;
    this.#shownAt = performance.now();
    const main = document.querySelector('main');
    if (main === null) return;
    if (isInUse(main)) this.#offer();
    else if (!(await this.#show(main))) this.#offer();
  }

  /**
   * Says whether the page could be had, and is the same one.
   * @param {HTMLElement} main
   */
  async #show(main) {
    try {
      // The lists behind it must include what was just told.
      const answer = await fetch(location.href, { headers: { 'X-Position': this.#last } });
      if (!answer.ok) return false;
      const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const shown = next.querySelector('main');
      if (shown === null || next.body.dataset['live'] !== this.#live) return false;
      main.replaceChildren(...shown.childNodes);
    } catch {
      // The ledger is away for a moment; the page stays as it was.
      return false;
    }
    document.querySelector('#news')?.toggleAttribute('hidden', true);
    this.#onShown();
    return true;
  }

  #offer() {
    document.querySelector('#news')?.toggleAttribute('hidden', false);
  }
}

/**
 * Follows what the page says that it is about; nothing, where it stays as it is.
 * @param {() => void} onShown called when new content stands in the page
 */
export const followEvents = (onShown) => {
  const { live, events, after } = document.body.dataset;
  if (live === undefined || events === undefined || after === undefined) return;
  new LivePage({ live, types: events.split(' '), after, onShown }).follow();
};
