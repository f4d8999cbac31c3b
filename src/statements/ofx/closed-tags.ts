import { sgmlTags, type SgmlTag } from './sgml-tags.ts';

/** Deeper than any bank's file; with those that have no end, which stand until an end around them comes. */
export const DEEPEST = 64;

/** Which elements without a text have an end of their own. */
export type ClosedTags = {
  /** Whether the one that begins at a place has. */
  readonly isClosed: (from: number) => boolean;
  /** The first element on more levels than are read; null where there is none. */
  readonly tooDeep: SgmlTag | null;
};

/**
 * Looks which elements of SGML without a text have an end: the others are texts that are empty, as an empty `<MEMO>` is, and hold
 * nothing of what stands behind them. That is known only once an end around them has come, so the document is gone through before it
 * is read.
 */
export const closedTags = (document: string): ClosedTags => {
  const closed = new Uint8Array((document.length >> 3) + 1);
  const names: string[] = [];
  const places: number[] = [];
  let tooDeep: SgmlTag | null = null;
  let textName: string | null = null;
  for (const tag of sgmlTags(document)) {
    const { name, kind, text, from } = tag;
    const endsText = kind === 'end' && name === textName;
    textName = kind === 'begin' && text.trim() !== '' ? name : null;
    if (kind === 'begin' && textName === null) {
      names.push(name);
      places.push(from);
      if (names.length <= DEEPEST) continue;
      tooDeep = tag;
      break;
    }
    const depth = kind === 'end' && !endsText ? names.lastIndexOf(name) : -1;
    const place = places[depth];
    if (place === undefined) continue;
    closed[place >> 3] = (closed[place >> 3] ?? 0) | (1 << (place & 7));
    names.length = depth;
    places.length = depth;
  }
  return { isClosed: (from) => ((closed[from >> 3] ?? 0) & (1 << (from & 7))) !== 0, tooDeep };
};
