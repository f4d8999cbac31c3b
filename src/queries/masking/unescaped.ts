/** A text without its escapes, and where each of its characters stands in the text with them. */
export type Unescaped = {
  readonly text: string;
  /** The place of a character, or of the end, in the text as it was. */
  readonly placeOf: (at: number) => number;
};

/** An escape: where it begins, what it is, and the character that it stands for. */
export type Escape = { readonly from: number; readonly escape: string; readonly character: string };

/** A text without these escapes, which are in their order. */
export const unescaped = (text: string, escapes: readonly Escape[]): Unescaped => {
  if (escapes.length === 0) return { text, placeOf: (at) => at };
  const parts: string[] = [];
  const places: number[] = [];
  let until = 0;
  const keepTo = (end: number): void => {
    parts.push(text.slice(until, end));
    for (let at = until; at < end; at += 1) places.push(at);
  };
  for (const { from, escape, character } of escapes) {
    keepTo(from);
    parts.push(character);
    for (let unit = 0; unit < character.length; unit += 1) places.push(from);
    until = from + escape.length;
  }
  keepTo(text.length);
  return { text: parts.join(''), placeOf: (at) => places[at] ?? text.length };
};
