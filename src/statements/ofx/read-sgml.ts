import { isPlain, lineAt } from '../read-text.ts';
import { unreadable, type StatementUnreadable } from '../unreadable.ts';
import type { ElementHandler, XmlElement } from '../xml-element.ts';

const TOKEN = /<(\/?)([A-Za-z0-9._-]{1,64})(?:\s[^<>]{0,1000})?\/?>([^<]*)/g;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const unescaped = (text: string): string =>
  text
    .trim()
    .replace(/&(amp|lt|gt|quot|apos|nbsp|#\d{1,5});/g, (whole, name: string) =>
      name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : (ENTITIES[name] ?? whole),
    );

/** Deeper than any bank's file. */
const DEEPEST = 64;

/**
 * Reads the SGML of OFX 1, where elements that hold a text need no end, and hands over the elements that are asked for as
 * `readXml` does. An element that holds nothing and has no end swallows those behind it, so look for texts at any depth.
 */
export const readSgml = (document: string, handler: ElementHandler): StatementUnreadable | null => {
  const path: string[] = [];
  const open: XmlElement[] = [];
  let [line, counted] = [1, 0];
  const lineOf = (place: number): number => {
    line += lineAt(document.slice(counted, place), place - counted) - 1;
    counted = place;
    return line;
  };
  /** The names of elements that hold a text. */
  const texts = new Set<string>();
  let closed = false;
  let behind: number | null = null;
  for (const token of document.matchAll(TOKEN)) {
    const [whole, slash = '', original = '', rest = ''] = token;
    const name = original.toUpperCase();
    const at = lineOf(token.index);
    // What is in it would be read, and a figure would end before it.
    if (behind !== null && document.startsWith('<!--', behind) && behind < token.index)
      return unreadable(at, 'comment', 'SGML with comments in it is not read');
    behind = token.index + whole.length;
    if (slash === '/') {
      const depth = path.lastIndexOf(name);
      // The end of a text, or of what began under a damaged name: what is in it would be lost.
      if (depth === -1 && texts.has(name)) continue;
      if (depth === -1) return unreadable(at, name, 'it ends, and has not begun');
      while (path.length > depth) {
        const ended = path.pop() ?? '';
        const element = open.pop();
        if (element !== undefined) element.to = token.index + whole.length - rest.length;
        const failure =
          element === undefined ? handler.end(ended, path, at) : open.length === 0 ? handler.take(element, path) : null;
        if (failure !== null) return failure;
      }
      closed ||= name === 'OFX' && path.length === 0;
      continue;
    }
    const text = unescaped(rest);
    if (!isPlain(text)) return unreadable(at, name, 'it holds the number of what is no character');
    const kept = open.length > 0 || handler.whole(name, path);
    const element: XmlElement = {
      name,
      currency: null,
      line: at,
      from: token.index,
      to: token.index + whole.length,
      text,
      children: [],
    };
    if (kept) open.at(-1)?.children.push(element);
    if (text !== '') {
      texts.add(name);
      const failure = kept && open.length === 0 ? handler.take(element, path) : null;
      if (failure !== null) return failure;
      continue;
    }
    path.push(name);
    if (kept) open.push(element);
    if (path.length > DEEPEST) return unreadable(at, name, `more than ${String(DEEPEST)} levels of elements`);
  }
  return closed ? null : unreadable(lineOf(document.length), 'OFX', 'the file ends before its end');
};
