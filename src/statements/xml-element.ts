import type { SAXParser } from 'sax';
import { isPlain } from './read-text.ts';
import { unreadable, type StatementUnreadable } from './unreadable.ts';

/** An element of an XML document, without the prefix of its name. Attributes that are no currency are left out. */
export type XmlElement = {
  readonly name: string;
  /** The attribute `Ccy`, by which amounts name their currency. */
  readonly currency: string | null;
  /** The line that its first tag ends on, from 1. */
  readonly line: number;
  /** Where it begins and ends in the document's text. */
  readonly from: number;
  to: number;
  text: string;
  readonly children: XmlElement[];
};

/** Deeper than any bank's file: camt has about 15 levels. */
const DEEPEST = 64;

/** Characters that are handed to the parser at once: it looks for what is wrong with them behind each piece. */
const CHUNK = 65_536;

const CUT_OFF = 'the file was cut off: it ends before its last element does; take it from its source again';

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** An attribute's value, in which anything may stand that stands for something outside of it. */
const VALUE = /"[^"]*"|'[^']*'/g;

/** Whether a well-formed tag has more attributes than it has names of attributes: sax says nothing and keeps the first of two. */
const hasOneTwice = (tag: string, names: number): boolean =>
  names > 0 && tag.replaceAll(VALUE, '').split('=', names + 2).length > names + 1;

/** What a reader does with the elements of a document. */
export type ElementHandler = {
  /** The element that is read as a whole and given to `take` at its end; what is outside of such elements is not kept. */
  readonly whole: (name: string, path: readonly string[]) => boolean;
  readonly take: (element: XmlElement, path: readonly string[]) => StatementUnreadable | null;
  /** The end of an element that is not read as a whole. */
  readonly end: (name: string, path: readonly string[], line: number) => StatementUnreadable | null;
};

/**
 * Reads an XML document, and hands over the elements that are asked for, one at a time. Null where it was read to its end. A
 * document type is refused, and with it every entity of its own; nothing is ever fetched.
 *
 * @param Parser the class of `sax`, which is loaded when the first file comes
 */
export const readXml = (
  Parser: new (strict: boolean, options: { strictEntities: true; position: true }) => SAXParser,
  document: string,
  handler: ElementHandler,
): StatementUnreadable | null => {
  const parser = new Parser(true, { strictEntities: true, position: true });
  const path: string[] = [];
  /** The elements that are open, from the one that is read as a whole. */
  const open: XmlElement[] = [];
  const failures: StatementUnreadable[] = [];
  /** Whether the whole document was given. */
  let ended = false;
  const line = (): number => parser.line + 1;
  const fail = (found: StatementUnreadable | null): void => {
    if (found !== null) failures.push(found);
  };
  const addText = (text: string): void => {
    const element = open.at(-1);
    if (element === undefined) return;
    element.text += text;
    if (!isPlain(text)) fail(unreadable(line(), element.name, 'it holds the number of what is no character'));
  };
  const handlers: Pick<SAXParser, 'onerror' | 'ondoctype' | 'onopentag' | 'onclosetag' | 'ontext' | 'oncdata'> = {
    onerror: (error) => {
      const found = error.message.split('\n', 1)[0] ?? 'not well-formed';
      // It is told of what is still open only once it is told that nothing more comes.
      fail(unreadable(line(), 'xml', ended && path.length > 0 ? CUT_OFF : found));
    },
    ondoctype: () => {
      fail(unreadable(line(), 'DOCTYPE', 'a document type is not taken'));
    },
    onopentag: (tag) => {
      if (failures.length > 0) return;
      const name = localName(tag.name);
      const attribute = tag.attributes['Ccy'];
      const text = document.slice(parser.startTagPosition - 1, parser.position);
      if (hasOneTwice(text, Object.keys(tag.attributes).length)) {
        fail(unreadable(line(), 'xml', `${name} has an attribute twice`));
        return;
      }
      const whole = open.length > 0 || handler.whole(name, path);
      path.push(name);
      if (path.length > DEEPEST) {
        fail(unreadable(line(), name, `more than ${String(DEEPEST)} levels of elements`));
        return;
      }
      if (!whole) return;
      const element: XmlElement = {
        name,
        currency: typeof attribute === 'string' ? attribute : null,
        line: line(),
        from: parser.startTagPosition - 1,
        to: 0,
        text: '',
        children: [],
      };
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    onclosetag: () => {
      if (failures.length > 0) return;
      const name = path.pop() ?? '';
      const element = open.pop();
      if (element === undefined) {
        fail(handler.end(name, path, line()));
        return;
      }
      element.to = parser.position;
      if (open.length === 0) fail(handler.take(element, path));
    },
    ontext: addText,
    oncdata: addText,
  };
  Object.assign(parser, handlers);
  for (let at = 0; at < document.length && failures.length === 0; at += CHUNK)
    parser.write(document.slice(at, at + CHUNK));
  ended = true;
  if (failures.length === 0) parser.close();
  return failures[0] ?? null;
};

/** The first element at a path below an element; null where there is none. */
export const elementAt = (element: XmlElement, ...path: readonly string[]): XmlElement | null => {
  let found: XmlElement | null = element;
  for (const name of path) found = found?.children.find((child) => child.name === name) ?? null;
  return found;
};

/** All elements at a path below an element. */
export const elementsAt = (element: XmlElement, ...path: readonly string[]): readonly XmlElement[] =>
  path.reduce<readonly XmlElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  );

/** The text of the first element at a path, without blanks around; null where there is none, or nothing in it. */
export const textAt = (element: XmlElement, ...path: readonly string[]): string | null => {
  const text = elementAt(element, ...path)?.text.trim() ?? '';
  return text === '' ? null : text;
};

/** The texts of all elements at a path. */
export const textsAt = (element: XmlElement, ...path: readonly string[]): readonly string[] =>
  elementsAt(element, ...path).map(({ text }) => text.trim());
