import { isPlain, lineAt } from '../read-text.ts';
import { unreadable, type StatementUnreadable } from '../unreadable.ts';
import type { ElementHandler, XmlElement } from '../xml-element.ts';
import { closedTags, DEEPEST } from './closed-tags.ts';
import { sgmlTags } from './sgml-tags.ts';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const unescaped = (text: string): string =>
  text
    .trim()
    .replace(/&(amp|lt|gt|quot|apos|nbsp|#\d{1,5});/g, (whole, name: string) =>
      name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : (ENTITIES[name] ?? whole),
    );

/**
 * What holds others, by which a statement is read. Without an end, and read as an empty text, what stands in one would be taken for
 * what stands around it.
 */
const HOLD_OTHERS: ReadonlySet<string> = new Set([
  'STMTRS',
  'CCSTMTRS',
  'BANKACCTFROM',
  'CCACCTFROM',
  'STMTTRN',
  'STMTTRNP',
  'LEDGERBAL',
  'CURRENCY',
]);

/**
 * Reads the SGML of OFX 1, where elements that hold a text need no end, and hands over the elements that are asked for as
 * `readXml` does.
 */
export const readSgml = (document: string, handler: ElementHandler): StatementUnreadable | null => {
  const { isClosed, tooDeep } = closedTags(document);
  if (tooDeep !== null)
    return unreadable(lineAt(document, tooDeep.from), tooDeep.name, `more than ${String(DEEPEST)} levels of elements`);
  const path: string[] = [];
  const open: XmlElement[] = [];
  let [line, counted] = [1, 0];
  const lineOf = (place: number): number => {
    line += lineAt(document.slice(counted, place), place - counted) - 1;
    counted = place;
    return line;
  };
  /** The names of elements that hold a text, or nothing. */
  const texts = new Set<string>();
  let textName: string | null = null;
  let closed = false;
  let behind: number | null = null;
  for (const { name, kind, text: written, from, textFrom, to } of sgmlTags(document)) {
    const at = lineOf(from);
    // What is in it would be read, and a figure would end before it.
    if (behind !== null && document.startsWith('<!--', behind) && behind < from)
      return unreadable(at, 'comment', 'SGML with comments in it is not read');
    behind = to;
    if (kind === 'end') {
      const isOfText = name === textName;
      textName = null;
      if (isOfText || path.at(-1) !== name) {
        // The end of a text, or of what began under a damaged name: what is in it would be lost.
        if (texts.has(name)) continue;
        return unreadable(at, name, 'it ends, and has not begun');
      }
      path.pop();
      const element = open.pop();
      if (element !== undefined) element.to = textFrom;
      const failure =
        element === undefined ? handler.end(name, path, at) : open.length === 0 ? handler.take(element, path) : null;
      if (failure !== null) return failure;
      closed ||= name === 'OFX' && path.length === 0;
      continue;
    }
    const text = unescaped(written);
    if (!isPlain(text)) return unreadable(at, name, 'it holds the number of what is no character');
    const kept = open.length > 0 || handler.whole(name, path);
    const element: XmlElement = { name, currency: null, line: at, from, to, text, children: [] };
    if (kept) open.at(-1)?.children.push(element);
    const hasText = kind === 'begin' && text !== '';
    textName = hasText ? name : null;
    if (!hasText && kind === 'begin' && isClosed(from)) {
      path.push(name);
      if (kept) open.push(element);
      continue;
    }
    if (kind === 'begin' && HOLD_OTHERS.has(name))
      return unreadable(
        at,
        name,
        hasText ? 'it holds a text, and what stands behind that would be lost' : 'it has no end',
      );
    texts.add(name);
    const failure = kept && open.length === 0 ? handler.take(element, path) : null;
    if (failure !== null) return failure;
  }
  return closed ? null : unreadable(lineOf(document.length), 'OFX', 'the file ends before its end');
};
