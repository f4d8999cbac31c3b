import { html, type Html } from './html.ts';

/** Longer ones are shortened: an address, a hash. UUIDs, UTRs and most order ids stand as they are. */
const LONGEST = 39;
const KEPT = 8;

const MACHINE_TEXT = /^[0-9a-zA-Z]+$/;

/**
 * An address or a hash, shortened in the middle where it is long. The whole is in the page: it is read aloud, found, copied
 * and printed, and shown to whoever points at it.
 */
export const shortened = (text: string): Html => {
  if (text.length <= LONGEST || !MACHINE_TEXT.test(text)) return html`<code>${text}</code>`;
  const [head, middle, tail] = [text.slice(0, KEPT), text.slice(KEPT, -KEPT), text.slice(-KEPT)];
  return html`<code class="shortened" title="${text}"
    >${head}<span class="middle">${middle}</span><span class="tail">${tail}</span></code
  >`;
};
