import { html, type Html } from './html.ts';

/** More than this would make a page slow; the API has the rest. */
const MOST_CHARACTERS = 100_000;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const textOf = (bytes: Buffer): string | null => {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
};

/** Marks that turn the direction of text or are not seen: shown by their code, so that nothing looks like what it isn't. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu;

const visible = (text: string): string =>
  text.replace(UNSEEN, (mark) =>
    mark === '\n' || mark === '\t' ? mark : `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`,
  );

/** The first characters of a text, none of them halved. */
const beginning = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '');

const HEX_DIGITS_A_LINE = 64;

const hexLines = (bytes: Buffer): string =>
  (bytes.toString('hex').match(new RegExp(`.{1,${HEX_DIGITS_A_LINE}}`, 'g')) ?? []).join('\n');

/**
 * Bytes as text and nothing but text; such as are no UTF-8 as hex digits. `most`: characters that are shown; `whole`:
 * where the rest is.
 */
export const bytesText = (
  bytes: Buffer,
  whole: Html = html`the commands below fetch all ${bytes.length} bytes`,
  most: number = MOST_CHARACTERS,
): Html => {
  const text = textOf(bytes);
  const shown = text === null ? hexLines(bytes.subarray(0, most / 2)) : visible(beginning(text, most));
  const cut = text === null ? bytes.length > most / 2 : text.length > most;
  return html`
    ${text === null ? html`<p class="notice">These bytes are no UTF-8: they are shown as hex digits.</p>` : null}
    ${bytes.length === 0 ? html`<p class="muted">The body is empty.</p>` : html`<pre class="bytes" tabindex="0"><code>${shown}${cut ? '…' : ''}</code></pre>`}
    ${cut ? html`<p class="fine">Only the beginning is shown; ${whole}.</p>` : null}
  `;
};
