import type { Terminal } from './command-context.ts';
import { withoutControls } from './cell-text.ts';

const ESCAPE = '\u001B';

/** What follows it in colours that this program sets by itself: red and green, and the end of both. */
const OWN_COLOUR = /^\[(?:31|32|39)m/;

const shown = (text: string, coloured: boolean): string => {
  if (!coloured) return withoutControls(text);
  const [first = '', ...others] = text.split(ESCAPE);
  const rest = others.map((part) =>
    OWN_COLOUR.test(part) ? ESCAPE + withoutControls(part) : withoutControls(ESCAPE + part),
  );
  return withoutControls(first) + rest.join('');
};

/**
 * A terminal to which no text brings control characters, wherever it came from: a name in a payload, or what somebody
 * typed. This is the one place through which all text goes; in JSON they are escaped, so that it stays the same JSON.
 * Bytes, which are somebody's file, and what is drawn go through as they are.
 */
export const fitTerminal = (terminal: Terminal): Terminal => ({
  ...terminal,
  out: (text) => terminal.out(typeof text === 'string' ? shown(text, terminal.coloured) : text),
  note: (text) => terminal.note(withoutControls(text)),
});
