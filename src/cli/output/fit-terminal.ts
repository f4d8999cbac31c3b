import type { Terminal } from '../command-context.ts';
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

/** Text of some bytes; a terminal needs no carriage returns before line ends. */
const fitText = (text: string): Buffer => Buffer.from(withoutControls(text.replaceAll('\r\n', '\n')));

/** The same of bytes that come in pieces: what a piece cuts, a letter or a line end, waits for the next. */
const fitPieces = async function* (pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const decoder = new TextDecoder();
  let waiting = '';
  for await (const piece of pieces) {
    const text = waiting + decoder.decode(piece, { stream: true });
    waiting = text.endsWith('\r') ? '\r' : '';
    yield fitText(waiting === '' ? text : text.slice(0, -1));
  }
  yield fitText(waiting + decoder.decode());
};

/**
 * A terminal to which no text brings control characters, wherever it came from: a name in a payload, or what somebody
 * typed. This is the one place through which all text goes; in JSON they are escaped, so that it stays the same JSON.
 * Bytes are somebody's file: where standard output is no terminal they go through as they are, as what is drawn does.
 */
export const fitTerminal = (terminal: Terminal): Terminal => {
  const isTerminal = terminal.width !== null;
  return {
    ...terminal,
    out: (text) => {
      if (typeof text === 'string') terminal.out(shown(text, terminal.coloured));
      else terminal.out(isTerminal ? fitText(new TextDecoder().decode(text)) : text);
    },
    note: (text) => terminal.note(withoutControls(text)),
    pipeOut: (bytes) => terminal.pipeOut(isTerminal ? fitPieces(bytes) : bytes),
  };
};
